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
    `messages are written as ${messages.format}, which does not keep everything: --compact cannot combine such increments; use ndjson for that`,
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
        ? `${sent} is sent as written; the API does not document how it separates values`
        : `${sent} is sent as published clients send it; the API documents a single text: check --online tries it`;
    }),
    ...(dated
      ? [
          `dates of the filter are sent as written, in the time zone ${timezone}; the API documents no date format`,
        ]
      : []),
  ];
}

function messagesAlone({ contacts, messages }: LoadedExport): string[] {
  return contacts === undefined && messages !== undefined
    ? ['contacts are read for their messages, but not exported']
    : [];
}

function guardless({ contacts, expect, keep }: LoadedExport): string[] {
  return contacts !== undefined && expect.contacts === undefined && keep !== undefined
    ? ['No minimum set: an empty export could replace good ones; set expect: { contacts: { min: 1 } }']
    : [];
}
