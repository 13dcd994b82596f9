/** Choices that depend on nothing but a seed. */
export interface Random {
  /** A number from 0 up to, not including, 1. */
  next(): number;
  chance(share: number): boolean;
  /** A whole number, both ends included. */
  int(least: number, most: number): number;
  pick<T>(list: readonly T[]): T;
  /** One of the keys, as often as its share says. */
  weighted<K extends string>(shares: Readonly<Record<K, number>>): K;
  shuffled<T>(list: readonly T[]): T[];
}

export function randomOf(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <T>(list: readonly T[]): T => {
    const found = list[int(0, list.length - 1)];
    if (found === undefined) throw new Error('Nothing to choose from.');
    return found;
  };
  return {
    ...{ next, int, pick },
    chance: (share) => next() < share,
    weighted(shares) {
      const keys = Object.keys(shares) as (keyof typeof shares)[];
      let left = next() * keys.reduce((sum, key) => sum + shares[key], 0);
      for (const key of keys) {
        left -= shares[key];
        if (left < 0) return key;
      }
      return pick(keys);
    },
    shuffled(list) {
      const all = [...list];
      for (let at = all.length - 1; at > 0; at -= 1) {
        const other = int(0, at);
        const [one, two] = [all[at], all[other]];
        if (one !== undefined && two !== undefined) [all[at], all[other]] = [two, one];
      }
      return all;
    },
  };
}
