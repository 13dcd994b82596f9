import { sourceFormat } from '../source-format.ts';
import { jsonOptions, ndjsonOptions } from './options.ts';
import { jsonSource, ndjsonSource } from './source.ts';

export const json = sourceFormat('json', jsonOptions, jsonSource);
export const ndjson = sourceFormat('ndjson', ndjsonOptions, ndjsonSource, ['ndjson', 'jsonl', 'json']);
export const jsonl = sourceFormat('jsonl', ndjsonOptions, ndjsonSource, ndjson.extensions);
