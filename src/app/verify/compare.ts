import type { Contact } from '../../model/contact.ts';
import type { FieldComparator } from '../../steps/field-rules.ts';
import { jsonColumn } from '../../storage/columns.ts';
import { hasRow, replaceRow, selectOne } from '../../storage/sql.ts';
import { type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import { contactSchema } from '../../workspace/index.ts';
import { getContactFieldValue, isSameFieldValue, parseStoredValue } from '../run/written-value.ts';
import {
  type ExpectedContact,
  type ExpectedValue,
  readExpectedContactsPage,
  readExpectedValues,
} from './expected.ts';
import { listPossibleNormalisations, NormalisationCounter } from './normalised.ts';

const pageSize = 500;

/**
 * The verdict on a contact, or on one of its values. `notYet`: it waits for a deferred step, for tags that a user
 * imports by hand, or for a lost answer to be settled; `gone`: merged into another contact, as it should be.
 */
export type VerificationVerdict = 'matched' | 'different' | 'missing' | 'unread' | 'notYet' | 'gone';

/** The number of contacts by verdict; each contact counts once, under its worst verdict. */
export type ContactVerdictCounts = Readonly<Record<VerificationVerdict, number>>;

export interface ContactComparisonResult {
  readonly contacts: ContactVerdictCounts;
  /** The number of compared values by verdict. */
  readonly values: Readonly<Record<'matched' | 'different' | 'notYet', number>>;
  /** The number of values whose last writer is a run outside the scope. */
  readonly byLaterRun: number;
  readonly normalisation: NormalisationCounter;
}

/**
 * Compares every contact with its expected values, and writes the differences into the table `result` of the
 * database.
 */
export async function compareExpectedContacts(
  file: SqliteConnection,
  rules: FieldComparator,
  isLater: (run: number) => boolean,
): Promise<ContactComparisonResult> {
  const contacts = { matched: 0, different: 0, missing: 0, unread: 0, notYet: 0, gone: 0 };
  const values = { matched: 0, different: 0, notYet: 0 };
  const normalisation = new NormalisationCounter();
  let byLaterRun = 0;
  const comparePage = file.transaction((page: readonly ExpectedContact[]) => {
    for (const subject of page) {
      const compared = compareContact(file, subject, rules, normalisation);
      contacts[compared.verdict] += 1;
      for (const { verdict, run } of compared.values) {
        values[verdict] += 1;
        if (isLater(run)) byLaterRun += 1;
      }
    }
  });
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = readExpectedContactsPage(file, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return { contacts, values, byLaterRun, normalisation };
    after = last.number;
    withStorageErrors(file.name, () => comparePage(page));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

type ValueVerdict = 'matched' | 'different' | 'notYet';

interface ContactCompared {
  readonly verdict: VerificationVerdict;
  readonly values: readonly { readonly verdict: ValueVerdict; readonly run: number }[];
}

function compareContact(
  file: SqliteConnection,
  subject: ExpectedContact,
  rules: FieldComparator,
  normalisation: NormalisationCounter,
): ContactCompared {
  const whole = verdictOfWhole(file, subject);
  if (whole.verdict !== undefined) {
    const { number, run } = subject;
    replaceRow(file, 'result', { subject: number, kind: '', name: '', ...whole, run });
    return { verdict: whole.verdict, values: [] };
  }
  const values = readExpectedValues(file, subject.number).map((expected) => ({
    verdict: compareValue(file, subject, whole.contact, expected, rules, normalisation),
    run: expected.run,
  }));
  if (values.some(({ verdict }) => verdict === 'different')) return { verdict: 'different', values };
  const isDeferred = hasRow(file)`SELECT 1 FROM deferred WHERE subject = ${subject.number}`;
  const waits = isDeferred || values.some(({ verdict }) => verdict === 'notYet');
  return { verdict: waits ? 'notYet' : 'matched', values };
}

type Whole =
  | { readonly verdict: undefined; readonly contact: Contact }
  | { readonly verdict: 'missing' | 'unread' | 'gone' | 'different' | 'notYet'; readonly cause: string };

/** Returns the verdict on a contact that cannot be compared by value; otherwise the contact as it was read back. */
function verdictOfWhole(file: SqliteConnection, subject: ExpectedContact): Whole {
  const { unread, mergedInto, sure } = subject;
  const contact = foundOf(file, subject.contact);
  if (mergedInto !== null) {
    if (contact === undefined)
      return unread === null
        ? { verdict: 'gone', cause: `merged into ${mergedInto}` }
        : { verdict: 'unread', cause: unread };
    // The API does not specify which of two merged contacts remains.
    const hasOther = hasRow(file)`SELECT 1 FROM subject WHERE number = ${mergedInto}`;
    return hasOther && foundOf(file, mergedInto) === undefined
      ? { verdict: 'gone', cause: `merged with ${mergedInto}` }
      : { verdict: 'different', cause: 'lost' };
  }
  if (contact !== undefined) return { verdict: undefined, contact };
  if (unread !== null) return { verdict: 'unread', cause: unread };
  const other = mergedAway(file, subject.number);
  if (other !== undefined) return { verdict: undefined, contact: other };
  return sure === 0 ? { verdict: 'notYet', cause: 'inFlight' } : { verdict: 'missing', cause: 'missing' };
}

const foundColumns = { body: jsonColumn(contactSchema) };

/**
 * Returns the contact that was merged into this one, if the workspace kept that contact instead; otherwise undefined.
 */
function mergedAway(file: SqliteConnection, number: number): Contact | undefined {
  return selectOne(file, foundColumns)`
    SELECT body FROM subject JOIN found ON found.contact = subject.contact WHERE mergedInto = ${number} LIMIT 1`
    ?.body;
}

function foundOf(file: SqliteConnection, contact: number | null): Contact | undefined {
  if (contact === null) return undefined;
  return selectOne(file, foundColumns)`SELECT body FROM found WHERE contact = ${contact}`?.body;
}

function compareValue(
  file: SqliteConnection,
  subject: ExpectedContact,
  contact: Contact,
  expected: ExpectedValue,
  rules: FieldComparator,
  normalisation: NormalisationCounter,
): ValueVerdict {
  const { kind, name, run, sure, at } = expected;
  const field = JSON.stringify([kind, name]);
  const want = parseStoredValue(expected.want);
  const found = getContactFieldValue(contact, kind, name, want);
  if (isSameFieldValue(kind, name, found, want, rules)) {
    if ((kind === 'contact' || kind === 'custom') && String(found) === String(want)) {
      normalisation.kept(field, want);
    }
    return 'matched';
  }
  const changes = kind === 'contact' || kind === 'custom' ? listPossibleNormalisations(want, found) : [];
  const waits = kind === 'fileTag' ? 'tagsByFile' : sure === 0 ? 'inFlight' : undefined;
  const isOld =
    expected.was !== null &&
    isSameFieldValue(kind, name, found, parseStoredValue(expected.was), rules) &&
    kind !== 'fileTag';
  if (waits === undefined && !isOld) normalisation.changed(field, changes);
  const overtaken = subject.mergedAt !== null && subject.mergedAt > at ? 'merged' : undefined;
  replaceRow(file, 'result', {
    ...{ subject: subject.number, kind, name, run },
    verdict: waits === undefined ? 'different' : 'notYet',
    cause: waits ?? overtaken ?? (isOld ? 'lost' : 'edited'),
    want: expected.want,
    found: JSON.stringify(found),
    was: expected.was,
    changes: JSON.stringify(changes),
  });
  return waits === undefined ? 'different' : 'notYet';
}
