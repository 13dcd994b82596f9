import type { WorkerStatus } from '../../wire/fleet.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { t } from '../language.ts';
import { DataTable } from '../parts/data-table.tsx';

/** The silence of a worker, in seconds, above which the table shows how long it has lasted. */
const silent = 60;

/** The table of the fleet's workers. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerStatus[] }) {
  return (
    <section aria-labelledby="workers-head">
      <h2 id="workers-head">{t('Workers')}</h2>
      <DataTable
        label={t('Workers and their machines')}
        columns={[t('Worker'), t('Machine'), { n: t('Jobs') }, t('State'), t('Started')]}
        rows={workers.map(({ worker, host, jobs, draining, silentSeconds, startedAt }) => [
          worker,
          host,
          formatCount(jobs),
          stateOf(draining, silentSeconds),
          formatDateTime(startedAt),
        ])}
      />
    </section>
  );
}

function stateOf(draining: boolean, silentSeconds: number): string {
  if (silentSeconds <= silent) return draining ? t('draining') : t('takes jobs');
  const time = formatDuration(silentSeconds);
  return draining
    ? t('draining, not heard of for {time}', { time })
    : t('takes jobs, not heard of for {time}', { time });
}
