import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Builder, Person } from './builder.ts';

let files = 0;

/** The bytes of a file with one table, in which each entry is a row; bytes in place of a text are stored as text as they are. */
async function database(rows: Iterable<readonly (string | Buffer)[]>): Promise<Buffer> {
  files += 1;
  const path = join(tmpdir(), `longshore-builder-${process.pid}-${files}.sqlite`);
  const file = new Database(path);
  try {
    file.exec('CREATE TABLE people (name TEXT, "" TEXT, __proto__ TEXT)');
    const insert = file.prepare(
      'INSERT INTO people VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))',
    );
    file.transaction(() => {
      for (const row of rows) insert.run(...row);
    })();
  } finally {
    file.close();
  }
  try {
    return await readFile(path);
  } finally {
    rmSync(path);
  }
}

const row = ({ id, name, note }: Person) => [name, note, id];

export const sqlite: Builder = {
  extension: 'sqlite',
  columns: { id: '__proto__', name: 'name', note: '' },
  build: (people) => database(Array.from(people, row)),
  lines: (people) => people.map((_, index) => index + 1),
  inOneLine: null,
  broken: {
    build: (before, after) => database([row(before), [Buffer.from('Zo\xeb', 'latin1'), '', 'x'], row(after)]),
    code: 'row.encoding',
  },
  encodings: [],
};
