import { isSameContactFieldValue } from '../../../datatypes/index.ts';
import { type LookupResult, lookUpContacts, type MatchedContacts } from '../../../identity/look-up.ts';
import type { WaitKey } from '../../../journal/index.ts';
import type { WorkspaceAnswer } from '../../../model/answer.ts';
import type { Contact } from '../../../model/contact.ts';
import {
  formatIdentifier,
  type Identifier,
  idToIdentifier,
  parseIdentifier,
} from '../../../model/identifier.ts';
import { type CallWaitOptions, createBackoffForNewContact, pollUntil } from '../../../workspace/index.ts';
import type { ImportContext } from '../context.ts';
import { hashValue, type RememberedPerson } from './memory.ts';
import type { Person } from './person.ts';

/** The contacts that a person of the input leads to, or the reason why the look-up failed. */
export type PersonLookupResult =
  | { readonly kind: 'found'; readonly found: MatchedContacts }
  /** The workspace does not accept an identifier. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * The proof required that a person has no contact: under `snapshot` a snapshot without a match is enough if no other
 * client creates contacts; under `reads` only single reads are enough.
 */
export type AbsenceProof = 'snapshot' | 'reads';

/** Returns true if one of the contacts may be the person; where all are other people, the search continues. */
export type IsPossibleMatch = (found: MatchedContacts) => boolean;

const anybody: IsPossibleMatch = (found) => found.length > 0;

/**
 * Looks up a person: by what earlier runs remember, by the snapshot if there is one, else by single reads. If no
 * possible match is found and this work dir has just sent a create with one of the person's identifiers, repeats the
 * look-up until the created contact must be visible.
 */
export async function findContactsOfPerson(
  context: ImportContext,
  person: Person,
  remembered: RememberedPerson | undefined,
  trust: AbsenceProof,
  mayBe: IsPossibleMatch = anybody,
): Promise<PersonLookupResult> {
  const { clock, limits, pool } = context;
  const search = { context, person, remembered, trust, mayBe };
  const slot = pool.sharedSlot();
  const askedAt = clock.now();
  const first = await find({ ...search, read: readerOf(context, person, (wait) => slot(wait)) });
  if (first.kind !== 'found' || mayBe(first.found)) return first;
  const before = (remembered?.identifiers ?? []).flat();
  const since = lastSentAt(context, [
    ...without(person.lookedUpBy, first.found).map(formatIdentifier),
    ...before,
  ]);
  if (since === undefined) return first;
  const until = since + limits.settleMs;
  // Only a look-up that began after `until` is conclusive: the first of its reads may have been answered long before
  // the last, while the contact was not visible yet.
  if (askedAt >= until) return first;
  const wait = { ...createBackoffForNewContact(limits.settleMs), until };
  const read = readerOf(context, person);
  return await pool.withoutSlot(
    () =>
      pollUntil(
        context,
        () => find({ ...search, read }),
        (whom) => (whom.kind === 'found' && !mayBe(whom.found) ? wait : undefined),
      ),
    { for: 'newContact', until },
  );
}

/** The parameters of one look-up of a person. */
interface Search {
  readonly context: ImportContext;
  readonly person: Person;
  readonly remembered: RememberedPerson | undefined;
  readonly trust: AbsenceProof;
  readonly mayBe: IsPossibleMatch;
  readonly read: ReadContact;
}

type ReadContact = (identifier: Identifier) => Promise<WorkspaceAnswer<Contact>>;

/**
 * Looks up a contact by the person's further e-mails and phones, for a person whose own identifiers lead to no possible match
 * (docs: One person, by evidence). A phone that many contacts share is not used.
 */
export async function findContactsByFurtherIdentifiers(
  context: ImportContext,
  person: Person,
  trust: AbsenceProof,
): Promise<PersonLookupResult> {
  const lookedUpBy = person.furtherLookedUpBy.filter((each) => !isCrowdedPhone(context, each));
  if (lookedUpBy.length === 0) return { kind: 'found', found: [] };
  return await findContactsOfPerson(context, { ...person, lookedUpBy }, undefined, trust);
}

/**
 * Returns the person without a phone among its identifiers that many contacts share, if it has an e-mail: a create or a
 * read by that phone leads to one of them. The phone stays a value.
 */
export function withoutCrowdedPhone(context: ImportContext, person: Person): Person {
  const identifiers = person.identifiers.filter((each) => !isCrowdedPhone(context, each));
  return identifiers.length === 0 ? person : { ...person, identifiers };
}

function isCrowdedPhone({ snapshot, policy }: ImportContext, { kind, value }: Identifier): boolean {
  return kind === 'phone' && snapshot?.isSharedPhone(value, policy.switchboard) === true;
}

