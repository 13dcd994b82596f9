import { hash } from 'node:crypto';
import { listDraftIdentifiers, type MatchIdentifierKind } from '../../../identity/look-up.ts';
import { isPersonName } from '../../../identity/names.ts';
import type { CommentRecord, KnownKeyRecord, RunJournal } from '../../../journal/index.ts';
import { contactFieldNames } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';
import type { Problem } from '../../../model/problem.ts';
import type { ContactStep } from '../../../steps/registry.ts';
import type { ImportContext } from '../context.ts';
import type { Person } from './person.ts';

/** Hashes of source values by field, and of desired states by name. */
export type ValueHashes = Readonly<Record<string, string>>;

/** Returns a hash of 48 bits: enough to tell a value from its predecessor, and short, because millions are stored. */
export function hashValue(value: unknown): string {
  return hash('sha256', JSON.stringify(value) ?? '', 'base64url').slice(0, 8);
}

/** Returns the hashes of a draft's field values, by field (`email`, `customFields.Plan`). */
export function hashFieldValues({ contact, customFields }: FieldValues): ValueHashes {
  const hashes: Record<string, string> = {};
  for (const name of contactFieldNames) {
    const value = contact[name];
    if (value !== undefined) hashes[name] = hashValue(value);
  }
  for (const [name, value] of Object.entries(customFields)) hashes[`customFields.${name}`] = hashValue(value);
  return hashes;
}

/** Returns the hashes of a draft's desired states by name; a state that the draft does not mention is absent. */
export function hashDesiredStates(
  steps: readonly ContactStep[],
  draft: Draft,
  created: boolean,
): ValueHashes {
  const hashes: Record<string, string> = {};
  for (const step of steps) {
    const wanted = step.kind === 'comments' ? undefined : step.wanted(draft, created);
    if (step.kind !== 'comments' && wanted !== undefined) hashes[step.state] = hashValue(wanted);
  }
  return hashes;
}

/** Returns the values whose source changed since they were last applied. */
export function selectChangedValues(
  { contact, customFields }: FieldValues,
  applied: ValueHashes,
): FieldValues {
  return {
    contact: Object.fromEntries(
      contactFieldNames.flatMap((name) => {
        const value = contact[name];
        return value === undefined || applied[name] === hashValue(value) ? [] : [[name, value]];
      }),
    ),
    customFields: Object.fromEntries(
      Object.entries(customFields).filter(
        ([name, value]) => applied[`customFields.${name}`] !== hashValue(value),
      ),
    ),
  };
}

/** Returns true if there is any field, even one whose value is null. */
export function hasValues({ contact, customFields }: FieldValues): boolean {
  return Object.keys(contact).length > 0 || Object.keys(customFields).length > 0;
}

/**
 * Returns what is remembered of a person; undefined where none of the keys is known. The keys of one person were
 * applied together, so a value whose hash is not the same under every key counts as not applied.
 */
export function mergeKnownKeyRecords(
  known: readonly KnownKeyRecord[],
  othersOf: (contacts: readonly number[]) => number = () => 0,
): RememberedPerson | undefined {
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  const applied = Object.entries(first.applied).filter(([field, hash]) =>
    others.every((other) => other.applied[field] === hash),
  );
  const contacts = [...new Set(known.flatMap(({ contact }) => contact ?? []))];
  return {
    contacts,
    identifiers: known.flatMap(({ contact, identifiers }) => (contact === null ? [identifiers] : [])),
    lastSent: known.flatMap(({ identifiers }) => identifiers),
    created: known.some(({ created }) => created),
    applied: Object.fromEntries(applied),
    sharedBy: () => othersOf(contacts),
  };
}

/** The comparison by hashes of a row's names, e-mail and phone with those last applied under its key. */
interface CommonHashes {
  /** `none`: neither side has a name; `incomparable`: only one side has. */
  readonly names: 'common' | 'different' | 'incomparable' | 'none';
  /** `unknown`: at least one side has none. */
  readonly email: 'equal' | 'different' | 'unknown';
  readonly phone: 'equal' | 'different' | 'unknown';
}

const cleared = hashValue(null);

function commonHashes({ values: { contact } }: Pick<Draft, 'values'>, applied: ValueHashes): CommonHashes {
  const now = (name: keyof typeof contact) => {
    const value = contact[name];
    return value === undefined || value === null ? undefined : hashValue(value);
  };
  const before = (name: string) => (applied[name] === cleared ? undefined : applied[name]);
  const compared = (name: 'email' | 'phone') => {
    const [one, other] = [now(name), before(name)];
    return one === undefined || other === undefined ? 'unknown' : one === other ? 'equal' : 'different';
  };
  // A value that is not a name is no evidence, however often it occurs.
  const isNamed = (name: 'firstName' | 'lastName') => isPersonName(contact[name] ?? '');
  const fields = ['firstName', 'lastName'] as const;
  const notNames = fields.flatMap((name) => (isNamed(name) ? [] : [now(name)]));
  const namesNow = fields.flatMap((name) => (isNamed(name) ? [now(name)] : []));
  const namesBefore = fields.flatMap((name) => before(name) ?? []).filter((hash) => !notNames.includes(hash));
  // This also holds where first and last name were swapped.
  const isCommon = namesNow.some((name) => name !== undefined && namesBefore.includes(name));
  const sides = [namesNow, namesBefore].filter(({ length }) => length > 0).length;
  const names = isCommon ? 'common' : sides === 2 ? 'different' : sides === 1 ? 'incomparable' : 'none';
  return { names, email: compared('email'), phone: compared('phone') };
}

