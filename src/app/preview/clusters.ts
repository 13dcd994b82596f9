import type { CountedValue } from '../draft/profile/value-counts.ts';

/** Values of a column that are likely one value in different spellings. */
export interface SpellingCluster {
  /** `words`: all have the same words; `letters`: only the same pairs of letters, which is weaker evidence. */
  readonly by: 'words' | 'letters';
  /** At least two, the most frequent first. */
  readonly spellings: readonly CountedValue[];
}

/**
 * Groups values by key collision: those with the same fingerprint are one group, and groups whose most frequent values
 * have the same n-gram fingerprint are one cluster. Returns the clusters, the one with the most rows first.
 */
export function clusterSpellings(values: readonly CountedValue[]): readonly SpellingCluster[] {
  const groups = groupBy(values.toSorted(byFrequency), ({ value }) => fingerprint(value));
  return groupBy(groups, ([first]) => first && ngramFingerprint(first.value))
    .map((alike) => ({
      by: alike.length === 1 ? ('words' as const) : ('letters' as const),
      spellings: alike.flat().sort(byFrequency),
    }))
    .filter(({ spellings }) => spellings.length > 1)
    .sort((a, b) => rowsOf(b) - rowsOf(a));
}

/**
 * Returns the words of a value in a form that does not depend on case, accents, punctuation, order and repetition;
 * undefined for a value without letters, and for an address, in which punctuation has a meaning.
 */
export function fingerprint(value: string): string | undefined {
  if (!/\p{L}/u.test(value) || /@|:\/\//.test(value)) return undefined;
  const words = fold(value).split(/\s+/u);
  return [...new Set(words)].sort().join(' ').trim();
}

/**
 * Returns the pairs of adjacent letters of a value, sorted and without repetition, then its digits in order: with the
 * pairs alone, `Store 11` and `Store 111` would be alike.
 */
export function ngramFingerprint(value: string): string {
  const letters = [...fold(value).replaceAll(/\s/gu, '')];
  const pairs =
    letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  return [...new Set(pairs)].sort().join('') + letters.filter((letter) => /\p{N}/u.test(letter)).join('');
}

/** Letters that Unicode does not decompose, and what they are often written as. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ħ: 'h' },
};

/** Returns a value in lower case, without accents and punctuation; punctuation between digits stays, as in 1.5. */
function fold(value: string): string {
  return value
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll(/[ßæœøđðþłıħ]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(/(?<!\p{N})[\p{P}\p{Cc}\p{Cf}]|[\p{P}\p{Cc}\p{Cf}](?!\p{N})/gu, (sign) =>
      /\s/.test(sign) ? ' ' : '',
    )
    .trim();
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): readonly (readonly T[])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined || key === '') continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

function byFrequency(a: CountedValue, b: CountedValue): number {
  return b.n - a.n || (a.value < b.value ? -1 : Number(a.value > b.value));
}

function rowsOf({ spellings }: SpellingCluster): number {
  return spellings.reduce((sum, { n }) => sum + n, 0);
}
