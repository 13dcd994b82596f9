import { isSameContactFieldValue } from '../../../datatypes/index.ts';
import { toComparableEmail, toComparableFurther, toComparablePhone } from '../../../identity/comparable.ts';
import {
  haveDifferentBirthDates,
  type IdentityEvidence,
  type IdentityJudgement,
  type IdentityVerdict,
  judgeSamePerson,
} from '../../../identity/evidence.ts';
import type { MatchedContacts, MatchIdentifierKind } from '../../../identity/look-up.ts';
import { compareNames, hasNameInCommon, type PersonName } from '../../../identity/names.ts';
import type { KnownKey, QuestionAnswer } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import {
  formatIdentifier,
  type Identifier,
  idToIdentifier,
  parseIdentifier,
} from '../../../model/identifier.ts';
import type { ImportContext } from '../context.ts';
import { judgeRememberedKey } from './memory.ts';
import { findBirthDateOfContact, type Person } from './person.ts';
import type { PersonProgress, PersonTask } from './progress.ts';
import { listApprovedContactIds } from './proposals.ts';

/** A contact that a person leads to, and the judgement whether they are the same. */
export interface ContactCandidate {
  readonly contact: Contact;
  /** The identifiers that led to it. */
  readonly by: readonly MatchedContacts[number]['by'][];
  readonly judgement: IdentityJudgement;
  /** True if an answer decided, or if `policy.unsure` rules out questions. */
  readonly isAnswered: boolean;
}

/** Judges every contact that a person leads to (docs: One person, by evidence). */
export function judgeCandidates(
  task: PersonTask,
  progress: PersonProgress,
  found: MatchedContacts,
): readonly ContactCandidate[] {
  const contacts = new Map(found.map(({ contact }) => [contact.id, contact]));
  const candidates = [...contacts.values()].map((contact) => {
    const by = found.flatMap((match) => (match.contact.id === contact.id ? [match.by] : []));
    return { contact, by, ...decideOn(task, progress, contact, by) };
  });
  return task.context.policy.unsure === 'same' ? sameWhereNothingIsLeft(task, candidates) : candidates;
}

/**
 * Returns the candidates under `unsure: same`: if all are judged other people and together have every identifier of the
 * person, those without an answer count as the same person.
 */
function sameWhereNothingIsLeft(
  { context, person }: PersonTask,
  candidates: readonly ContactCandidate[],
): readonly ContactCandidate[] {
  const others = candidates.filter(({ judgement }) => judgement.verdict === 'different');
  const isOthers = ({ kind, value }: Identifier) =>
    kind !== 'id' && others.some(({ contact }) => isSameContactFieldValue(kind, contact[kind], value));
  if (others.length < candidates.length || !person.identifiers.every(isOthers)) return candidates;
  return candidates.map((each) =>
    answerAbout(context, person, each.contact) === undefined
      ? { ...each, judgement: { ...each.judgement, verdict: 'same' } }
      : each,
  );
}

const certain: IdentityJudgement = {
  verdict: 'same',
  equal: [],
  names: 'match',
  birthDatesDiffer: false,
  strong: true,
  alone: false,
};

function decideOn(
  task: PersonTask,
  progress: PersonProgress,
  contact: Contact,
  by: ContactCandidate['by'],
): Pick<ContactCandidate, 'judgement' | 'isAnswered'> {
  const { context, person } = task;
  const { samePerson, unsure } = context.policy;
  if (samePerson === 'identifier' || isWritten(task, progress, contact))
    return { judgement: certain, isAnswered: false };
  const judgement = judgeContact(task, contact, by);
  const answer =
    answerAbout(context, person, contact) ??
    (judgement.verdict === 'ask' ? answerAboutRowOf(context, person, contact) : undefined);
  if (answer !== undefined) return { judgement: { ...judgement, verdict: answer }, isAnswered: true };
  if (judgement.verdict !== 'ask') return { judgement, isAnswered: unsure !== 'review' };
  // A row that has already written counts as the same person: the values that it wrote may have been edited since.
  const verdict: IdentityVerdict = progress.did !== undefined ? 'same' : unsure === 'review' ? 'ask' : unsure;
  return { judgement: { ...judgement, verdict }, isAnswered: unsure !== 'review' };
}

/**
 * Returns true if the row was merged into this contact, if an update of the row may have been sent to it, or if an
 * approved merge of the row includes it.
 */
function isWritten(
  { context, person }: PersonTask,
  { mergedInto, inFlight }: PersonProgress,
  { id }: Contact,
) {
  const ids = [mergedInto?.id, inFlight?.effect.contactId, ...listApprovedContactIds(context, person)];
  return ids.includes(id);
}

