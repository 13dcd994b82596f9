import type { WorkerStatus } from '../../wire/fleet.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { DataTable } from '../parts/data-table.tsx';

/** The silence of a worker, in seconds, above which the table shows how long it has lasted. */
const silent = 60;

/** The table of the fleet's workers. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerStatus[] }) {
  return (
    <section aria-labelledby="workers-head">
      <h2 id="workers-head">Workers</h2>
      <DataTable
        label="Workers and their machines"
        columns={['Worker', 'Machine', { n: 'Jobs' }, 'State', 'Started']}
        rows={workers.map(({ worker, host, jobs, draining, silentSeconds, startedAt }) => [
          worker,
          host,
          formatCount(jobs),
          (draining ? 'draining' : 'takes jobs') +
            (silentSeconds > silent ? `, not heard of for ${formatDuration(silentSeconds)}` : ''),
          formatDateTime(startedAt),
        ])}
      />
    </section>
  );
}
