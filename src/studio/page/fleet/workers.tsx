import type { WorkerStatus } from '../../wire/fleet.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { ScrollArea } from '../parts/scrolls.tsx';

/** The table says how long a worker has been silent if that is more than this many seconds. */
const silent = 60;

/** The table of the fleet's workers. */
export function WorkerTable({ workers }: { readonly workers: readonly WorkerStatus[] }) {
  return (
    <section aria-labelledby="workers-head">
      <h2 id="workers-head">Workers</h2>
      <ScrollArea label="Workers and their machines">
        <table>
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col">Machine</th>
              <th scope="col" class="n">
                Jobs
              </th>
              <th scope="col">State</th>
              <th scope="col">Started</th>
            </tr>
          </thead>
          <tbody>
            {workers.map(({ worker, host, jobs, draining, silentSeconds, startedAt }) => (
              <tr key={worker}>
                <th scope="row">{worker}</th>
                <td>{host}</td>
                <td class="n">{formatCount(jobs)}</td>
                <td>
                  {draining ? 'draining' : 'takes jobs'}
                  {silentSeconds > silent && `, not heard of for ${formatDuration(silentSeconds)}`}
                </td>
                <td>{formatDateTime(startedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </section>
  );
}