/** Returns the answer about one of the rows and a contact, from this run's list or an earlier one. */
function answerAbout(
  { scope, journal }: ImportContext,
  { rows, keys }: Person,
  { id }: Contact,
): QuestionAnswer | undefined {
  const listed = rows.flatMap((row) => scope.answersOf?.(row) ?? []);
  const now = listed.find(({ question: { other } }) => other.kind === 'contact' && other.id === id);
  if (now !== undefined) return now.answer;
  const before = keys.map((key) => journal.answers.find(key, formatIdentifier(idToIdentifier(id))));
  return before.includes('same') ? 'same' : before.find((each) => each !== undefined);
}

/**
 * Returns the answer about one of the rows and a row whose contact this is: the input may not have that row any more,
 * and then the contact itself is what is asked about.
 */
function answerAboutRowOf(
  { journal }: ImportContext,
  { keys }: Person,
  contact: Contact,
): QuestionAnswer | undefined {
  const isOnContact = (text: string) => {
    const { kind, value } = parseIdentifier(text);
    return kind === 'id' ? value === String(contact.id) : isSameContactFieldValue(kind, contact[kind], value);
  };
  const isOfContact = (key: string) => {
    const record = journal.known.find(key);
    if (record === undefined || record.contact !== null) return record?.contact === contact.id;
    return record.identifiers.length > 0 && record.identifiers.every(isOnContact);
  };
  const answers = keys
    .flatMap((key) => journal.answers.about(key))
    .flatMap(({ other, answer }) => (isOfContact(other) ? [answer] : []));
  return answers.includes('same') ? 'same' : answers[0];
}

function judgeContact(task: PersonTask, contact: Contact, by: ContactCandidate['by']): IdentityJudgement {
  const { person, remembered } = task;
  const isKnown = by.includes('id');
  const isNamed = ({ first, family }: PersonName) => first !== null || family !== null;
  // A row without a name is no evidence against the name in another row of the same person.
  const sides = person.sides.some(isNamed) ? person.sides.filter(isNamed) : person.sides;
  const judgeAll = (key: string | null, otherIs: 'row' | 'contact') => {
    const other = { ...contactEvidence(person, contact), key };
    const judged = sides.map((side) =>
      judgeAs(person, { ...rowEvidence(person, side, other), key }, other, otherIs),
    );
    return best(judged);
  };
  if (isKnown) {
    if (keysOfOthers(task, contact).some(({ isOurs }) => isOurs) || isOfNamesake(person, contact)) {
      // The keys of several rows lead to the contact, so they do not tell whose it is.
      const judged = judgeAll(null, 'row');
      const by = [rememberedBy(person), ...judged.equal];
      const equal = evidenceKinds.filter((kind) => by.includes(kind));
      return judged.verdict === 'same' ? judged : { ...judged, verdict: 'ask', equal };
    }
    if (remembered !== undefined && judgeRememberedKey(person.draft, remembered) === 'same')
      return { ...certain, equal: ['key'] };
    return judgeAll('key', 'contact');
  }
  const judged = judgeAll(null, 'contact');
  // The contact already belongs to another row: an equal identifier alone is not enough, so it is judged like that row.
  return judged.alone && keysOfOthers(task, contact).length > 0 ? judgeAll(null, 'row') : judged;
}

const evidenceKinds = ['key', 'email', 'phone'] as const;

/** Returns what a person is remembered by: its key or, if its rows have none, its e-mail or phone. */
function rememberedBy({ keys }: Person): (typeof evidenceKinds)[number] {
  const kinds = keys.map((key) => key.slice(0, key.indexOf(':')));
  return evidenceKinds.find((kind) => kinds.includes(kind)) ?? 'key';
}

/**
 * Returns true if the contact remembered for a person without a key may belong to another row that shares an
 * identifier: the contact has the name of that row, and not that of this person.
 */
function isOfNamesake(person: Person, contact: Contact): boolean {
  if (rememberedBy(person) === 'key' || person.rivals.length === 0) return false;
  const named = contactEvidence(person, contact);
  const isNamed = (name: PersonName) => hasNameInCommon(compareNames(name, named));
  return person.rivals.some(isNamed) && !person.sides.some(isNamed);
}

/** Returns the keys of other rows, under this mapping or another one, that lead to this contact. */
function keysOfOthers({ context, person }: PersonTask, contact: Contact): readonly KnownKey[] {
  const { known } = context.journal;
  const alone = [...person.lookedUpBy, ...person.furtherLookedUpBy].flatMap((identifier) =>
    known.keysOfAlone(formatIdentifier(identifier)),
  );
  return [...known.keysOf(contact.id), ...alone].filter(
    ({ key, isOurs }) => !isOurs || !person.keys.includes(key),
  );
}

