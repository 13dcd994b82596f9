import { z } from 'zod';
import type { ExportKind } from '../../model/export-record.ts';
import { openSqlite } from '../../storage/sqlite.ts';
import { exporter } from '../exporter.ts';
import { keptObject } from '../value.ts';
import type { Row } from './column.ts';
import { WorkspaceDatabase } from './database.ts';
import { layouts } from './layouts.ts';

const pageSize = 500;

/** The records of a kind in a database of an export, in its order. */
async function* recordsIn(file: string, kind: ExportKind): AsyncGenerator<Readonly<Record<string, unknown>>> {
  const database = openSqlite(file, { readonly: true, fileMustExist: true });
  try {
    const { table, restore } = layouts[kind];
    const restored = restore(database);
    const page = database.prepare<[number, number], Row & { readonly _row: number }>(
      `SELECT rowid AS _row, * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`,
    );
    let last = 0;
    for (;;) {
      const rows = page.all(last, pageSize);
      for (const row of rows) {
        const given = keptObject(String(row.given), file, row._row);
        const normal = row.normal === null ? restored(row) : keptObject(String(row.normal), file, row._row);
        yield { ...normal, given };
      }
      last = rows.at(-1)?._row ?? last;
      if (rows.length < pageSize) return;
    }
  } finally {
    database.close();
  }
}

/** One database for all kinds, ready to be asked: tables with keys and indexes, and `given` of every record. */
export const sqlite = exporter({
  name: 'sqlite',
  words: {
    files: '`workspace.db` for all kinds.',
    holds: 'Tables with keys and indexes; see the guide.',
  },
  options: z.strictObject({}),
  open: WorkspaceDatabase.create,
  read: recordsIn,
});
