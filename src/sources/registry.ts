import { csvSourceFormat, tsvSourceFormat } from './csv/csv-source.ts';
import { createDumpFormat } from './dump/dump-source.ts';
import { jsonlSourceFormat, jsonSourceFormat, ndjsonSourceFormat } from './json/json-source.ts';
import type { SourceFormat } from './source-format.ts';
import { sqlSourceFormat } from './sql/sql-source.ts';
import { sqliteSourceFormat } from './sqlite/sqlite-source.ts';
import { vcardSourceFormat } from './vcard/vcard-source.ts';
import { workspaceSourceFormat } from './workspace/workspace-source.ts';
import { xlsxSourceFormat } from './xlsx/xlsx-source.ts';

export type { SourceFormat } from './source-format.ts';

const files: readonly SourceFormat[] = [
  csvSourceFormat,
  tsvSourceFormat,
  jsonSourceFormat,
  ndjsonSourceFormat,
  jsonlSourceFormat,
  sqlSourceFormat,
  xlsxSourceFormat,
  sqliteSourceFormat,
  vcardSourceFormat,
];

/** Every input format of pipelines. */
export const sourceFormats: readonly SourceFormat[] = [
  ...files,
  createDumpFormat(files),
  workspaceSourceFormat,
];