/** Returns the identifiers that none of the contacts has. */
function without(identifiers: readonly Identifier[], found: MatchedContacts): readonly Identifier[] {
  return identifiers.filter(
    ({ kind, value }) =>
      kind === 'id' || found.every(({ contact }) => !isSameContactFieldValue(kind, contact[kind], value)),
  );
}

/** Returns the time when a create with one of the identifiers was last sent; undefined where none was. */
function lastSentAt({ journal }: ImportContext, identifiers: readonly string[]): number | undefined {
  let latest: number | undefined;
  for (const identifier of identifiers) {
    const sentAt = journal.lastSentAbout(identifier);
    if (sentAt !== undefined && (latest === undefined || sentAt > latest)) latest = sentAt;
  }
  return latest;
}

async function find(search: Search): Promise<PersonLookupResult> {
  const answer = await findAll(search);
  search.context.journal.waits.over(waitOf(search.person));
  if (answer.kind === 'ok') return { kind: 'found', found: answer.value };
  if (answer.kind === 'refused') return answer;
  return { kind: 'failed', message: `the contact could not be looked up: ${answer.message}` };
}

async function findAll(search: Search): Promise<LookupResult> {
  const { context, person, remembered, mayBe, read } = search;
  if (remembered === undefined) return await findUnknown(search);
  const known = await findRemembered(read, remembered);
  if (known.kind !== 'ok') return known;
  // None of the remembered contacts exists any more: the person is looked up like a new one, and only single reads
  // prove that it has no contact.
  if (known.value.length === 0) return await findUnknown({ ...search, trust: 'reads' });
  // An identifier left out because it belongs to another person counts as applied; a full run compares it again.
  const isLeftOut = ({ kind, value }: Identifier) =>
    context.scope.full &&
    kind !== 'id' &&
    known.value.every(({ contact }) => !isSameContactFieldValue(kind, contact[kind], value));
  // If the remembered contacts are another person's, what was applied to them says nothing about this one.
  const isDisowned = !mayBe(known.value);
  const changed = person.lookedUpBy.filter(
    (each) => isDisowned || remembered.applied[each.kind] !== hashValue(each.value) || isLeftOut(each),
  );
  const others = await lookUpContacts(read, changed, person.draft.emailAsWritten);
  if (others.kind !== 'ok') return others;
  const isKnown = ({ id }: Contact) => known.value.some(({ contact }) => contact.id === id);
  // A policy that prefers an identifier must see that a remembered contact has one that was not looked up, too.
  const isContested = others.value.some(({ contact }) => !isKnown(contact));
  const unchanged = isContested ? person.lookedUpBy.filter((each) => !changed.includes(each)) : [];
  return { kind: 'ok', value: [...known.value, ...matchesAmong(known.value, unchanged), ...others.value] };
}

/** Returns the contacts that have one of the identifiers, with its kind. */
function matchesAmong(contacts: MatchedContacts, identifiers: readonly Identifier[]): MatchedContacts {
  return contacts.flatMap(({ contact }) =>
    identifiers.flatMap(({ kind, value }) =>
      kind !== 'id' && isSameContactFieldValue(kind, contact[kind], value) ? [{ by: kind, contact }] : [],
    ),
  );
}

/**
 * Reads the remembered contacts by id. A contact whose id is not known is looked up by the identifiers with which it
 * was created, one by one, until one leads to a contact.
 */
async function findRemembered(read: ReadContact, remembered: RememberedPerson): Promise<LookupResult> {
  const byIds = await lookUpContacts(read, remembered.contacts.map(idToIdentifier));
  if (byIds.kind !== 'ok') return byIds;
  const found = [...byIds.value];
  for (const texts of remembered.identifiers) {
    const answer = await findFirst(read, texts);
    if (answer.kind !== 'ok') return answer;
    found.push(...answer.value);
  }
  return { kind: 'ok', value: found };
}

async function findFirst(read: ReadContact, texts: readonly string[]): Promise<LookupResult> {
  for (const text of texts) {
    const answer = await lookUpContacts(read, [parseIdentifier(text)]);
    if (answer.kind !== 'ok') return answer;
    const [first] = answer.value;
    if (first !== undefined) return { kind: 'ok', value: [{ by: 'id', contact: first.contact }] };
  }
  return { kind: 'ok', value: [] };
}

