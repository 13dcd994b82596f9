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

/** The memory of a field under a key before and after its revert; null where there is none. */
export type MemoryChange = z.output<typeof changesSchema>[number];

/** Returns the changes that a step of an undo made to the memory, parsed from the journal. */
export function parseMemoryChanges(memory: unknown): readonly MemoryChange[] {
  return memory === undefined ? [] : changesSchema.parse(memory);
}

/** The field remembered under a key, and its hash once it is reverted. */
export interface RememberedField {
  readonly field: string;
  readonly key: string;
  /** null: the next import compares it again. */
  readonly hash: string | null;
}

/** Returns the changes to the memory of a contact when these fields are reverted. */
export function memoryChanges(
  { known }: Pick<RunJournal, 'known'>,
  remembered: readonly RememberedField[],
  fields: readonly string[],
): readonly MemoryChange[] {
  return remembered.flatMap(({ field, key, hash }) => {
    const now = fields.includes(field) ? known.find(key) : undefined;
    return now === undefined ? [] : [{ key, field, from: now.applied[field] ?? null, to: hash }];
  });
}

/** Returns the write that makes the changes. */
export function memoryWrite(
  { known }: Pick<RunJournal, 'known'>,
  changes: readonly MemoryChange[],
): () => void {
  const writes = changes.map(({ key, field, to }) => known.reapply(key, { [field]: to }));
  return () => {
    for (const write of writes) write();
  };
}
