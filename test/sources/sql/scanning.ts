import type { SourceItem } from '../../../src/model/row.ts';
import { createDecoder } from '../../../src/sources/encoding/decoding.ts';
import { detectSqlDumpProgram, resolveSqlDialect } from '../../../src/sources/sql/dialect.ts';
import { SqlItemConverter } from '../../../src/sources/sql/items.ts';
import type { SqlDumpRecord } from '../../../src/sources/sql/records.ts';
import { SqlDumpScanner } from '../../../src/sources/sql/scanner.ts';
import { createBinaryFormatter, SqlWarningCounter } from '../../../src/sources/sql/values.ts';

/** The records of a dump that comes in pieces of these sizes, over and over. */
export function recordsOf(
  dump: string,
  sizes: readonly number[],
  wanted: string | null = null,
): readonly SqlDumpRecord[] {
  const dialect = resolveSqlDialect(detectSqlDumpProgram(dump), 'auto');
  const scanner = new SqlDumpScanner({
    dialect,
    fixedEscapes: false,
    maxRowBytes: 1_000_000,
    wanted: wanted === null ? null : new Set([wanted]),
  });
  const decoding = createDecoder('utf-8');
  const bytes = Buffer.from(dump);
  const records: SqlDumpRecord[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    records.push(...scanner.push(decoding.write(bytes.subarray(at, at + size))));
    at += size;
  }
  return [...records, ...scanner.push(decoding.end()), ...scanner.end()];
}

/** The items that records make, whatever table they are of. */
export function itemsOf(records: readonly SqlDumpRecord[]): readonly SourceItem[] {
  const maker = new SqlItemConverter({
    columns: null,
    warnings: new SqlWarningCounter(),
    binaryText: createBinaryFormatter('utf-8'),
    maxRowBytes: 1_000_000,
    nulls: [],
  });
  return records.map((record) => maker.item(record, true));
}
