import { csv, tsv } from './csv/csv-source.ts';
import { dumpOf } from './dump/dump-source.ts';
import { json, jsonl, ndjson } from './json/json-source.ts';
import type { SourceFormat } from './source-format.ts';
import { sql } from './sql/sql-source.ts';
import { sqlite } from './sqlite/sqlite-source.ts';
import { vcard } from './vcard/vcard-source.ts';
import { workspace } from './workspace/workspace-source.ts';
import { xlsx } from './xlsx/xlsx-source.ts';

export type { SourceFormat } from './source-format.ts';

const files: readonly SourceFormat[] = [csv, tsv, json, ndjson, jsonl, sql, xlsx, sqlite, vcard];

/** Every input format of pipelines. */
export const sourceFormats: readonly SourceFormat[] = [...files, dumpOf(files), workspace];
