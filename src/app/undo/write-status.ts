import type { CustomValue } from '../../model/custom-field.ts';

/** One write of a contact's value by a run. */
export interface ValueWrite {
  /** The run's number. */
  readonly run: number;
  /** The time it was sent (ms since 1970). */
  readonly at: number;
  readonly want: CustomValue;
  /** The replaced value; undefined if unknown. */
  readonly was: CustomValue | undefined;
  /** True if a merge wrote it, which cannot be reverted. */
  readonly merged: boolean;
}

/** The status of a value that the run to undo wrote. */
export type WriteStatus =
  /** The run was the last to write it. */
  | { readonly kind: 'last'; readonly before: CustomValue; readonly wrote: CustomValue }
  | { readonly kind: 'takenBack'; readonly by: number; readonly before: CustomValue }
  | { readonly kind: 'later'; readonly by: number }
  /** A merge wrote it: it cannot be reverted. */
  | { readonly kind: 'merged' };

/** The number of the undone run, by the number of the undo. */
export type UndoneRunByUndo = ReadonlyMap<number, number>;

/**
 * Returns the status of a value, given all its writes in order; undefined if the run did not write it. An undo and the
 * run that it undoes cancel out.
 */
export function findWriteStatus(
  writings: readonly ValueWrite[],
  run: number,
  undoes: UndoneRunByUndo,
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

/**
 * Returns the status of a value whose last writer is the run. Only the run's writes after its last merge, and after the
 * last write of another run, count: `last` has the value that the first of these replaced. Returns `merged` if no write
 * is left, or if that value is unknown.
 */
function ownStanding(writings: readonly ValueWrite[], run: number): WriteStatus {
  const afterOthers = writings.findLastIndex((writing) => writing.run !== run) + 1;
  const own = writings.slice(afterOthers);
  const afterMerge = own.slice(own.findLastIndex(({ merged }) => merged) + 1);
  const [first] = afterMerge;
  const last = afterMerge.at(-1);
  if (first?.was === undefined || last === undefined) return { kind: 'merged' };
  return { kind: 'last', before: first.was, wrote: last.want };
}
