import * as z from 'zod';
import { anyJson, text } from '../../../storage/columns.ts';
import { put, select } from '../../../storage/sql.ts';
import type { SqliteFile } from '../../../storage/sqlite.ts';

const schema = z.object({
  /** The cursor of the next page of the contact list; null before the first and behind the last. */
  listCursor: z.string().nullable().default(null),
  /** All contacts are there. */
  listed: z.boolean().default(false),
  /** How often a contact was met again while the list was read. */
  moved: z.int().default(0),
  /** Which messages of a contact the interface gives first, once that was seen. */
  order: z.enum(['newest', 'oldest']).nullable().default(null),
  /** The run of the export whose sync state this one goes on from; null for a full one, undefined before that was settled. */
  follows: z.string().nullable().optional(),
  /** What belongs to the workspace is there. */
  objects: z.boolean().default(false),
  /** Messages of earlier exports whose contacts are gone. */
  ownerless: z.int().default(0),
  /** Where the finished folder is put; null before it is ready. */
  folder: z.string().nullable().default(null),
});

/** Where fetching stands, beside what was fetched. */
export type StagedState = z.output<typeof schema>;

/** Reads and writes the state of a staging file; a write is a part of the transaction around it. */
export function stagedState(db: SqliteFile) {
  let known: StagedState | undefined;
  return {
    get(): StagedState {
      if (known !== undefined) return known;
      const rows = select(db, { name: text, value: anyJson })`SELECT name, value FROM state`;
      known = schema.parse(Object.fromEntries(rows.map(({ name, value }) => [name, value])));
      return known;
    },
    set(changes: Partial<StagedState>): void {
      const now = { ...this.get(), ...changes };
      for (const [name, value] of Object.entries(changes))
        put(db, 'state', { name, value: JSON.stringify(value) });
      known = now;
    },
  };
}