/**
 * Returns `same` if, as far as hashes tell, a remembered key still belongs to the same person: no other key leads to
 * the contact, and a name or the e-mail is unchanged or one side has no name. Undefined if only the contact can tell.
 */
export function judgeRememberedKey(
  draft: Pick<Draft, 'values'>,
  { applied, sharedBy }: Pick<RememberedPerson, 'applied' | 'sharedBy'>,
): 'same' | undefined {
  const { names, email } = commonHashes(draft, applied);
  return (names !== 'different' || email === 'equal') && sharedBy() === 0 ? 'same' : undefined;
}

/**
 * Returns true if a row has a name, the e-mail or the phone in common with the person last imported under its key.
 * Otherwise returns false if the names differ or, where neither side has a name, the e-mail or the phone; else
 * undefined.
 */
export function hasMatchingValue(draft: Pick<Draft, 'values'>, applied: ValueHashes): boolean | undefined {
  const { names, email, phone } = commonHashes(draft, applied);
  if (names === 'common' || email === 'equal' || phone === 'equal') return true;
  if (names === 'none') return email === 'different' || phone === 'different' ? false : undefined;
  return names === 'different' ? false : undefined;
}

/** The facts that earlier runs remember of a person. */
export interface RememberedPerson {
  /** More than one where rows of two people have become one person. */
  readonly contacts: readonly number[];
  /** For each contact whose id is not known, the texts of the identifiers with which it was created. */
  readonly identifiers: readonly (readonly string[])[];
  /** The identifier texts last sent for these contacts. */
  readonly lastSent: readonly string[];
  readonly created: boolean;
  readonly applied: ValueHashes;
  /**
   * Returns the number of other keys of this mapping or system that lead to these contacts; above 0 if an older version
   * took several rows for one person.
   */
  readonly sharedBy: () => number;
}

const nothing: FieldValues = { contact: {}, customFields: {} };

/** Returns what earlier runs remember of a person; undefined if they do not know the person. */
export function findRememberedPerson({ known }: RunJournal, { keys }: Person): RememberedPerson | undefined {
  const own = new Set(keys);
  const found = [...own].map((key) => known.find(key));
  return mergeKnownKeyRecords(
    found.filter((each) => each !== undefined),
    (contacts) =>
      contacts
        .flatMap((contact) => known.keysOf(contact))
        .filter(({ key, isOurs }) => isOurs && !own.has(key)).length,
  );
}

/** Returns the values to process: the changed ones; all in a full run or for a new person; none if deferred-only. */
export function selectPendingValues(
  { scope }: ImportContext,
  person: Person,
  remembered: RememberedPerson | undefined,
): FieldValues {
  if (scope.deferredOnly) return nothing;
  if (scope.full || remembered === undefined) return person.draft.values;
  return selectChangedValues(person.draft.values, remembered.applied);
}

/** Returns the hashes of the desired states that this run must send, by state. */
export function selectPendingStateHashes(
  { scope, steps }: ImportContext,
  { draft }: Person,
  remembered: RememberedPerson | undefined,
  created: boolean,
): ValueHashes {
  const hashes = hashDesiredStates(steps, draft, created);
  const pending: Record<string, string> = {};
  for (const step of steps) {
    if (step.kind === 'comments' || !step.isAllowed(created)) continue;
    const hash = hashes[step.state];
    if (hash === undefined || (!scope.full && remembered?.applied[step.state] === hash)) continue;
    if (scope.deferredOnly === scope.hold.has(step.state)) pending[step.state] = hash;
  }
  return pending;
}

/** A comment that may need to be sent, with what is remembered of it. */
export interface PendingComment extends RememberedComment {
  /**
   * Set for a new comment if another row of the person has a comment with the same id and text (`row`), or if it was
   * sent to the contact under another key (`contact`).
   */
  readonly repeats: 'row' | 'contact' | undefined;
  /** True if `known` is remembered under another key of the contact. */
  readonly isCarriedOver?: boolean;
}

interface RememberedComment {
  readonly comment: Person['comments'][number];
  readonly known: CommentRecord | undefined;
}

