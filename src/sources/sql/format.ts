import { sourceFormat } from '../source-format.ts';
import { sqlOptions } from './options.ts';
import { sqlSource } from './source.ts';

export const sql = sourceFormat('sql', sqlOptions, sqlSource);
