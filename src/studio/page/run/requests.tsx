import { formatCount, formatPercent, formatRate } from '../figures.ts';
import { t } from '../language.ts';
import { DataTable } from '../parts/data-table.tsx';
import { formatOperation } from './operation-words.ts';
import type { AnyRunStatus } from './standing.tsx';

/** The table of a run's requests by operation, with their share of the rate limit; nothing without requests. */
export function RequestTable({ status: { requests, speed } }: { readonly status: AnyRunStatus }) {
  const operations = Object.entries(requests);
  if (operations.length === 0) return null;
  const limit = speed.limitPerSecond;
  const has = (of: 'limited' | 'queued' | 'retried') => operations.some(([, each]) => each[of] > 0);
  const more = (
    [
      ['retried', t('Sent again')],
      ['limited', '429'],
      ['queued', '449'],
    ] as const
  ).filter(([of]) => has(of));
  return (
    <>
      <DataTable
        label={t('Requests by operation')}
        columns={[
          t('Operation'),
          { n: t('Sent') },
          ...more.map(([, head]) => ({ n: head })),
          { n: t('95% within') },
          { n: t('A second') },
          t('Of the limit'),
        ]}
        rows={operations.map(([operation, counts]) => {
          const use = speed.use[operation];
          return [
            <span key="operation" title={operation}>
              {formatOperation(operation)}
            </span>,
            formatCount(counts.sent),
            ...more.map(([of]) => formatCount(counts[of])),
            counts.latency === undefined ? '–' : t('{n, number} ms', { n: counts.latency.p95 }),
            use === undefined ? '–' : formatRate(use.perSecond),
            use?.share == null ? (
              <span key="share" class="note">
                {t('per contact')}
              </span>
            ) : (
              <Share key="share" of={use.share} />
            ),
          ];
        })}
      />
      <p class="note">
        {limit === null
          ? t('The rate limit is not known yet.')
          : t(
              'The limit is {rate} a second on each method and path; where the path names a contact, for each contact.',
              { rate: formatRate(limit) },
            )}
      </p>
    </>
  );
}

function Share({ of }: { readonly of: number }) {
  return (
    <span class="row">
      <span class="track" style={{ width: '90px' }} aria-hidden="true">
        <span style={{ width: `${of * 100}%` }} />
      </span>
      {formatPercent(of, 1)}
    </span>
  );
}
