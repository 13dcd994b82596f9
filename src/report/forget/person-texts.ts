import type { KnownPerson, WithoutTexts } from '../../journal/index.ts';

/** A person as the files of a run name them. */
export interface PersonInRun {
  /** Where the person's rows stand, by the id of the run. */
  readonly lines: ReadonlyMap<string, ReadonlySet<number>>;
  /** As the lists show them, without `key:`. */
  readonly keys: ReadonlySet<string>;
  readonly contacts: ReadonlySet<number>;
  readonly without: WithoutTexts;
}

/** The person as the files of a run of this mapping into this workspace name them. */
export function personInRun(
  { rows, keys, contacts }: KnownPerson,
  run: { readonly workspace: number; readonly memory: string },
  without: WithoutTexts,
): PersonInRun {
  const lines = new Map<string, Set<number>>();
  for (const { id, line } of rows) lines.set(id, (lines.get(id) ?? new Set()).add(line));
  return {
    lines,
    keys: new Set(
      keys.flatMap(({ mapping, key }) => (mapping === run.memory ? key.replace(/^key:/, '') : [])),
    ),
    contacts: new Set(
      contacts.flatMap(({ workspace, contact }) => (workspace === run.workspace ? contact : [])),
    ),
    without,
  };
}
