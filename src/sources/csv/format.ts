import { sourceFormat } from '../source-format.ts';
import { csvOptions, tsvOptions } from './options.ts';
import { csvSource } from './source.ts';

export const csv = sourceFormat('csv', csvOptions, csvSource, ['csv', 'txt']);
export const tsv = sourceFormat('tsv', tsvOptions, csvSource, ['tsv', 'tab', 'txt']);
