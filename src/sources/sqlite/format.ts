import { sourceFormat } from '../source-format.ts';
import { sqliteOptions } from './options.ts';
import { sqliteExtensions, sqliteSource } from './source.ts';

export const sqlite = sourceFormat('sqlite', sqliteOptions, sqliteSource, sqliteExtensions);
