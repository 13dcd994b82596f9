const cheapest = 0.5;

/**
 * Returns the candidate that was most likely meant by `word`, or undefined where none is near; a word that differs
 * only in case is half an edit away.
 */
export function findNearestWord(word: string, candidates: Iterable<string>): string | undefined {
  const bound = Math.max(1, Math.floor(word.length / 3)) + cheapest;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > bound) continue;
    const slips = distance(word, candidate);
    if (slips < least && slips <= bound) [best, least] = [candidate, slips];
  }
  return best;
}

/** Returns `did you mean "x"?` with a leading semicolon, or an empty text where no candidate is near. */
export function formatDidYouMean(word: string, candidates: Iterable<string>): string {
  const meant = findNearestWord(word, candidates);
  return meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`;
}

/**
 * Returns the optimal string alignment distance: insert, delete, replace and swap of neighbours cost one each. Case
 * alone counts as half; otherwise it is ignored.
 */
function distance(word: string, candidate: string): number {
  const lowerWord = word.toLowerCase();
  const lowerCandidate = candidate.toLowerCase();
  if (lowerWord === lowerCandidate) return word === candidate ? 0 : cheapest;
  let beforeLast: number[] = [];
  let last = Array.from({ length: candidate.length + 1 }, (_, index) => index);
  for (let row = 1; row <= word.length; row++) {
    const current = [row];
    for (let column = 1; column <= candidate.length; column++) {
      const same = lowerWord[row - 1] === lowerCandidate[column - 1];
      let least = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        lowerWord[row - 1] === lowerCandidate[column - 2] &&
        lowerWord[row - 2] === lowerCandidate[column - 1];
      if (swapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[candidate.length] ?? 0;
}
