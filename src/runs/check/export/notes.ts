import { severalOf } from '../../pipeline/export/filter-fields.ts';
import { keepsGiven } from '../../pipeline/export/formats.ts';
import type { LoadedExport } from '../../pipeline/export-settings.ts';
import type { Finding } from '../finding.ts';

/** What is allowed, and what somebody should know before the first night. */
export function exportNotes(settings: LoadedExport): readonly Finding[] {
  return [
    ...compactable(settings),
    ...unsaid(settings),
    ...messagesAlone(settings),
    ...guardless(settings),
  ].map((text) => ({ verdict: 'note', text }));
}

/** Contacts are put together out of what the last export knew, messages out of the files. */
function compactable({ contacts, messages }: LoadedExport): string[] {
  const incremental = contacts?.incremental === true || messages?.incremental === true;
  if (!incremental || messages === undefined || keepsGiven(messages.format)) return [];
  return [
    `messages are written as ${messages.format}, which does not keep everything: --compact cannot make one of these increments; ndjson can`,
  ];
}

function unsaid({ contacts, timezone }: LoadedExport): string[] {
  const filter = contacts?.filter ?? [];
  const several = filter.filter(({ operator }) => severalOf(operator) !== undefined);
  const dated = filter.some(
    ({ field, operator }) => field === 'created_at' || operator.startsWith('isTimestamp'),
  );
  return [
    ...several.map(({ operator, value }) => {
      const sent = `${operator}: ${JSON.stringify(value)}`;
      return typeof value === 'string'
        ? `${sent} is sent as it is written; the interface does not say how it separates values`
        : `${sent} is sent as published clients send it; the interface speaks of one text: check --online tries it`;
    }),
    ...(dated
      ? [
          `dates of the filter are sent as they are written, meant in ${timezone}; the interface names no form`,
        ]
      : []),
  ];
}

function messagesAlone({ contacts, messages }: LoadedExport): string[] {
  return contacts === undefined && messages !== undefined
    ? ['contacts are read for their messages, and not written']
    : [];
}

function guardless({ contacts, expect, keep }: LoadedExport): string[] {
  return contacts !== undefined && expect.contacts === undefined && keep !== undefined
    ? ['nothing is expected: an empty export would push full ones out; say expect: { contacts: { min: 1 } }']
    : [];
}
