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

/** The remembered hash of a field under a key, before and after its revert; null if there is none. */
export type RememberedHashChange = z.output<typeof changesSchema>[number];

/** Parses the changes of remembered hashes that an undo recorded with a step. */
export function parseRememberedHashChanges(memory: unknown): readonly RememberedHashChange[] {
  return memory === undefined ? [] : changesSchema.parse(memory);
}

/** A field that the journal remembers under a key, and its hash after the revert. */
export interface RememberedField {
  readonly field: string;
  readonly key: string;
  /** Null to make the next import compare the field again. */
  readonly hash: string | null;
}

/** Computes how the hashes that the journal remembers of a contact change when these fields are reverted. */
export function computeRememberedHashChanges(
  { known }: Pick<RunJournal, 'known'>,
  remembered: readonly RememberedField[],
  fields: readonly string[],
): readonly RememberedHashChange[] {
  return remembered.flatMap(({ field, key, hash }) => {
    const now = fields.includes(field) ? known.find(key) : undefined;
    return now === undefined ? [] : [{ key, field, from: now.applied[field] ?? null, to: hash }];
  });
}

/** Returns a function that writes the changed hashes into the journal. */
export function createRememberedHashWriter(
  { known }: Pick<RunJournal, 'known'>,
  changes: readonly RememberedHashChange[],
): () => void {
  const writes = changes.map(({ key, field, to }) => known.reapply(key, { [field]: to }));
  return () => {
    for (const write of writes) write();
  };
}
