import { isDeepStrictEqual } from 'node:util';
import { toComparableEmail, toComparablePhone } from '../../../identity/comparable.ts';
import { formatEvidence, type IdentityVerdict } from '../../../identity/evidence.ts';
import type { MatchedContacts, MatchIdentifierKind } from '../../../identity/look-up.ts';
import type { ComparedPerson, QuestionRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Problem } from '../../../model/problem.ts';
import { formatRowPlace, normaliseRowPlace, type RowPlace } from '../../../model/row-place.ts';
import type { AnsweredQuestion } from '../answered-questions.ts';
import { hashFieldValues, selectPendingValues } from './memory.ts';
import { draftToComparedPerson, findBirthDateOfContact, type Person } from './person.ts';
import {
  createFinishedPerson,
  type FinishedPerson,
  finishAsRejected,
  type PersonProgress,
  type PersonTask,
} from './progress.ts';
import type { ContactCandidate } from './recognise.ts';

/** Returns a proposed result with a question for each candidate; nothing is written until they are answered. */
export function finishAsQuestion(
  { person }: PersonTask,
  candidates: readonly ContactCandidate[],
): FinishedPerson {
  const { carrier, keys, draft } = person;
  const questions = candidates.map(({ contact, judgement }, n): QuestionRecord => {
    const { seq, key } = carrier;
    const other = { kind: 'contact', id: contact.id } as const;
    const sides = {
      row: person.sides.at(-1) ?? draftToComparedPerson(draft),
      otherSide: contactToComparedPerson(contact, draft.birthDateField),
    };
    return {
      seq,
      n,
      ...normaliseRowPlace(carrier),
      key,
      memoryKey: keys.at(-1) ?? '',
      other,
      evidence: formatEvidence(judgement),
      ...sides,
    };
  });
  const may = candidates.map(
    ({ contact, judgement }) => `contact ${contact.id} (${formatEvidence(judgement)})`,
  );
  const reason = `it may be the same person as ${may.join(' or ')}; answer in same-person.csv`;
  const problems = [{ code: 'identity.ask', column: null, reason }, ...draft.dropped];
  return createFinishedPerson({ outcome: 'proposed', contact: null, problems, questions });
}

/** Returns a rejected result for a key that belongs to a contact with nothing in common with the row. */
export function finishAsReusedKey(task: PersonTask, { contact }: ContactCandidate): FinishedPerson {
  const { carrier, draft } = task.person;
  const reason = `key ${carrier.key ?? ''} is contact ${contact.id}, and the row is ${nameOf(draftToComparedPerson(draft))}: they have nothing in common, so nothing was sent`;
  return finishAsRejected(task, { code: 'key.reused', column: null, reason }, contact.id);
}

/**
 * Returns a stale result if a row or contact has changed since the question about it was answered, and nothing was sent;
 * else undefined.
 */
export function finishIfAnswerStale(
  { context, person }: PersonTask,
  progress: PersonProgress,
  found: MatchedContacts,
): FinishedPerson | undefined {
  const { answersOf, contactsAsFound } = context.scope;
  if (progress.did !== undefined || answersOf === undefined) return undefined;
  for (const { contact } of found)
    if (!contactsAsFound.has(contact.id)) contactsAsFound.set(contact.id, contact);
  const asFound = found.map((match) => ({
    ...match,
    contact: contactsAsFound.get(match.contact.id) ?? match.contact,
  }));
  const changed = person.rows.flatMap((row, n) =>
    answersOf(row).flatMap((answered) => whatChanged(person, n, asFound, answered) ?? []),
  );
  if (changed.length === 0) return undefined;
  const reason = `${changed.join(', ')} changed since it was answered`;
  const problem = { code: 'identity.stale', column: null, reason };
  return createFinishedPerson({
    outcome: 'stale',
    contact: null,
    problems: [problem, ...person.draft.dropped],
  });
}

function whatChanged(
  { rows, keys, sides, draft }: Person,
  asking: number,
  found: MatchedContacts,
  { question: { row, other, otherSide }, answer }: AnsweredQuestion,
): string | undefined {
  if (!isAsShown(sides[asking], row)) return 'the row';
  if (other.kind === 'contact') {
    const contact = found.find((match) => match.contact.id === other.id)?.contact;
    const isSame =
      contact !== undefined && isAsShown(contactToComparedPerson(contact, draft.birthDateField), otherSide);
    return isSame ? undefined : `contact ${other.id}`;
  }
  // After the answer `different` the rows are separate people, so a change of the other row does not matter.
  // Rows without a key may have one memory key together, so the place finds the row, too; the key finds a moved one.
  const isOther = (place: RowPlace, n: number) =>
    n !== asking && (keys[n] === other.memoryKey || formatRowPlace(place) === formatRowPlace(other));
  const isSame =
    answer === 'different' ||
    rows.some((place, n) => isOther(place, n) && isOtherAsShown(sides[n], otherSide));
  return isSame ? undefined : formatRowPlace(other);
}

/** Compares a side with what its question shows, as identifiers are compared. */
function isAsShown(now: ComparedPerson | undefined, shown: ComparedPerson): boolean {
  return now !== undefined && isDeepStrictEqual(toComparableSide(now), toComparableSide(shown));
}

/** The same for the other row, of which a question shows only the identifiers that the mapping compares. */
function isOtherAsShown(now: ComparedPerson | undefined, shown: ComparedPerson): boolean {
  const { email, phone } = shown;
  return (
    now !== undefined &&
    isAsShown({ ...now, ...(email === null && { email }), ...(phone === null && { phone }) }, shown)
  );
}

