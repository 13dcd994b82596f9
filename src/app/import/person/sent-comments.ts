import type { CommentRecord } from '../../../journal/index.ts';
import type { ImportContext } from '../context.ts';
import { hashValue, type PendingComment } from './memory.ts';
import type { Person } from './person.ts';

/**
 * Returns the pending comments with what is remembered of them under other keys of the contacts: the key or the first
 * identifier of the row may have changed since. A comment with the same name and text counts as the same one. One that
 * was sent completely is repeated; of one that may have been sent, or was sent in part, the state is carried over.
 */
export function findCommentsSentBefore(
  context: ImportContext,
  person: Person,
  contacts: readonly number[],
  pending: readonly PendingComment[],
): readonly PendingComment[] {
  const isNew = ({ known, repeats }: PendingComment) => known === undefined && repeats === undefined;
  if (!pending.some(isNew)) return pending;
  const earlier = listCommentsOfOtherKeys(context, person, contacts, pending);
  if (earlier.size === 0) return pending;
  return pending.map((each) => {
    const { id, rowId, text } = each.comment;
    const before = isNew(each) ? earlier.get(identify(rowId, hashValue(text))) : undefined;
    if (before === undefined) return each;
    return isComplete(before)
      ? { ...each, repeats: 'contact' }
      : { ...each, known: { ...before, id }, isCarriedOver: true };
  });
}

/** Returns the comments that were sent, or may have been, by name and text; of several records the most complete one. */
function listCommentsOfOtherKeys(
  { journal }: ImportContext,
  { keys }: Person,
  contacts: readonly number[],
  pending: readonly PendingComment[],
): ReadonlyMap<string, CommentRecord> {
  const own = new Set(keys);
  const others = [...new Set(contacts)]
    .flatMap((contact) => journal.known.keysOf(contact))
    .filter(({ key, isOurs }) => isOurs && !own.has(key));
  // The comments of a person that has just ended may not be written yet.
  if (others.some(({ key }) => journal.known.isToBeRemembered(key))) journal.flush();
  const ids = pending.map(({ comment }) => comment.rowId);
  const found = new Map<string, CommentRecord>();
  for (const record of others.flatMap(({ key }) => journal.comments.of(key, ids))) {
    if (!record.parts.some((part) => part === 'sent' || part === 'uncertain' || part === 'confirmed'))
      continue;
    // A second comment of a row with the same id has a number of its own (`collectComments`).
    const name = identify(record.id.replace(/ #\d+$/, ''), record.text);
    const better = found.get(name);
    if (better === undefined || (isComplete(record) && !isComplete(better))) found.set(name, record);
  }
  return found;
}

function isComplete({ parts }: CommentRecord): boolean {
  return parts.every((part) => part === 'sent' || part === 'confirmed');
}

function identify(id: string, textHash: string): string {
  return JSON.stringify([id, textHash]);
}
