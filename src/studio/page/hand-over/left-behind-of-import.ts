import type { LeftBehindGroup } from '../../wire/left-behind.ts';
import type { RunStatus } from '../../wire/runs.ts';

type RunLosses = Pick<RunStatus, 'selection' | 'leftBehind'>;

/** The groups of data of the input as a whole, which every run that reads it finds again. */
const groupsOfInput: ReadonlySet<string> = new Set(['unjoined', 'unresolved', 'notRead', 'columns']);

/**
 * Returns what an import and its later runs leave behind as one list. A rejected row of a retry is not counted again: it
 * is still open in the run that was retried.
 */
export function sumLeftBehind([own, ...later]: readonly RunLosses[]): readonly LeftBehindGroup[] {
  const sums = new Map<string, LeftBehindGroup>();
  const all = [
    ...(own?.leftBehind ?? []),
    ...later.flatMap(({ leftBehind, selection }) =>
      leftBehind.filter(({ kind }) => selection.kind !== 'retry' || kind !== 'rejected'),
    ),
  ];
  for (const group of all) {
    const sum = sums.get(group.kind);
    sums.set(group.kind, sum === undefined ? group : add(sum, group));
  }
  return [...sums.values()];
}

function add(one: LeftBehindGroup, other: LeftBehindGroup): LeftBehindGroup {
  if (groupsOfInput.has(one.kind)) return one;
  const values = new Map(one.values.map(({ value, n }) => [value, n]));
  for (const { value, n } of other.values) values.set(value, n + (values.get(value) ?? 0));
  return {
    ...one,
    n: one.n + other.n,
    example: one.example ?? other.example,
    file: one.file ?? other.file,
    values: [...values].map(([value, n]) => ({ value, n })).sort((a, b) => b.n - a.n),
  };
}
