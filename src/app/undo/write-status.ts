import type { CustomValue } from '../../model/custom-field.ts';

/** One writing of a value of a contact, by a run of ours. */
export interface Writing {
  /** The run's number. */
  readonly run: number;
  /** When it was sent (ms); of two at once the one that comes first here was first. */
  readonly at: number;
  readonly want: CustomValue;
  /** What it replaced; undefined where nobody knows. */
  readonly was: CustomValue | undefined;
  /** Written by a merge, which nothing takes back. */
  readonly merged: boolean;
}

/** How a value that a run wrote stands in the journal. */
export type WriteStatus =
  /** The run was the last of ours to write it. */
  | { readonly kind: 'last'; readonly before: CustomValue; readonly wrote: CustomValue }
  | { readonly kind: 'takenBack'; readonly by: number; readonly before: CustomValue }
  | { readonly kind: 'later'; readonly by: number }
  /** What a merge gave stays. */
  | { readonly kind: 'merged' };

/** Which run each undo takes back, by their numbers. */
export type Undoes = ReadonlyMap<number, number>;

/**
 * How a value stands for the run that is to be taken back, by all writings of it in their order. An undo and what it has
 * taken back count for nothing, unless it was taken back itself.
 */
export function writeStatusOf(
  writings: readonly Writing[],
  run: number,
  undoes: Undoes,
): WriteStatus | undefined {
  const lastOfRun = writings.findLastIndex((writing) => writing.run === run);
  if (lastOfRun < 0) return undefined;
  const later = new Set(writings.slice(lastOfRun + 1).map((writing) => writing.run));
  for (const undo of [...later].reverse()) {
    const target = undoes.get(undo);
    if (target === undefined || !later.has(undo)) continue;
    if (target === run) {
      const newest = [...later].at(-1);
      if (newest !== undefined && newest !== undo) return { kind: 'later', by: newest };
      const own = ownStanding(writings.slice(0, lastOfRun + 1), run);
      return own.kind === 'last' ? { kind: 'takenBack', by: undo, before: own.before } : own;
    }
    if (later.delete(target)) later.delete(undo);
  }
  const [by] = [...later].slice(-1);
  if (by !== undefined) return { kind: 'later', by };
  return ownStanding(writings.slice(0, lastOfRun + 1), run);
}

/** Of the run's own writings those count that come after a merge and after whatever another run wrote. */
function ownStanding(writings: readonly Writing[], run: number): WriteStatus {
  const afterOthers = writings.findLastIndex((writing) => writing.run !== run) + 1;
  const own = writings.slice(afterOthers);
  const afterMerge = own.slice(own.findLastIndex(({ merged }) => merged) + 1);
  const [first] = afterMerge;
  const last = afterMerge.at(-1);
  if (first?.was === undefined || last === undefined) return { kind: 'merged' };
  return { kind: 'last', before: first.was, wrote: last.want };
}