/** Returns the person's comments with what is remembered of each. */
function rememberedComments({ journal }: ImportContext, { comments }: Person): readonly RememberedComment[] {
  if (comments.length === 0) return [];
  const known = new Map(
    [...new Set(comments.map(({ under }) => under))].flatMap((under) => {
      const ids = comments.flatMap((comment) => (comment.under === under ? [comment.id] : []));
      return journal.comments.of(under, ids).map((comment) => [`${under} ${comment.id}`, comment] as const);
    }),
  );
  return comments.map((comment) => ({ comment, known: known.get(`${comment.under} ${comment.id}`) }));
}

/** Returns notes, in a retry, about uncertain comments that a user has confirmed to be in the workspace. */
export function createConfirmedCommentNotes(context: ImportContext, person: Person): readonly Problem[] {
  if (!context.scope.retrying) return [];
  return rememberedComments(context, person).flatMap(({ comment, known }) => {
    const confirmed = known?.parts.filter((part) => part === 'confirmed').length ?? 0;
    if (confirmed === 0) return [];
    const parts = known?.parts.length === 1 ? '' : ` (${confirmed} of ${known?.parts.length} parts)`;
    const reason = `comment ${comment.item}${parts} was not sent again: a person decided that it is in the workspace`;
    return [{ code: 'comments.confirmed', column: null, reason }];
  });
}

/** Returns the comments not sent completely, or whose text has changed since; none in a run of deferred steps. */
export function listPendingComments(context: ImportContext, person: Person): readonly PendingComment[] {
  if (context.scope.deferredOnly) return [];
  const all = rememberedComments(context, person).map((each) =>
    isToBeSentAfterAll(context, each) ? { ...each, known: undefined } : each,
  );
  const same = ({ comment: { rowId, text } }: RememberedComment) => JSON.stringify([rowId, text]);
  const taken = new Set(all.filter(({ known }) => known !== undefined).map(same));
  return all.flatMap((each) => {
    const { comment, known } = each;
    const repeats = known === undefined && taken.has(same(each)) ? 'row' : undefined;
    taken.add(same(each));
    const isPending =
      known === undefined ||
      known.parts.includes('uncertain') ||
      known.parts.includes('open') ||
      // An edited text is only reported: it alone causes no request.
      hasCommentTextChanged(known, comment.text);
    return isPending ? [{ ...each, repeats }] : [];
  });
}

/** Returns true if a comment was left out because its contact was there before, and such contacts get comments now. */
function isToBeSentAfterAll({ steps }: ImportContext, { known }: RememberedComment): boolean {
  if (!known?.parts.includes('skipped')) return false;
  return steps.some((step) => step.kind === 'comments' && step.existing);
}

/**
 * Returns true if a comment is new or its text differs from the one sent; false if no hash of the sent text is known.
 */
export function hasCommentTextChanged(before: CommentRecord | undefined, text: string): boolean {
  return before?.text !== '' && before?.text !== hashValue(text);
}

/** Returns true if a person needs no request: it is remembered, and no value, state or comment is to be sent. */
export function isPersonUnchanged(
  context: ImportContext,
  person: Person,
  remembered: RememberedPerson | undefined,
): boolean {
  if (remembered === undefined) return false;
  return (
    !hasValues(selectPendingValues(context, person, remembered)) &&
    Object.keys(selectPendingStateHashes(context, person, remembered, remembered.created)).length === 0 &&
    listPendingComments(context, person).every(({ known }) => known !== undefined && !asksForWork(known))
  );
}

/** Returns true if a part of a comment is still to be sent, or may have been: each run names those until decided. */
function asksForWork({ parts }: CommentRecord): boolean {
  return parts.includes('open') || parts.includes('uncertain');
}

/** Returns an identifier as the text of its kind and hash, by which it is compared without its value. */
function identityOf(kind: string, hash: string): string {
  return `${kind} ${hash}`;
}

/** Returns the identities of a person now and at their last import. */
export function listIdentityHashes(
  { lookedUpBy }: Pick<Person, 'lookedUpBy'>,
  remembered: Pick<RememberedPerson, 'applied'> | undefined,
): readonly string[] {
  const now = lookedUpBy.map(({ kind, value }) => identityOf(kind, hashValue(value)));
  if (remembered === undefined) return now;
  const before = ['email', 'phone'].flatMap((kind) => {
    const hash = remembered.applied[kind];
    return hash === undefined ? [] : [identityOf(kind, hash)];
  });
  return [...new Set([...now, ...before])];
}

/** Returns the identities that a row had when it was last applied and that it has replaced by others since. */
export function listReplacedIdentityHashes(
  draft: Draft,
  identify: readonly MatchIdentifierKind[],
  applied: ValueHashes,
): readonly string[] {
  return listDraftIdentifiers(draft, identify).flatMap(({ kind, value }) => {
    const before = applied[kind];
    return before === undefined || before === hashValue(value) ? [] : [identityOf(kind, before)];
  });
}
