import type { LoadedExport } from '../pipeline/export-settings.ts';

/** What an export cannot know, in sentences for its manifest. */
export function cannotKnow(
  { contacts, messages }: LoadedExport,
  increment: boolean,
  ownerless: number,
): string[] {
  const sentences = ['Comments: the API cannot read them.'];
  if (contacts?.filter.length || contacts?.search !== undefined) {
    sentences.push('Contacts that do not match the filter and the search term, and their messages.');
  }
  if (ownerless > 0) {
    sentences.push(
      `${ownerless} messages of earlier exports are left out: their contacts were deleted or merged.`,
    );
  }
  if (!increment) return sentences;
  if (messages?.incremental) {
    sentences.push(
      messages.refresh === undefined
        ? 'Statuses of messages that were exported before: they are not read again (refresh).'
        : 'Status changes of messages that are older than `refresh`, or have no time.',
      'Messages that a merge moved to a contact: they are older than its newest known message.',
      'Messages of contacts that are gone, and whether such a contact was deleted, merged or no longer matches the filter.',
    );
  }
  return sentences;
}