async function findUnknown({ context, person, trust, mayBe, read }: Search): Promise<LookupResult> {
  const { draft, lookedUpBy } = person;
  const { snapshot, policy } = context;
  if (snapshot === undefined) return await lookUpContacts(read, lookedUpBy, draft.emailAsWritten);
  const known = lookedUpBy.map((identifier) => ({
    identifier,
    ids: snapshot.idsUnder(identifier, identifier.kind === 'phone' ? policy.switchboard + 1 : undefined),
  }));
  const strong = known.filter(
    ({ identifier: { kind }, ids }) => kind !== 'phone' || ids.length <= policy.switchboard,
  );
  // A person whose only identifier is a phone that many contacts share is a conflict that needs manual action.
  const listedBy =
    strong.length > 0
      ? strong
      : lookedUpBy.map((identifier) => ({ identifier, ids: snapshot.idsUnder(identifier) }));
  const identifiers = listedBy.map(({ identifier }) => identifier);
  const hits = listedBy.flatMap(({ identifier: { kind, value }, ids }) =>
    kind === 'id' ? [] : ids.map((id) => ({ by: kind, id, value })),
  );
  if (hits.length === 0 && trust === 'snapshot' && isTold(context, identifiers)) return noContacts;
  const listed = hits.length === 0 ? undefined : await findListed(read, hits);
  if (listed === undefined) return await lookUpContacts(read, identifiers, draft.emailAsWritten);
  if (listed.kind !== 'ok' || mayBe(listed.value)) return listed;
  // All listed contacts are other people: the person may have been created since the list was read.
  const left = without(identifiers, listed.value);
  if (trust === 'snapshot' && isTold(context, left)) return listed;
  const since = await lookUpContacts(read, left, draft.emailAsWritten);
  return since.kind === 'ok' ? { kind: 'ok', value: [...listed.value, ...since.value] } : since;
}

const noContacts: LookupResult = { kind: 'ok', value: [] };

/**
 * Returns true if the snapshot must show every contact with these identifiers: no other client creates contacts, this
 * work dir has not just created one, and the run has no approvals or answers, whose contacts must be read.
 */
function isTold(context: ImportContext, identifiers: readonly Identifier[]): boolean {
  return (
    context.policy.exclusive &&
    context.scope.approvalsOf === undefined &&
    context.scope.answersOf === undefined &&
    lastSentAt(context, identifiers.map(formatIdentifier)) === undefined
  );
}

type Hit = { readonly by: 'email' | 'phone'; readonly id: number; readonly value: string };

/**
 * Reads the contacts that the snapshot lists, because they may have changed since. Returns undefined where none of them
 * exists any more or matches.
 */
async function findListed(read: ReadContact, hits: readonly Hit[]): Promise<LookupResult | undefined> {
  const contacts = new Map<number, Contact>();
  for (const id of new Set(hits.map((hit) => hit.id))) {
    const answer = await read(idToIdentifier(id));
    if (answer.kind === 'absent') continue;
    if (answer.kind !== 'ok') return answer;
    contacts.set(id, answer.value);
  }
  const found = hits.flatMap(({ by, id, value }) => {
    const contact = contacts.get(id);
    // The contact may have changed since the snapshot was taken.
    return contact !== undefined && isSameContactFieldValue(by, contact[by], value) ? [{ by, contact }] : [];
  });
  return found.length === 0 ? undefined : { kind: 'ok', value: found };
}

/**
 * Returns the key of a person's wait for a queued look-up; the wait is timed across all sessions of the run.
 */
function waitOf({ carrier }: Person): WaitKey {
  return { seq: carrier.seq, name: 'find', item: '', kind: 'queued' };
}

/** Returns a function that reads a contact; a read that the workspace queues waits in `withoutSlot`. */
function readerOf(
  { workspace, journal }: ImportContext,
  person: Person,
  withoutSlot?: CallWaitOptions['withoutSlot'],
): ReadContact {
  const queuedSince = (now: number) => journal.waits.since(waitOf(person), now);
  const waits: CallWaitOptions = { queuedSince, withoutSlot };
  return (identifier) => workspace.contacts.read(identifier, { waits });
}

/**
 * Reads until a contact created at `since` (ms) can be found by its identifiers, because the answer to a create has no
 * id; returns a message if it is not found in time.
 */
export async function readUntilVisible(
  context: ImportContext,
  person: Person,
  since: number,
): Promise<Contact | { readonly message: string }> {
  const { limits, pool } = context;
  const until = since + limits.settleMs;
  const read = readerOf(context, person);
  let last = 'it was created, and no contact with its identifiers can be read yet';
  const contact = await pool.withoutSlot(
    () =>
      pollUntil(
        context,
        async () => {
          for (const identifier of person.identifiers) {
            const answer = await lookUpContacts(read, [identifier]);
            const [first] = answer.kind === 'ok' ? answer.value : [];
            if (first !== undefined) return first.contact;
            if (answer.kind !== 'ok') last = `it was created, and cannot be read: ${answer.message}`;
          }
          return undefined;
        },
        (shown) =>
          shown === undefined ? { ...createBackoffForNewContact(limits.settleMs), until } : undefined,
      ),
    { for: 'newContact', until },
  );
  context.journal.waits.over(waitOf(person));
  return contact ?? { message: last };
}
