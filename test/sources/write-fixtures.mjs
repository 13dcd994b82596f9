// Writes fixtures/formats: the same 20 made-up people in every format. node test/sources/write-fixtures.mjs [FOLDER]
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzippedCsv, postgres, writers, zippedCsv } from '../bench/formats/writers.mjs';

const folder = process.argv[2] ?? fileURLToPath(new URL('../../fixtures/formats', import.meta.url));
const { csv, tsv, json, ndjson, xlsx, vcard, sql, sqlite } = writers;
const all = { people: [csv, tsv, json, ndjson, xlsx, vcard, sql, sqlite, gzippedCsv, zippedCsv] };

mkdirSync(folder, { recursive: true });
for (const [name, each] of Object.entries({ ...all, 'people-pg': [postgres] })) {
  for (const { extension, write } of each) {
    const path = join(folder, `${name}.${extension}`);
    rmSync(path, { force: true });
    await write(path, 20);
  }
}
