import type { CustomValue } from '../../model/custom-field.ts';

/** One write of a value of a contact, by one of our runs. */
export interface ValueWrite {
  /** The run's number. */
  readonly run: number;
  /** The time it was sent (ms); of two at the same time the first in this order was first. */
  readonly at: number;
  readonly want: CustomValue;
  /** The value that it replaced; undefined where that is unknown. */
  readonly was: CustomValue | undefined;
  /** True where a merge wrote it, which nothing reverts. */
  readonly merged: boolean;
}

/** The status of a written value in the journal. */
export type WriteStatus =
  /** The run was the last of ours to write it. */
  | { readonly kind: 'last'; readonly before: CustomValue; readonly wrote: CustomValue }
  | { readonly kind: 'takenBack'; readonly by: number; readonly before: CustomValue }
  | { readonly kind: 'later'; readonly by: number }
  /** A value from a merge stays. */
  | { readonly kind: 'merged' };

/** The run that each undo undoes, by their numbers. */
export type UndoneRuns = ReadonlyMap<number, number>;

/**
 * Returns the status of a value for the run to undo, from all writes of it in their order. An undo and the run it
 * undoes do not count, unless the undo was undone itself.
 */
export function findWriteStatus(
  writings: readonly ValueWrite[],
  run: number,
  undoes: UndoneRuns,
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

/** Of the run's own writes, those after a merge and after any other run's write count. */
function ownStanding(writings: readonly ValueWrite[], run: number): WriteStatus {
  const afterOthers = writings.findLastIndex((writing) => writing.run !== run) + 1;
  const own = writings.slice(afterOthers);
  const afterMerge = own.slice(own.findLastIndex(({ merged }) => merged) + 1);
  const [first] = afterMerge;
  const last = afterMerge.at(-1);
  if (first?.was === undefined || last === undefined) return { kind: 'merged' };
  return { kind: 'last', before: first.was, wrote: last.want };
}
