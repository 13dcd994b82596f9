import { toComparableIdentifier } from '../../identity/comparable.ts';
import { formatIdentifier, type Identifier } from '../../model/identifier.ts';
import { enumColumn, nullableColumn, numberColumn, textColumn } from '../../storage/columns.ts';
import { hasRow, insertRow, replaceRow, runSql, select, selectCount } from '../../storage/sql.ts';
import { createScratchDatabase, type SqliteConnection } from '../../storage/sqlite.ts';
import { type WrittenValue, type WrittenValueKind, writtenValueKinds } from '../run/written.ts';

const tables = `
CREATE TABLE subject (                -- a contact that was written
  number    INTEGER PRIMARY KEY,      -- the contact's id; negative if it was unknown at first
  contact   INTEGER,                  -- the contact's id; null while it is unknown
  run       INTEGER NOT NULL,         -- the run and row that wrote it first
  line      INTEGER,
  sheet     TEXT,
  key       TEXT,
  person    TEXT,                     -- JSON of identifier texts, in their order
  firstName TEXT,
  sure      INTEGER NOT NULL,         -- 0 if no write of it was answered
  mergedInto INTEGER,                 -- the contact that it was merged into
  mergedAt  INTEGER,                  -- the time another contact was merged into it
  comments  INTEGER NOT NULL DEFAULT 0,
  closings  INTEGER NOT NULL DEFAULT 0,
  uncertain INTEGER NOT NULL DEFAULT 0, -- comments that may have been added
  unread    TEXT                      -- why it could not be read
) STRICT;
CREATE TABLE expected (               -- the value that was written last
  subject   INTEGER NOT NULL,
  kind      TEXT NOT NULL,
  name      TEXT NOT NULL,
  at        INTEGER NOT NULL,
  run       INTEGER NOT NULL,
  sure      INTEGER NOT NULL,
  want      TEXT NOT NULL,            -- JSON
  was       TEXT,                     -- JSON; null where it is unknown
  PRIMARY KEY (subject, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE later (                  -- values of runs outside the scope (see writeLater)
  subject   INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL, run INTEGER NOT NULL,
  sure      INTEGER NOT NULL, want TEXT NOT NULL, was TEXT,
  PRIMARY KEY (subject, kind, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE deferred (subject INTEGER NOT NULL, step TEXT NOT NULL, PRIMARY KEY (subject, step)) STRICT, WITHOUT ROWID;
CREATE TABLE who (identifier TEXT NOT NULL, subject INTEGER NOT NULL, PRIMARY KEY (identifier, subject)) STRICT, WITHOUT ROWID;
CREATE TABLE found (contact INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE met (subject INTEGER NOT NULL, contact INTEGER NOT NULL, PRIMARY KEY (subject, contact)) STRICT, WITHOUT ROWID;
CREATE TABLE result (                 -- what differs or could not be compared
  subject   INTEGER NOT NULL,
  kind      TEXT NOT NULL,            -- empty for the contact as a whole
  name      TEXT NOT NULL,
  verdict   TEXT NOT NULL,
  cause     TEXT NOT NULL,
  run       INTEGER,
  want      TEXT,                     -- JSON
  found     TEXT,                     -- JSON
  was       TEXT,                     -- JSON
  changes   TEXT,                     -- JSON: the possible normalisations of the value
  PRIMARY KEY (subject, kind, name)
) STRICT, WITHOUT ROWID;
`;

/** A contact that the runs in scope wrote: a row of the table `subject`. */
export interface ExpectedContact {
  readonly number: number;
  readonly contact: number | null;
  readonly run: number;
  readonly line: number | null;
  /** The row's sheet, if several sheets are one input. */
  readonly sheet: string | null;
  readonly key: string | null;
  readonly person: string | null;
  readonly firstName: string | null;
  readonly sure: number;
  readonly mergedInto: number | null;
  readonly mergedAt: number | null;
  readonly comments: number;
  readonly closings: number;
  readonly uncertain: number;
  readonly unread: string | null;
}

/** The value that a field of a contact should have: a row of the table `expected`. */
export interface ExpectedValue {
  readonly kind: WrittenValueKind;
  readonly name: string;
  readonly at: number;
  readonly run: number;
  readonly sure: number;
  readonly want: string;
  readonly was: string | null;
}

/** The run and the row that wrote a value, and the time; `sure` is true if the answer arrived. */
export interface WriteOrigin {
  readonly run: number;
  readonly line: number | null;
  /** The row's sheet, if several sheets are one input. */
  readonly sheet: string | null;
  readonly key: string | null;
  readonly at: number;
  readonly sure: boolean;
}

/** The expected values by contact, in a scratch database, so that memory does not grow with their number. */
export interface ExpectedContactStore {
  readonly file: SqliteConnection;
  /** Adds a contact that was written; returns its number, which is its id. */
  add(contact: number, writer: WriteOrigin): number;
  /** Adds a created contact whose id is unknown; returns its number, which is negative. */
  addCreated(identifiers: readonly Identifier[], firstName: string, writer: WriteOrigin): number;
  has(contact: number): boolean;
  /** True if an expected value of this field is recorded for the contact. */
  hasValue(subject: number, value: Pick<WrittenValue, 'kind' | 'name'>): boolean;
  /** Records a written value, unless a later write of the same field is recorded. */
  write(subject: number, value: WrittenValue, writer: WriteOrigin): void;
  /**
   * Records a value that a run outside the scope wrote to `contact`; it counts only if a contact of unknown id turns
   * out to be this one.
   */
  writeLater(contact: number, value: WrittenValue, writer: WriteOrigin): void;
  /** True if a contact of unknown id was added. */
  hasUnknown(): boolean;
  gone(subject: number, into: number): void;
  tookOver(subject: number, at: number): void;
  unseen(subject: number, what: 'comment' | 'closing' | 'uncertain'): void;
  deferred(subject: number, step: string): void;
  /** Records a deferred step for each contact of unknown id that has one of these identifiers. */
  deferredOf(identifiers: readonly Identifier[], step: string): void;
  count(): number;
}

