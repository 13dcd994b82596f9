import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { parquetReadObjects } from 'hyparquet';
import type { ExportKind } from '../../../src/model/export-record.ts';
import { nameOf } from '../../exporters/readers/csv.ts';

type Given = (folder: string, kind: ExportKind) => Promise<readonly unknown[]>;

/** The objects as the interface gave them, of the formats that keep them. */
export const givenIn: Readonly<Record<string, Given>> = {
  ndjson: async (folder, kind) =>
    readFileSync(join(folder, `${nameOf(kind)}.ndjson`), 'utf8')
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line).given])),
  async sqlite(folder, kind) {
    const db = new Database(join(folder, 'workspace.db'), { readonly: true });
    try {
      const table = nameOf(kind).replace('-', '_');
      const texts = db.prepare<[], string>(`SELECT given FROM ${table}`).pluck().all();
      return texts.map((text) => JSON.parse(text));
    } finally {
      db.close();
    }
  },
  async parquet(folder, kind) {
    const bytes = readFileSync(join(folder, `${nameOf(kind)}.parquet`));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    const rows = await parquetReadObjects({ file, columns: ['given'] });
    return rows.map(({ given }) => (typeof given === 'string' ? JSON.parse(given) : given));
  },
};

/** What is different in two lists whose things come in any order, by their names; the first few. */
export function differences<T>(
  found: readonly T[],
  wanted: readonly T[],
  nameOfThing: (thing: T) => unknown,
  compare: (found: T, wanted: T) => readonly unknown[] = (a, b) => (isDeepStrictEqual(a, b) ? [] : [[a, b]]),
): readonly unknown[] {
  const byName = new Map(found.map((thing) => [String(nameOfThing(thing)), thing]));
  if (byName.size !== wanted.length || found.length !== wanted.length)
    return [`${found.length} found, ${byName.size} of them different, ${wanted.length} wanted`];
  const different: unknown[] = [];
  for (const thing of wanted) {
    const other = byName.get(String(nameOfThing(thing)));
    if (other === undefined) different.push(['missing', thing]);
    else different.push(...compare(other, thing));
    if (different.length > 5) return different;
  }
  return different;
}
