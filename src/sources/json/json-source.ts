import { sourceFormat } from '../source-format.ts';
import { jsonOptions, ndjsonOptions } from './options.ts';
import { jsonSource, ndjsonSource } from './source.ts';

export const json = sourceFormat({
  name: 'json',
  extensions: ['json'],
  words: {
    reads: 'An array of records, at the top of the document or at the place that `at` names.',
    columns:
      'The path of each value: `company.name`, `emails[0].value`. A list is also one column, as JSON text, and `emails[].value` is all its values.',
    line: "The record's number.",
  },
  options: jsonOptions,
  sparse: true,
  parts: 'beginning',
  open: jsonSource,
});

const lines = {
  extensions: ['ndjson', 'jsonl', 'json'],
  options: ndjsonOptions,
  sparse: true,
  parts: 'lines' as const,
  open: ndjsonSource,
};

export const ndjson = sourceFormat({
  name: 'ndjson',
  words: { reads: 'A JSON record in each line.', columns: 'As JSON.', line: 'The line.' },
  ...lines,
});

export const jsonl = sourceFormat({
  name: 'jsonl',
  words: {
    reads: 'The same as `ndjson`.',
    columns: 'As JSON.',
    line: 'The line.',
    keys: 'Takes the keys of [ndjson](#ndjson).',
  },
  ...lines,
});
