import { delimited } from './delimited.ts';

export const tsv = delimited('tsv', '\t');
