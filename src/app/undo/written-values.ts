import { toComparableIdentifier } from '../../identity/comparable.ts';
import {
  type JournalDatabase,
  listImportsAndUndos,
  type RunRecord,
  type WrittenStep,
} from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import type { Identifier } from '../../model/identifier.ts';
import {
  enumColumn,
  flagColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  textColumn,
} from '../../storage/columns.ts';
import { hasRow, replaceRow, runSql, select, selectCount } from '../../storage/sql.ts';
import { createScratchDatabase, type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import type { WrittenEffects } from '../run/written.ts';
import { visitWrittenEffects } from '../run/written-pages.ts';
import { parseStoredValue } from '../run/written-value.ts';
import {
  type RevertCandidate,
  type RevertibleValueName,
  revertibleValueKinds,
  toValueColumnName,
} from './decide.ts';
import { parseFieldHashChanges, type RememberedField } from './memory.ts';
import { findWriteStatus, type UndoneRunByUndo, type ValueWrite } from './write-status.ts';

/**
 * The tolerance for clock differences (ms). The run cannot have created a contact that is older than the run by more
 * than this.
 */
const clocksDifferMs = 10 * 60_000;

const tables = `
CREATE TABLE subject (                -- a contact that the run wrote to and did not create
  contact    INTEGER PRIMARY KEY,
  line       INTEGER,                 -- its first row
  sheet      TEXT,
  key        TEXT,
  identifier TEXT
) STRICT;
CREATE TABLE writing (                -- each write of a value of a subject, by this and by other runs
  contact    INTEGER NOT NULL,
  kind       TEXT NOT NULL,
  name       TEXT NOT NULL,
  at         INTEGER NOT NULL,
  n          INTEGER PRIMARY KEY,
  run        INTEGER NOT NULL,
  want       TEXT NOT NULL,           -- JSON
  was        TEXT,                    -- JSON; null where it is unknown
  merged     INTEGER NOT NULL
) STRICT;
CREATE INDEX writing_value ON writing (contact, kind, name, at, n);
CREATE TABLE remembered (             -- the keys that remember a written field, with the hash after the revert
  contact INTEGER NOT NULL, field TEXT NOT NULL, key TEXT NOT NULL, hash TEXT,
  PRIMARY KEY (contact, field, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE own (contact INTEGER PRIMARY KEY) STRICT;       -- the contacts that the run created
CREATE TABLE own_row (seq INTEGER PRIMARY KEY) STRICT;       -- the rows that created them
CREATE TABLE of_row (seq INTEGER NOT NULL, contact INTEGER NOT NULL, PRIMARY KEY (seq, contact)) STRICT, WITHOUT ROWID;
-- the identifiers of created contacts whose ids are unknown
CREATE TABLE own_identifier (identifier TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE gone (contact INTEGER PRIMARY KEY) STRICT;      -- the contacts that the run merged into others
`;

/** A contact that a run wrote to. */
export interface WrittenContact {
  /** The id of the contact. */
  readonly contact: number;
  /** The line of its first row in the input; null if the run did not finish that row. */
  readonly line: number | null;
  /** The sheet of that row, if several sheets are one input. */
  readonly sheet: string | null;
  /** The key of that row. */
  readonly key: string | null;
  /** The contact's identifier in that row: `email:…` or `phone:…`. */
  readonly identifier: string | null;
}

/**
 * The values that a run wrote to existing contacts, in a scratch database, so that memory does not grow with their
 * number.
 */
export interface WrittenValueStore {
  readonly file: SqliteConnection;
  count(): number;
  /** Returns up to `limit` contacts with an id above `after`, in order. */
  subjectsAfter(after: number, limit: number): readonly WrittenContact[];
  valuesOf(contact: number): readonly RevertCandidate[];
  rememberedOf(contact: number): readonly RememberedField[];
  /**
   * True if the run probably created the contact, judged by the contact's identifiers and creation time: a create may
   * have returned no id.
   */
  isOwn(contact: Contact): boolean;
  /** True for a contact that was there before the run, which wrote to it. */
  isSubject(contact: number): boolean;
}

/**
 * Collects the values that a run wrote, and those that later or concurrent runs wrote to the same contacts, into the
 * scratch database `path`. Writes of the run with the number `except` are left out.
 */
export async function collectWrittenValues(
  journal: JournalDatabase,
  path: string,
  run: RunRecord,
  except: number | undefined,
): Promise<WrittenValueStore> {
  const file = createScratchDatabase(path);
  file.exec(tables);
  await visitWrittenEffects(journal, run, file, (step, written) => take(file, run, step, written));
  withStorageErrors(file.name, () => file.exec(leaveOut));
  const others = listImportsAndUndos(journal, run.workspace).filter(
    ({ number }) => number !== run.number && number !== except,
  );
  const undoes = undoesOf([run, ...others]);
  for (const other of others.filter((each) => mayBeLater(each, run))) {
    await visitWrittenEffects(journal, other, file, (step, { contact, values, gone }) => {
      if (contact === undefined || !isSubject(file, contact)) return;
      write(file, contact, values, { run: other, step, merged: gone !== undefined, isTarget: false });
    });
  }
  return opened(file, run, undoes);
}

interface Writer {
  readonly run: RunRecord;
  readonly step: WrittenStep;
  readonly merged: boolean;
  /** True if `run` is the run to undo. */
  readonly isTarget: boolean;
}

/** Removes contacts that the run created or merged away: their values are not reverted. */
const leaveOut = `
INSERT OR IGNORE INTO own SELECT of_row.contact FROM of_row JOIN own_row ON own_row.seq = of_row.seq;
DELETE FROM subject WHERE contact IN (SELECT contact FROM own UNION SELECT contact FROM gone);
`;

function mayBeLater(other: RunRecord, run: RunRecord): boolean {
  return other.number > run.number || other.endedAt === null || other.endedAt >= run.startedAt;
}

/** Returns the undone run of each undo among the runs. */
function undoesOf(runs: readonly RunRecord[]): UndoneRunByUndo {
  const numbers = new Map(runs.map(({ id, number }) => [id, number]));
  return new Map(
    runs.flatMap(({ number, undo }) => {
      const target = undo && numbers.get(undo.run);
      return target === undefined ? [] : [[number, target] as const];
    }),
  );
}

function take(file: SqliteConnection, run: RunRecord, step: WrittenStep, written: WrittenEffects): void {
  const { contact, created, values, gone } = written;
  const { seq, line, sheet, key, identifier, state } = step;
  if (created !== undefined) {
    if (state !== 'acked') return;
    replaceRow(file, 'own_row', { seq });
    if (contact !== undefined) replaceRow(file, 'own', { contact });
    else recordIdentifiers(file, created.identifiers);
    return;
  }
  if (contact === undefined) return;
  replaceRow(file, 'of_row', { seq, contact });
  if (gone !== undefined && state === 'acked') replaceRow(file, 'gone', { contact: gone });
  runSql(file)`INSERT OR IGNORE INTO subject (contact, line, sheet, key, identifier)
    VALUES (${contact}, ${line}, ${sheet}, ${key}, ${identifier})`;
  write(file, contact, values, { run, step, merged: gone !== undefined, isTarget: true });
}

function recordIdentifiers(file: SqliteConnection, identifiers: readonly Identifier[]): void {
  for (const each of identifiers) {
    const identifier = toComparableIdentifier(each);
    if (identifier !== null) replaceRow(file, 'own_identifier', { identifier });
  }
}

function write(
  file: SqliteConnection,
  contact: number,
  values: WrittenEffects['values'],
  { run, step, merged, isTarget }: Writer,
): void {
  const at = step.sentAt ?? run.startedAt;
  for (const { kind, name, want, was } of values) {
    const revert = revertibleValueKinds.find((each) => each === kind);
    if (revert === undefined) continue;
    const before = was === undefined ? null : JSON.stringify(was);
    runSql(file)`INSERT INTO writing (contact, kind, name, at, run, want, was, merged)
      VALUES (${contact}, ${kind}, ${name}, ${at}, ${run.number}, ${JSON.stringify(want)}, ${before}, ${merged ? 1 : 0})`;
    if (isTarget && !merged) remember(file, contact, toValueColumnName({ kind: revert, name }), run, step);
  }
}

/**
 * Records the keys under which the journal remembers a written field, each with the hash to store after the revert: if
 * `run` is itself an undo, the hash from before it, otherwise null. The first entry of a key is kept.
 */
function remember(
  file: SqliteConnection,
  contact: number,
  field: string,
  run: RunRecord,
  step: WrittenStep,
): void {
  const entries =
    run.kind === 'undo'
      ? parseFieldHashChanges(step.memory)
          .filter((each) => each.field === field)
          .map(({ key, from }) => ({ key, hash: from }))
      : [{ key: step.key === null ? step.identifier : `key:${step.key}`, hash: null }];
  for (const { key, hash } of entries) {
    if (key !== null)
      runSql(file)`INSERT OR IGNORE INTO remembered (contact, field, key, hash)
        VALUES (${contact}, ${field}, ${key}, ${hash})`;
  }
}

function isSubject(file: SqliteConnection, contact: number): boolean {
  return hasRow(file)`SELECT 1 FROM subject WHERE contact = ${contact}`;
}

const subjectColumns = {
  contact: numberColumn,
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  identifier: nullableColumn(textColumn),
};
const value = (column: unknown) => parseStoredValue(textColumn(column));
const writingColumns = {
  kind: enumColumn(revertibleValueKinds),
  name: textColumn,
  at: numberColumn,
  run: numberColumn,
  want: value,
  was: optionalColumn(value),
  merged: flagColumn,
};
const rememberedColumns = { field: textColumn, key: textColumn, hash: nullableColumn(textColumn) };

function opened(file: SqliteConnection, run: RunRecord, undoes: UndoneRunByUndo): WrittenValueStore {
  return {
    file,
    count: () => selectCount(file)`SELECT count(*) AS n FROM subject`,
    subjectsAfter: (after, limit) =>
      select(
        file,
        subjectColumns,
      )`SELECT * FROM subject WHERE contact > ${after} ORDER BY contact LIMIT ${limit}`,
    valuesOf(contact) {
      const stored = select(file, writingColumns)`SELECT kind, name, at, run, want, was, merged FROM writing
        WHERE contact = ${contact} ORDER BY at, n`;
      const values = new Map<string, RevertibleValueName & { readonly writings: ValueWrite[] }>();
      for (const { kind, name, ...writing } of stored) {
        const id = toValueColumnName({ kind, name });
        const value = values.get(id) ?? { kind, name, writings: [] };
        values.set(id, value);
        value.writings.push(writing);
      }
      return [...values.values()].flatMap(({ kind, name, writings }) => {
        const standing = findWriteStatus(writings, run.number, undoes);
        return standing === undefined ? [] : [{ kind, name, standing }];
      });
    },
    rememberedOf: (contact) =>
      select(file, rememberedColumns)`SELECT field, key, hash FROM remembered WHERE contact = ${contact}`,
    isSubject: (contact) => isSubject(file, contact),
    isOwn({ email, phone, created_at }) {
      if (created_at === null || created_at * 1_000 < run.startedAt - clocksDifferMs) return false;
      const identifiers = [
        ...(email === null ? [] : [toComparableIdentifier({ kind: 'email', value: email })]),
        ...(phone === null ? [] : [toComparableIdentifier({ kind: 'phone', value: phone })]),
      ];
      return identifiers.some(
        (text) => text !== null && hasRow(file)`SELECT 1 FROM own_identifier WHERE identifier = ${text}`,
      );
    },
  };
}
