import {
  findLastRunOfSourceSystem,
  hasKnownKeys,
  type JournalDatabase,
  type SourceSystem,
} from '../../journal/index.ts';
import type { KeyReuseCounter } from './key-count.ts';

/** The facts about an import that `resolveKeyNamespace` takes. */
export interface KeyNamespaceQuery {
  readonly workspace: number;
  /** The mapping's name. */
  readonly mapping: string;
  /** The `source.system` of the pipeline. */
  readonly system: string | undefined;
  /** The name under which the keys of the retried run are remembered; undefined unless the run is a retry. */
  readonly retried?: string | undefined;
}

/** The name that an import's source keys are remembered under, and the system that the pipeline names. */
export interface KeyNamespace {
  readonly memory: string;
  readonly system: SourceSystem | null;
  /** A note for the user where a newly named system takes over the keys remembered under the mapping's name. */
  readonly note?: string;
}

/**
 * Returns the name under which the keys of an input are remembered. If a system is named for the first time and keys
 * are remembered under the mapping's name, `count` compares the rows with these keys, to tell whether the remembered
 * keys are of this system.
 */
export async function resolveKeyNamespace(
  file: JournalDatabase,
  { workspace, mapping, system, retried }: KeyNamespaceQuery,
  count: (memory: string) => Promise<KeyReuseCounter>,
): Promise<KeyNamespace> {
  if (system === undefined) return { memory: mapping, system: null };
  const last = findLastRunOfSourceSystem(file, workspace, system);
  const named = { name: system, mapping, isApart: last?.system?.isApart ?? false };
  if (last !== undefined) return { memory: last.memory, system: named };
  const isOpen =
    !hasKnownKeys(file, { workspace, mapping: system }) && hasKnownKeys(file, { workspace, mapping });
  if (!isOpen) return { memory: system, system: named };
  const counted = await count(mapping);
  if (counted.isSameSystem()) {
    const note = `source.system ${JSON.stringify(system)} is new, and the keys are those of earlier imports: it takes over what mapping ${JSON.stringify(mapping)} remembers of them.`;
    return { memory: mapping, system: named, note };
  }
  const isApart = counted.hasStrangers();
  return { memory: (isApart ? undefined : retried) ?? system, system: { ...named, isApart } };
}
