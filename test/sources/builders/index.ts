import type { Builder } from './builder.ts';
import { csv } from './csv.ts';
import { dump } from './dump.ts';
import { json } from './json.ts';
import { jsonl, ndjson } from './ndjson.ts';
import { sql } from './sql.ts';
import { sqlite } from './sqlite.ts';
import { tsv } from './tsv.ts';
import { vcard } from './vcard.ts';
import { xlsx } from './xlsx.ts';

/** A builder for every format of the registry, by its name; a format without one fails the shared suite. */
export const builders: Readonly<Record<string, Builder>> = {
  csv,
  dump,
  json,
  jsonl,
  ndjson,
  sql,
  sqlite,
  tsv,
  xlsx,
  vcard,
};
