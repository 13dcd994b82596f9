import { toComparableIdentifier } from '../../identity/comparable.ts';
import type { Contact } from '../../model/contact.ts';
import { type Identifier, idToIdentifier, parseIdentifier } from '../../model/identifier.ts';
import type { WorkspaceReads } from '../../steps/port.ts';
import { numberColumn } from '../../storage/columns.ts';
import { hasRow, replaceRow, runSql, select } from '../../storage/sql.ts';
import { type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import type { CallWaitOptions } from '../../workspace/index.ts';
import { forEachConcurrently } from '../run/at-once.ts';
import { type ExpectedContact, readExpectedContactsPage } from './expected.ts';
import { contactListPageSize, type ReadBackMethod } from './reading.ts';

/**
 * Sets the contact of each entry whose contact id is unknown: a contact that was found by one of the entry's
 * identifiers, preferably one with the first name that was sent. Then applies later writes of other runs to these
 * entries, and joins entries that are the same contact.
 */
function claim(file: SqliteConnection): void {
  const claimAll = file.transaction(() => {
    runSql(file)`
      UPDATE subject SET contact = (
        SELECT met.contact FROM met JOIN found ON found.contact = met.contact WHERE met.subject = subject.number
        ORDER BY json_extract(found.body, '$.firstName') IS NOT subject.firstName, met.contact LIMIT 1)
      WHERE contact IS NULL`;
    file.exec(overtake);
    for (const { from, into } of doubles(file)) join(file, from, into);
  });
  claimAll();
}

/** On a conflict the later write wins. */
const later = `ON CONFLICT (subject, kind, name) DO UPDATE SET at = excluded.at, run = excluded.run, sure = excluded.sure,
  want = excluded.want, was = excluded.was WHERE excluded.at >= at`;

const overtake = `
INSERT INTO expected SELECT subject.number, later.kind, later.name, later.at, later.run, later.sure, later.want, later.was
  FROM subject JOIN later ON later.subject = subject.contact
  JOIN expected AS own ON own.subject = subject.number AND own.kind = later.kind AND own.name = later.name
  WHERE subject.number < 0 ${later}`;

/** Returns the pairs of entries that are the same contact. */
function doubles(file: SqliteConnection): readonly { readonly from: number; readonly into: number }[] {
  return select(file, { from: numberColumn, into: numberColumn })`
    SELECT subject.number AS "from", one.number AS "into" FROM subject JOIN (
      SELECT contact, max(number) AS number FROM subject WHERE contact IS NOT NULL GROUP BY contact HAVING count(*) > 1
    ) AS one ON one.contact = subject.contact WHERE subject.number <> one.number`;
}

function join(file: SqliteConnection, from: number, into: number): void {
  file
    .prepare<[number, number]>(
      `INSERT INTO expected SELECT ?, kind, name, at, run, sure, want, was FROM expected WHERE subject = ? ${later}`,
    )
    .run(into, from);
  runSql(file)`INSERT OR IGNORE INTO deferred SELECT ${into}, step FROM deferred WHERE subject = ${from}`;
  runSql(file)`
    UPDATE subject SET comments = subject.comments + other.comments, closings = subject.closings + other.closings,
      uncertain = subject.uncertain + other.uncertain,
      line = coalesce(subject.line, other.line), sheet = coalesce(subject.sheet, other.sheet),
      key = coalesce(subject.key, other.key)
    FROM subject AS other WHERE subject.number = ${into} AND other.number = ${from}`;
  runSql(file)`DELETE FROM expected WHERE subject = ${from}`;
  runSql(file)`DELETE FROM deferred WHERE subject = ${from}`;
  runSql(file)`DELETE FROM subject WHERE number = ${from}`;
}

const pageSize = 500;

/** The workspace to read, and the callback that gets the number of contacts already read. */
export interface ReadBackContext {
  readonly workspace: Pick<WorkspaceReads, 'contacts' | 'paginate'>;
  readonly concurrency: number;
  readonly progress: (read: number) => void;
}

/**
 * Reads the expected contacts into the file. With the method `list`, first reads the contact list, unless it turns out
 * to be too long. Then reads the contacts not found yet one by one, because the list may change while it is read.
 * Returns the method that was used.
 */
export async function readBackContacts(
  file: SqliteConnection,
  reading: ReadBackMethod,
  reader: ReadBackContext,
): Promise<ReadBackMethod['way']> {
  const whole = reading.way === 'list' && (await readList(file, reading.mostPages, reader));
  if (whole) withStorageErrors(file.name, () => claim(file));
  await readSingly(file, whole, reader);
  withStorageErrors(file.name, () => claim(file));
  return whole ? 'list' : 'single';
}

/** Reads the contact list; returns false if it is longer than `mostPages`. */
async function readList(
  file: SqliteConnection,
  mostPages: number,
  reader: ReadBackContext,
): Promise<boolean> {
  const { workspace, progress } = reader;
  const keep = keeper(file);
  const take = file.transaction((contacts: readonly Contact[]) => {
    for (const contact of contacts) keep(contact);
  });
  const list = (page: object) => workspace.contacts.list({ ...page, limit: contactListPageSize });
  let pages = 0;
  let read = 0;
  for await (const { items } of workspace.paginate(list)) {
    if (pages === mostPages) return false;
    pages += 1;
    withStorageErrors(file.name, () => take(items));
    read += items.length;
    progress(read);
  }
  return true;
}

/** Stores a contact that was read, if it is an expected one. */
type Keep = (contact: Contact) => void;

function keeper(file: SqliteConnection): Keep {
  const whose = file.prepare<[string | null], { subject: number }>(
    'SELECT subject FROM who WHERE identifier = ?',
  );
  const isWritten = file.prepare<[number]>('SELECT 1 FROM subject WHERE number = ?');
  return (contact) => {
    const { id, email, phone } = contact;
    const identifiers = [
      ...(email === null ? [] : [toComparableIdentifier({ kind: 'email', value: email })]),
      ...(phone === null ? [] : [toComparableIdentifier({ kind: 'phone', value: phone })]),
    ];
    const subjects = identifiers.flatMap((identifier) => whose.all(identifier));
    if (subjects.length === 0 && isWritten.get(id) === undefined) return;
    replaceRow(file, 'found', { contact: id, body: JSON.stringify(contact) });
    for (const { subject } of subjects) replaceRow(file, 'met', { subject, contact: id });
  };
}

/** Reads every expected contact that was not found; after a complete list, merged-away contacts are not read. */
async function readSingly(
  file: SqliteConnection,
  listIsWhole: boolean,
  reader: ReadBackContext,
): Promise<void> {
  let read = 0;
  const keep = keeper(file);
  await forEachConcurrently(
    reader.concurrency,
    openSubjects(file, listIsWhole),
    async (subject, withoutSlot) => {
      await readOne(file, subject, keep, reader, { withoutSlot });
      read += 1;
      if (!listIsWhole) reader.progress(read);
    },
  );
}

function* openSubjects(file: SqliteConnection, listIsWhole: boolean): Generator<ExpectedContact> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page = readExpectedContactsPage(file, after, pageSize);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.number;
    yield* page.filter((subject) => !isFound(file, subject) && !(listIsWhole && subject.mergedInto !== null));
  }
}