function toComparableSide({ first, family, email, phone, birthDate }: ComparedPerson) {
  return { first, family, birthDate, email: toComparableEmail(email), phone: toComparablePhone(phone) };
}

/** Returns the name, e-mail, phone and date of birth of a contact, as questions show them. */
export function contactToComparedPerson(
  contact: Contact,
  birthDateField: string | undefined,
): ComparedPerson {
  const { firstName, lastName, email, phone } = contact;
  const birthDate = findBirthDateOfContact(contact, birthDateField);
  return { first: firstName, family: lastName, email, phone, ...(birthDate !== null && { birthDate }) };
}

function nameOf({ first, family, email, phone }: ComparedPerson): string {
  return [first, family].filter(Boolean).join(' ') || email || phone || 'without a name';
}

const words = { email: 'e-mail', phone: 'phone' } as const;
const comparable = { email: toComparableEmail, phone: toComparablePhone } as const;

/**
 * Returns the person without the identifiers (e-mail, phone) that belong to another person of the input, with a note
 * for each.
 */
export function removeSharedIdentifiers(person: Person): Person {
  const notes = kinds.flatMap((kind): readonly [MatchIdentifierKind, Problem][] => {
    const [place, value] = [person.shared[kind], person.draft.values.contact[kind]];
    if (place === undefined || !value) return [];
    return [[kind, sharedNote(kind, value, `belongs to another person, in ${formatRowPlace(place)}`)]];
  });
  return without(person, notes);
}

/**
 * Removes the e-mail and phone that contacts of other people have, unless a contact judged to be this person has them,
 * too. If the remembered contact is another person's, also removes what is remembered of the person.
 */
export function removeIdentifiersOfOthers(
  task: PersonTask,
  candidates: readonly ContactCandidate[],
): PersonTask {
  const { person, context } = task;
  const ofVerdict = (wanted: IdentityVerdict) =>
    candidates.filter(({ judgement }) => judgement.verdict === wanted);
  const [same, different] = [ofVerdict('same'), ofVerdict('different')];
  if (different.length === 0) return task;
  const notes = person.identifiers.flatMap(({ kind, value }): readonly [MatchIdentifierKind, Problem][] => {
    if (kind === 'id') return [];
    const has = ({ contact }: ContactCandidate) =>
      comparable[kind](contact[kind]) === comparable[kind](value);
    const other = different.find(has);
    if (other === undefined || same.some(has)) return [];
    return [[kind, sharedNote(kind, value, `is contact ${other.contact.id}, another person`)]];
  });
  const own = without(person, notes);
  // The key belongs to another person now, so what was applied under it says nothing about this one.
  const isDisowned =
    different.some(({ by }) => by.includes('id')) && !same.some(({ by }) => by.includes('id'));
  const remembered = isDisowned ? undefined : task.remembered;
  const hashes = hashFieldValues(person.draft.values);
  const left = Object.fromEntries(notes.flatMap(([kind]) => [[kind, hashes[kind] ?? '']]));
  return { ...task, person: own, remembered, left, values: selectPendingValues(context, own, remembered) };
}

/** Adds a note for each written contact that was matched by one weak identifier alone. */
export function addWeakMatchNotes(
  task: PersonTask,
  written: readonly Contact[],
  candidates: readonly ContactCandidate[],
): PersonTask {
  const alone = candidates.filter(
    ({ contact, judgement }) => judgement.alone && written.some(({ id }) => id === contact.id),
  );
  return {
    ...task,
    person: noting(
      task.person,
      alone.map(({ contact }) => aloneNote(contact)),
    ),
  };
}

function noting(person: Person, notes: readonly Problem[]): Person {
  if (notes.length === 0) return person;
  return { ...person, draft: { ...person.draft, dropped: [...notes, ...person.draft.dropped] } };
}

const kinds = ['email', 'phone'] as const;

function without(person: Person, notes: readonly (readonly [MatchIdentifierKind, Problem])[]): Person {
  if (notes.length === 0) return person;
  const left = new Set<string>(notes.map(([kind]) => kind));
  const { draft } = person;
  const contact = Object.fromEntries(
    Object.entries(draft.values.contact).filter(([name]) => !left.has(name)),
  );
  const own = { ...person, draft: { ...draft, values: { ...draft.values, contact } } };
  return {
    ...noting(
      own,
      notes.map(([, note]) => note),
    ),
    identifiers: person.identifiers.filter(({ kind }) => !left.has(kind)),
  };
}

function sharedNote(kind: MatchIdentifierKind, value: string, why: string): Problem {
  return {
    code: `${kind}.shared`,
    column: null,
    reason: `the ${words[kind]} ${value} ${why}: it is left out`,
  };
}

function aloneNote(contact: Contact): Problem {
  const by = contact.phone === null ? 'e-mail' : 'phone';
  const reason = `matched by ${by} alone: contact ${contact.id} has no other identifier`;
  return { code: 'identity.byPhoneAlone', column: null, reason };
}

/** Returns the result of a person without an identifier: questions about unanswered candidates, else rejected. */
export function finishWithoutIdentifier(
  task: PersonTask,
  candidates: readonly ContactCandidate[],
): FinishedPerson {
  const open = candidates.filter(({ isAnswered }) => !isAnswered);
  if (open.length > 0) return finishAsQuestion(task, open);
  const [note, ...dropped] = task.person.draft.dropped;
  const { code, reason } = note ?? { code: 'identity.missing', reason: 'nothing is left' };
  const problem = { code, column: null, reason: `${reason}, and nothing else says who the row is` };
  return finishAsRejected(
    { ...task, person: { ...task.person, draft: { ...task.person.draft, dropped } } },
    problem,
  );
}
