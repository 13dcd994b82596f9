import * as z from 'zod';
import {
  enumColumn,
  flagColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  textColumn,
} from '../../../storage/columns.ts';
import { insertRow, replaceRow, runSql, select, selectCount, selectOne } from '../../../storage/sql.ts';
import { createScratchDatabase, type SqliteConnection, withStorageErrors } from '../../../storage/sqlite.ts';
import { toCanonicalJson } from '../sync-state/content-hash.ts';
import type { ExportFileRecord } from './records-of.ts';

/**
 * A difference between an export and the workspace: a missing or additional record, or one field of a changed record.
 */
export interface RecordDifference {
  readonly number: number;
  readonly file: string;
  readonly key: string;
  /** `gone`: only in the export; `added`: only in the workspace. */
  readonly verdict: 'changed' | 'gone' | 'added';
  /** The field of a changed record; null for other verdicts. */
  readonly field: string | null;
  readonly exported: string | null;
  readonly found: string | null;
}

/** The numbers of records of a file by the result of their comparison with the workspace. */
export interface RecordComparisonCounts {
  readonly matched: number;
  readonly changed: number;
  readonly gone: number;
  /** Null for a file of an incremental export, which does not list all records. */
  readonly added: number | null;
}

const tables = `
CREATE TABLE record (
  key    TEXT PRIMARY KEY,
  fields TEXT NOT NULL,
  seen   INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE difference (
  number   INTEGER PRIMARY KEY,
  file     TEXT NOT NULL,
  key      TEXT NOT NULL,
  verdict  TEXT NOT NULL,
  field    TEXT,
  exported TEXT,
  found    TEXT
) STRICT;
`;

const recordColumns = { fields: jsonColumn(z.record(z.string(), z.string())), seen: flagColumn };
const differenceColumns = {
  number: numberColumn,
  file: textColumn,
  key: textColumn,
  verdict: enumColumn(['changed', 'gone', 'added']),
  field: nullableColumn(textColumn),
  exported: nullableColumn(textColumn),
  found: nullableColumn(textColumn),
};

const batchSize = 500;

/** Compares two streams of records by key, in a scratch database, so that memory does not grow with their number. */
export class RecordComparison {
  readonly file: SqliteConnection;

  constructor(path: string) {
    this.file = createScratchDatabase(path);
    this.file.exec(tables);
  }

  /**
   * Compares a file's exported records with the current ones; with `whole`, an additional current record is a
   * difference.
   */
  async compare(
    name: string,
    exported: AsyncIterable<ExportFileRecord>,
    now: AsyncIterable<ExportFileRecord>,
    whole: boolean,
  ): Promise<RecordComparisonCounts> {
    const { file } = this;
    runSql(file)`DELETE FROM record`;
    await inBatches(file, exported, (record) => {
      replaceRow(file, 'record', { key: keyOf(record), fields: JSON.stringify(record.fields) });
    });
    const counts = { matched: 0, changed: 0, added: 0 };
    await inBatches(file, now, (record) => {
      const key = keyOf(record);
      const before = selectOne(file, recordColumns)`SELECT fields, seen FROM record WHERE key = ${key}`;
      if (before === undefined) {
        counts.added += 1;
        if (whole)
          this.#note({ file: name, key, verdict: 'added', field: null, exported: null, found: null });
        return;
      }
      if (before.seen) return;
      runSql(file)`UPDATE record SET seen = 1 WHERE key = ${key}`;
      const { fields } = before;
      const changed = Object.keys(fields).filter((field) => fields[field] !== (record.fields[field] ?? ''));
      counts[changed.length === 0 ? 'matched' : 'changed'] += 1;
      for (const field of changed) {
        const [was, is] = [fields[field] ?? '', record.fields[field] ?? ''];
        this.#note({ file: name, key, verdict: 'changed', field, exported: was, found: is });
      }
    });
    runSql(file)`
      INSERT INTO difference (file, key, verdict) SELECT ${name}, key, 'gone' FROM record WHERE seen = 0`;
    const gone = selectCount(file)`SELECT count(*) AS n FROM record WHERE seen = 0`;
    return { ...counts, gone, added: whole ? counts.added : null };
  }

  /** Returns up to `limit` differences after `last`, in the order they were found. */
  after(last: RecordDifference | undefined, limit: number): RecordDifference[] {
    return select(this.file, differenceColumns)`
      SELECT * FROM difference WHERE number > ${last?.number ?? 0} ORDER BY number LIMIT ${limit}`;
  }

  #note(difference: Omit<RecordDifference, 'number'>): void {
    insertRow(this.file, 'difference', difference);
  }
}

/** Returns the key of a record; all its fields as canonical JSON if it has none. */
function keyOf({ key, fields }: ExportFileRecord): string {
  return key ?? toCanonicalJson(fields);
}

/** Calls `take` for each record, in one transaction per 500 records; none is open across an await. */
async function inBatches(
  file: SqliteConnection,
  records: AsyncIterable<ExportFileRecord>,
  take: (record: ExportFileRecord) => void,
): Promise<void> {
  let batch: ExportFileRecord[] = [];
  const flush = file.transaction(() => {
    for (const record of batch) take(record);
  });
  for await (const record of records) {
    batch.push(record);
    if (batch.length < batchSize) continue;
    withStorageErrors(file.name, () => flush());
    batch = [];
  }
  withStorageErrors(file.name, () => flush());
}
