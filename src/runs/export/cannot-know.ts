import type { LoadedExport } from '../pipeline/export-settings.ts';

/** What an export cannot know, in sentences for its manifest. */
export function cannotKnow(
  { contacts, messages }: LoadedExport,
  increment: boolean,
  ownerless: number,
): string[] {
  const sentences = ['Comments: the interface does not give them back.'];
  if (contacts?.filter.length || contacts?.search !== undefined) {
    sentences.push('Contacts outside the filter and the search term, and their messages.');
  }
  if (ownerless > 0) {
    sentences.push(
      `${ownerless} messages of earlier exports are left out: their contacts are gone, deleted or merged.`,
    );
  }
  if (!increment) return sentences;
  if (messages?.incremental) {
    sentences.push(
      messages.refresh === undefined
        ? 'Statuses of messages that were exported before: they are not read again (refresh).'
        : 'Statuses that changed of messages older than the time of `refresh`, or without any time.',
      'Messages that came to a contact by a merge: they are older than the newest message that was known of it.',
      'Messages of contacts that are gone, and whether a contact that is gone was deleted, merged or fell out of the filter.',
    );
  }
  return sentences;
}
