import { csv, tsv } from './csv/format.ts';
import { dumpOf } from './dump/format.ts';
import { json, jsonl, ndjson } from './json/format.ts';
import type { SourceFormat } from './source-format.ts';
import { sql } from './sql/format.ts';
import { sqlite } from './sqlite/format.ts';
import { vcard } from './vcard/format.ts';
import { workspace } from './workspace/format.ts';
import { xlsx } from './xlsx/format.ts';

export type { SourceFormat } from './source-format.ts';

const files: readonly SourceFormat[] = [csv, tsv, json, ndjson, jsonl, sql, xlsx, sqlite, vcard];

/** Every input format a pipeline can name. */
export const sourceFormats: readonly SourceFormat[] = [...files, dumpOf(files), workspace];