/** Creates the scratch database of expected values, replacing an existing one. */
export function createExpectedContactStore(path: string): ExpectedContactStore {
  const file = createScratchDatabase(path);
  file.exec(tables);
  const addSubject = file.prepare<
    [number, number, number, number | null, string | null, string | null, number]
  >(
    `INSERT INTO subject (number, contact, run, line, sheet, key, sure) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (number) DO UPDATE SET sure = max(sure, excluded.sure),
       line = coalesce(line, excluded.line), sheet = coalesce(sheet, excluded.sheet), key = coalesce(key, excluded.key)`,
  );
  const writeTo = (table: 'expected' | 'later') =>
    file.prepare(
      `INSERT INTO ${table} (subject, kind, name, at, run, sure, want, was) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (subject, kind, name) DO UPDATE SET at = excluded.at, run = excluded.run, sure = excluded.sure,
       want = excluded.want, was = excluded.was WHERE excluded.at >= at`,
    );
  const [own, later] = [writeTo('expected'), writeTo('later')];
  let created = 0;
  return {
    file,
    add(contact, { run, line, sheet, key, sure }) {
      addSubject.run(contact, contact, run, line, sheet, key, sure ? 1 : 0);
      return contact;
    },
    addCreated(identifiers, firstName, { run, line, sheet, key, sure }) {
      created += 1;
      const number = -created;
      const person = JSON.stringify(identifiers.map(formatIdentifier));
      insertRow(file, 'subject', { number, run, line, sheet, key, person, firstName, sure: sure ? 1 : 0 });
      for (const identifier of identifiers) {
        const comparable = toComparableIdentifier(identifier);
        if (comparable !== null) replaceRow(file, 'who', { identifier: comparable, subject: number });
      }
      return number;
    },
    has: (contact) => hasRow(file)`SELECT 1 FROM subject WHERE number = ${contact}`,
    hasValue: (subject, { kind, name }) =>
      hasRow(file)`
        SELECT 1 FROM expected WHERE subject = ${subject} AND kind = ${kind} AND name = ${nameOf(kind, name)}`,
    write: (subject, value, writer) => void own.run(...columnsOf(subject, value, writer)),
    writeLater: (contact, value, writer) => void later.run(...columnsOf(contact, value, writer)),
    hasUnknown: () => created > 0,
    gone: (subject, into) => runSql(file)`UPDATE subject SET mergedInto = ${into} WHERE number = ${subject}`,
    tookOver: (subject, at) => runSql(file)`UPDATE subject SET mergedAt = ${at} WHERE number = ${subject}`,
    unseen(subject, what) {
      if (what === 'comment')
        runSql(file)`UPDATE subject SET comments = comments + 1 WHERE number = ${subject}`;
      else if (what === 'uncertain')
        runSql(file)`UPDATE subject SET uncertain = uncertain + 1 WHERE number = ${subject}`;
      else runSql(file)`UPDATE subject SET closings = closings + 1 WHERE number = ${subject}`;
    },
    deferred: (subject, step) => replaceRow(file, 'deferred', { subject, step }),
    deferredOf(identifiers, step) {
      for (const identifier of identifiers)
        runSql(file)`INSERT OR IGNORE INTO deferred (subject, step)
          SELECT subject, ${step} FROM who WHERE identifier = ${toComparableIdentifier(identifier)}`;
    },
    count: () => selectCount(file)`SELECT count(*) AS n FROM subject`,
  };
}

function columnsOf(subject: number, { kind, name, want, was }: WrittenValue, { at, run, sure }: WriteOrigin) {
  const before = was === undefined ? null : JSON.stringify(was);
  return [subject, kind, nameOf(kind, name), at, run, sure ? 1 : 0, JSON.stringify(want), before];
}

/**
 * Returns the name to compare by: tags are compared case-insensitively, as a workspace may keep their first spelling.
 */
function nameOf(kind: WrittenValueKind, name: string): string {
  return kind === 'tag' || kind === 'fileTag' ? name.toLowerCase() : name;
}

const subjectColumns = {
  number: numberColumn,
  contact: nullableColumn(numberColumn),
  run: numberColumn,
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  person: nullableColumn(textColumn),
  firstName: nullableColumn(textColumn),
  sure: numberColumn,
  mergedInto: nullableColumn(numberColumn),
  mergedAt: nullableColumn(numberColumn),
  comments: numberColumn,
  closings: numberColumn,
  uncertain: numberColumn,
  unread: nullableColumn(textColumn),
};

/** Returns up to `limit` contacts with a number above `after`, in order. */
export function readExpectedContactsPage(
  file: SqliteConnection,
  after: number,
  limit: number,
): readonly ExpectedContact[] {
  return select(
    file,
    subjectColumns,
  )`SELECT * FROM subject WHERE number > ${after} ORDER BY number LIMIT ${limit}`;
}

const expectedColumns = {
  kind: enumColumn(writtenValueKinds),
  name: textColumn,
  at: numberColumn,
  run: numberColumn,
  sure: numberColumn,
  want: textColumn,
  was: nullableColumn(textColumn),
};

/** Returns the expected values of a contact. */
export function readExpectedValues(file: SqliteConnection, subject: number): readonly ExpectedValue[] {
  return select(file, expectedColumns)`
    SELECT kind, name, at, run, sure, want, was FROM expected WHERE subject = ${subject}`;
}
