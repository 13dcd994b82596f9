import { formatCount, formatPercent, formatRate } from '../figures.ts';
import { t } from '../language.ts';
import { DataTable } from '../parts/lists.tsx';
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
          { n: t('Per second') },
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
    <span class="with-count">
      <span class="track" style={{ width: '90px' }} aria-hidden="true">
        <span style={{ width: `${of * 100}%` }} />
      </span>
      <span>{formatPercent(of, 1)}</span>
    </span>
  );
}

const conversation = '/contact/{identifier}/conversation';

const words: Readonly<Record<string, string>> = {
  'POST /contact/{identifier}': t('Create a contact'),
  'GET /contact/{identifier}': t('Read a contact'),
  'PUT /contact/{identifier}': t('Update a contact'),
  'POST /contact/merge': t('Merge two contacts'),
  'POST /contact/list': t('List the contacts'),
  'POST /contact/{identifier}/lifecycle/update': t('Set the lifecycle stage'),
  'POST /contact/{identifier}/comment': t('Add a comment'),
  [`POST ${conversation}/status`]: t('Open or close a conversation'),
  [`POST ${conversation}/assignee`]: t('Assign a contact'),
  'GET /contact/{identifier}/message/list': t('List the messages of a contact'),
  'GET /contact/{identifier}/message/{messageId}': t('Read a message'),
  'GET /space/custom_field': t('List the custom fields'),
  'POST /space/custom_field': t('Create a custom field'),
  'POST /space/tag': t('Create a tag'),
  'PUT /space/tag': t('Update a tag'),
  'DELETE /space/tag': t('Delete a tag'),
  'GET /space/user': t('List the users'),
  'GET /space/user/{id}': t('Read a user'),
  'GET /space/closing_notes': t('List the closing notes'),
};

/** Returns what an operation of the interface does, in words; its method and path where they are not known. */
function formatOperation(operation: string): string {
  return words[operation] ?? operation;
}