function isFound(file: SqliteConnection, { contact }: ExpectedContact): boolean {
  return contact !== null && hasRow(file)`SELECT 1 FROM found WHERE contact = ${contact}`;
}

async function readOne(
  file: SqliteConnection,
  subject: ExpectedContact,
  keep: Keep,
  { workspace }: ReadBackContext,
  waits: CallWaitOptions,
): Promise<void> {
  for (const identifier of addressesOf(subject)) {
    const answer = await workspace.contacts.read(identifier, { waits });
    if (answer.kind === 'absent') continue;
    if (answer.kind !== 'ok') {
      runSql(file)`UPDATE subject SET unread = ${answer.message} WHERE number = ${subject.number}`;
      return;
    }
    // A workspace may answer with the contact into which the requested one was merged: the requested one is gone.
    if (identifier.kind === 'id' && answer.value.id !== subject.contact) continue;
    withStorageErrors(file.name, () => keep(answer.value));
    // Stored even if no identifier matches exactly: the workspace may compare e-mail addresses and phones differently.
    if (subject.contact === null) {
      replaceRow(file, 'found', { contact: answer.value.id, body: JSON.stringify(answer.value) });
      replaceRow(file, 'met', { subject: subject.number, contact: answer.value.id });
    }
    return;
  }
}

function addressesOf({ contact, person }: ExpectedContact): readonly Identifier[] {
  if (contact !== null) return [idToIdentifier(contact)];
  const texts: unknown = JSON.parse(person ?? '[]');
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string').map(parseIdentifier) : [];
}
