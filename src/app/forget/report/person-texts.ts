import type { KnownPerson, WithoutTexts } from '../../../journal/index.ts';
import { placeWords } from '../../../model/row-place.ts';

/** A person as the files of a run name them. */
export interface PersonInRun {
  /** Where the person's rows are, in the words of messages, by the id of the run. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
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
  const places = new Map<string, Set<string>>();
  for (const { id, ...row } of rows) places.set(id, (places.get(id) ?? new Set()).add(placeWords(row)));
  return {
    places,
    keys: new Set(
      keys.flatMap(({ mapping, key }) => (mapping === run.memory ? key.replace(/^key:/, '') : [])),
    ),
    contacts: new Set(
      contacts.flatMap(({ workspace, contact }) => (workspace === run.workspace ? contact : [])),
    ),
    without,
  };
}
