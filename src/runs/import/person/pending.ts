import type { RunJournal } from '../../../journal/index.ts';
import type { FieldValues } from '../../../model/draft.ts';
import type { ImportContext } from '../context.ts';
import type { PendingComment } from './belongings-work.ts';
import {
  type BelongingName,
  belongingHashes,
  belongingNames,
  changedValues,
  hashOf,
  hasValues,
  type Remembered,
  rememberedOf,
} from './delta.ts';
import type { Person } from './person.ts';

const nothing: FieldValues = { contact: {}, customFields: {} };

/** What earlier runs remember of a person; undefined where nobody met them. */
export function recall({ known }: RunJournal, { keys }: Person): Remembered | undefined {
  const found = [...new Set(keys)].map((key) => known.find(key));
  return rememberedOf(found.filter((each) => each !== undefined));
}

/** The values that this run has to look at: those whose source changed (design: delta runs). */
export function pendingValues(
  { scope }: ImportContext,
  person: Person,
  remembered: Remembered | undefined,
): FieldValues {
  if (scope.heldOnly) return nothing;
  if (scope.full || remembered === undefined) return person.draft.values;
  return changedValues(person.draft.values, remembered.applied);
}

/** What belongs to the contact and has to be looked at, with the hash to remember it by. */
export function pendingBelongings(
  context: ImportContext,
  person: Person,
  remembered: Remembered | undefined,
  created: boolean,
): { readonly [B in BelongingName]?: string } {
  const { scope, belongings } = context;
  const hashes = belongingHashes(person.draft, created);
  const pending: { [B in BelongingName]?: string } = {};
  for (const name of belongingNames) {
    const hash = hashes[name];
    if (hash === undefined || (!scope.full && remembered?.applied[name] === hash)) continue;
    if (scope.heldOnly !== scope.hold.has(name)) continue;
    if (name === 'tags' && !belongings.tags) continue;
    if (name === 'conversation' && !created && !belongings.existingConversations) continue;
    pending[name] = hash;
  }
  return pending;
}

/** The person's comments that were not sent whole, or that say something else than what was sent. */
export function pendingComments(context: ImportContext, person: Person): readonly PendingComment[] {
  if (context.scope.heldOnly || person.comments.length === 0) return [];
  const known = new Map(
    [...new Set(person.comments.map(({ under }) => under))].flatMap((under) =>
      context.journal.comments.of(under).map((comment) => [`${under} ${comment.id}`, comment] as const),
    ),
  );
  return person.comments
    .map((comment) => ({ comment, known: known.get(`${comment.under} ${comment.id}`) }))
    .filter(({ comment, known: before }) => {
      if (before === undefined) return true;
      const isUncertain = before.parts.includes('uncertain');
      const isOpen = before.parts.includes('open');
      // An edited text is only worth a word while something of the row is looked at anyway.
      return isOpen || isUncertain || before.text !== hashOf(comment.text);
    });
}

/** Whether a person needs no request: nothing of the source changed since it was applied. */
export function isUnchanged(
  context: ImportContext,
  person: Person,
  remembered: Remembered | undefined,
): boolean {
  if (remembered === undefined) return false;
  return (
    !hasValues(pendingValues(context, person, remembered)) &&
    Object.keys(pendingBelongings(context, person, remembered, remembered.created)).length === 0 &&
    pendingComments(context, person).every(({ known }) => known !== undefined && !asksForWork(context, known))
  );
}

/** What may have been sent is left alone by a run that is not about it. */
function asksForWork({ scope }: ImportContext, known: NonNullable<PendingComment['known']>): boolean {
  return (
    known.parts.includes('open') || ((scope.resend || scope.retrying) && known.parts.includes('uncertain'))
  );
}
