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

/** What is remembered of a field under a key before and after it was put back; null where nothing is. */
export type MemoryChange = z.output<typeof changesSchema>[number];

/** What a step of an undo has changed in what is remembered, as the journal gave it back. */
export function memoryChangesIn(memory: unknown): readonly MemoryChange[] {
  return memory === undefined ? [] : changesSchema.parse(memory);
}

/** Which field is remembered under a key, and as what it is remembered once it is put back. */
export interface Remembered {
  readonly field: string;
  readonly key: string;
  /** null: the next import looks at it again. */
  readonly hash: string | null;
}

/** What putting these fields back changes in what is remembered of a contact. */
export function memoryChanges(
  { known }: Pick<RunJournal, 'known'>,
  remembered: readonly Remembered[],
  fields: readonly string[],
): readonly MemoryChange[] {
  return remembered.flatMap(({ field, key, hash }) => {
    const now = fields.includes(field) ? known.find(key) : undefined;
    return now === undefined ? [] : [{ key, field, from: now.applied[field] ?? null, to: hash }];
  });
}

/** The write that makes the changes. */
export function remembering(
  { known }: Pick<RunJournal, 'known'>,
  changes: readonly MemoryChange[],
): () => void {
  const writes = changes.map(({ key, field, to }) => known.reapply(key, { [field]: to }));
  return () => {
    for (const write of writes) write();
  };
}
