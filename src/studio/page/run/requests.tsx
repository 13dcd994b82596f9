import { formatCount, formatPercent, formatRate } from '../figures.ts';
import { ScrollArea } from '../parts/scrolls.tsx';
import type { AnyRunStatus } from './standing.tsx';

/** The table of a run's requests by operation, with their share of the rate limit; nothing without requests. */
export function RequestTable({ status: { requests, speed } }: { readonly status: AnyRunStatus }) {
  const operations = Object.entries(requests);
  if (operations.length === 0) return null;
  const limit = speed.limitPerSecond;
  const has = (of: 'limited' | 'queued' | 'retried') => operations.some(([, each]) => each[of] > 0);
  const more = (
    [
      ['retried', 'Sent again'],
      ['limited', '429'],
      ['queued', '449'],
    ] as const
  ).filter(([of]) => has(of));
  return (
    <>
      <h3>Requests</h3>
      <p class="note">
        {limit === null
          ? 'The rate limit is not known yet.'
          : `The limit is ${formatRate(limit)} a second on each method and path; where the path names a contact, for each contact.`}
      </p>
      <ScrollArea label="Requests by operation">
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col" class="n">
                Sent
              </th>
              {more.map(([of, head]) => (
                <th key={of} scope="col" class="n">
                  {head}
                </th>
              ))}
              <th scope="col" class="n">
                95% within
              </th>
              <th scope="col" class="n">
                A second
              </th>
              <th scope="col">Of the limit</th>
            </tr>
          </thead>
          <tbody>
            {operations.map(([operation, counts]) => {
              const use = speed.use[operation];
              return (
                <tr key={operation}>
                  <th scope="row">
                    <code>{operation}</code>
                  </th>
                  <td class="n">{formatCount(counts.sent)}</td>
                  {more.map(([of]) => (
                    <td key={of} class="n">
                      {formatCount(counts[of])}
                    </td>
                  ))}
                  <td class="n">
                    {counts.latency === undefined ? '–' : `${formatCount(counts.latency.p95)} ms`}
                  </td>
                  <td class="n">{use === undefined ? '–' : formatRate(use.perSecond)}</td>
                  <td>
                    {use?.share == null ? <span class="note">per contact</span> : <Share of={use.share} />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollArea>
    </>
  );
}

function Share({ of }: { readonly of: number }) {
  return (
    <span class="share-bar">
      <span class="track" aria-hidden="true">
        <span style={{ width: `${of * 100}%` }} />
      </span>
      {formatPercent(of, 1)}
    </span>
  );
}