/**
 * Returns the judgement of a row. If other rows have the same identifier, the contact belongs to the row with the
 * contact's name and no other date of birth, to the first of several such rows, or, if there is none, to the row that
 * owns the identifier.
 */
function judgeAs(
  { shared, rivals }: Person,
  row: IdentityEvidence,
  other: IdentityEvidence,
  otherIs: 'row' | 'contact',
): IdentityJudgement {
  const judged = judgeSamePerson(row, other, otherIs);
  const { equal } = judged;
  const isBearer = (one: PersonName & Pick<IdentityEvidence, 'birthDate'>) =>
    compareNames(one, other) === 'match' && !haveDifferentBirthDates(one, other);
  const isShared = (kind: IdentityJudgement['equal'][number]) => kind !== 'key' && shared[kind] !== undefined;
  const ofValue = rivals.filter(({ kind }) => equal.includes(kind));
  if (equal.some((kind) => !isShared(kind) && ofValue.every((rival) => rival.kind !== kind))) return judged;
  const bearers = ofValue.filter(isBearer);
  if (isBearer(row) ? bearers.some(({ isBefore }) => isBefore) : bearers.length > 0)
    return { ...judged, alone: false, verdict: 'different' };
  if (!equal.some(isShared)) return judged;
  return { ...judged, alone: false, verdict: isBearer(row) ? 'same' : 'different' };
}

const order: readonly IdentityVerdict[] = ['same', 'ask', 'different', 'reused'];

/** Returns the best judgement of a person's rows: each may have another name or e-mail. */
function best(judged: readonly IdentityJudgement[]): IdentityJudgement {
  const ranked = [...judged].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return ranked[0] ?? certain;
}

/** Returns the evidence of a contact; a default name that the mapping writes does not count as a name. */
function contactEvidence({ draft }: Person, contact: Contact): IdentityEvidence {
  const { firstName, lastName } = draft.defaults.contact;
  const named = (value: string | null, otherwise: string | null | undefined) =>
    value === otherwise ? null : value;
  return {
    key: null,
    first: named(contact.firstName, firstName),
    family: named(contact.lastName, lastName),
    birthDate: findBirthDateOfContact(contact, draft.birthDateField),
    email: toComparableEmail(contact.email),
    phone: toComparablePhone(contact.phone),
  };
}

/**
 * Returns the evidence of a row with its person's look-up identifiers; of several e-mails or phones, the one that the
 * contact has, else the first.
 */
function rowEvidence(
  { lookedUpBy, furtherLookedUpBy }: Person,
  { first, family, birthDate = null }: PersonName & Pick<IdentityEvidence, 'birthDate'>,
  other: IdentityEvidence,
): IdentityEvidence {
  const comparable = { email: toComparableEmail, phone: toComparablePhone };
  const value = (kind: MatchIdentifierKind) => {
    const own = lookedUpBy.flatMap((each) => (each.kind === kind ? [comparable[kind](each.value)] : []));
    return own.includes(other[kind]) ? other[kind] : (own[0] ?? null);
  };
  const further = toComparableFurther(furtherLookedUpBy);
  return { key: null, first, family, birthDate, email: value('email'), phone: value('phone'), further };
}

/**
 * Returns true if two contacts are one person by their names and the row's identifiers, judged both ways because a
 * merge cannot be undone; always true under `samePerson: identifier`.
 */
export function areSamePerson(
  { context, person }: PersonTask,
  one: ContactCandidate,
  other: ContactCandidate,
): boolean {
  const { samePerson, unsure } = context.policy;
  if (samePerson === 'identifier') return true;
  const asked = unsure === 'same' ? ['same', 'ask'] : ['same'];
  const judged = (named: ContactCandidate, leadsTo: ContactCandidate, otherIs: 'row' | 'contact') => {
    const to = { ...contactEvidence(person, leadsTo.contact), key: leadsTo.by.includes('id') ? 'key' : null };
    const row = rowEvidence(person, contactEvidence(person, named.contact), to);
    return judgeSamePerson({ ...row, key: to.key }, to, otherIs);
  };
  const both = (otherIs: 'row' | 'contact') => [judged(one, other, otherIs), judged(other, one, otherIs)];
  const asContacts = both('contact');
  // Two contacts with one phone may be two people, whatever the row says: they are judged like two rows, by their
  // names.
  const judgements = asContacts.every(({ alone }) => alone) ? both('row') : asContacts;
  return judgements.every(({ verdict }) => asked.includes(verdict));
}
