import { z } from 'zod';
import { exporter } from '../define.ts';
import { WorkspaceDatabase } from './database.ts';
import { recordsIn } from './read.ts';

/** One database for all kinds, ready to be asked: tables with keys and indexes, and `given` of every record. */
export const sqlite = exporter('sqlite', {
  options: z.strictObject({}),
  open: WorkspaceDatabase.create,
  read: recordsIn,
});
