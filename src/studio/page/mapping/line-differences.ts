/** A place where two texts differ: the lines that only the first has there, and those that only the second has. */
export interface LineDifference {
  /** The line of the first text, from 1. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** The maximum number of pairs of lines to compare. */
const mostCompared = 4_000_000;

/**
 * Returns where two texts differ, by a longest common subsequence of their lines. If that would take too long, the
 * range from the first to the last differing line is returned as one difference.
 */
export function listLineDifferences(before: string, after: string): readonly LineDifference[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(left.length, right.length);
  let from = 0;
  while (from < shorter && left[from] === right[from]) from += 1;
  let same = 0;
  while (same < shorter - from && left.at(-1 - same) === right.at(-1 - same)) same += 1;
  const [gone, added] = [left.slice(from, left.length - same), right.slice(from, right.length - same)];
  if (gone.length === 0 && added.length === 0) return [];
  if (gone.length * added.length > mostCompared) return [{ line: from + 1, before: gone, after: added }];
  return differencesOf(gone, added, from + 1);
}

function differencesOf(
  before: readonly string[],
  after: readonly string[],
  firstLine: number,
): readonly LineDifference[] {
  const commonFrom = countCommonLines(before, after);
  const found: { line: number; before: string[]; after: string[] }[] = [];
  let isOpen = false;
  for (let [i, j] = [0, 0]; i < before.length || j < after.length; ) {
    const [old, fresh] = [before[i], after[j]];
    if (old === fresh) {
      isOpen = false;
      i += 1;
      j += 1;
      continue;
    }
    if (!isOpen) found.push({ line: firstLine + i, before: [], after: [] });
    isOpen = true;
    if (old !== undefined && (fresh === undefined || commonFrom(i + 1, j) >= commonFrom(i, j + 1))) {
      found.at(-1)?.before.push(old);
      i += 1;
    } else if (fresh !== undefined) {
      found.at(-1)?.after.push(fresh);
      j += 1;
    }
  }
  return found;
}

/** Returns the length of the longest common subsequence of the lines from `i` and from `j` on. */
function countCommonLines(
  before: readonly string[],
  after: readonly string[],
): (i: number, j: number) => number {
  const width = after.length + 1;
  const counts = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number) => counts[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      counts[i * width + j] =
        before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return at;
}
