import { sourceFormat } from '../source-format.ts';
import { csvOptions, tsvOptions } from './options.ts';
import { csvSource } from './source.ts';

const line = 'The line where the record begins.';

export const csv = sourceFormat({
  name: 'csv',
  extensions: ['csv', 'txt'],
  words: {
    reads: 'Text with delimiters.',
    columns: 'The header; without one `Column 1`, `Column 2` and so on.',
    line,
  },
  options: csvOptions,
  parts: 'lines',
  open: csvSource,
});

export const tsv = sourceFormat({
  name: 'tsv',
  extensions: ['tsv', 'tab', 'txt'],
  words: {
    reads: 'Text with tabs.',
    columns: 'As CSV.',
    line,
    keys: 'Takes the keys of [csv](#csv); `delimiter` is a tab where it is left out.',
  },
  options: tsvOptions,
  parts: 'lines',
  open: csvSource,
});
