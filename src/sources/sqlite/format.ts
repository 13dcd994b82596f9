import { sourceFormat } from '../source-format.ts';
import { sqliteOptions } from './options.ts';
import { sqliteSource } from './source.ts';

/** How SQLite files end, without the dot. */
export const sqliteExtensions = ['sqlite', 'sqlite3', 'db', 'db3'];

export const sqlite = sourceFormat('sqlite', sqliteOptions, sqliteSource, sqliteExtensions);
