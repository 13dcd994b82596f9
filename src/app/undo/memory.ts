import { z } from 'zod';
import type { RunJournal } from '../../journal/index.ts';

const changesSchema = z.array(
  z.object({
    key: z.string(),
    field: z.string(),
    from: z.string().nullable(),
    to: z.string().nullable(),
  }),
);

/**
 * The change that an undo makes to the hash that the journal remembers for a field: `from` before the revert, `to`
 * after it; null for no hash. `key` is the row's key in the journal's memory (`key:17`, `email:…`).
 */
export type FieldHashChange = z.output<typeof changesSchema>[number];

/** Parses the hash changes that an undo stored with a step; returns an empty list if it stored none. */
export function parseFieldHashChanges(memory: unknown): readonly FieldHashChange[] {
  return memory === undefined ? [] : changesSchema.parse(memory);
}

/** A field that the journal remembers under a key, and its hash after the revert. */
export interface RememberedField {
  readonly field: string;
  readonly key: string;
  /** Null to make the next import compare the field again. */
  readonly hash: string | null;
}

/**
 * Returns the changes that reverting these fields makes to a contact's hashes in the journal; keys that the journal
 * does not have are skipped.
 */
export function computeFieldHashChanges(
  { known }: Pick<RunJournal, 'known'>,
  remembered: readonly RememberedField[],
  fields: readonly string[],
): readonly FieldHashChange[] {
  return remembered.flatMap(({ field, key, hash }) => {
    const now = fields.includes(field) ? known.find(key) : undefined;
    return now === undefined ? [] : [{ key, field, from: now.applied[field] ?? null, to: hash }];
  });
}

/** Returns a function that writes the changed hashes into the journal. */
export function createFieldHashWriter(
  { known }: Pick<RunJournal, 'known'>,
  changes: readonly FieldHashChange[],
): () => void {
  const writes = changes.map(({ key, field, to }) => known.reapply(key, { [field]: to }));
  return () => {
    for (const write of writes) write();
  };
}
