/** Numbers that look random and are the same for the same seed. */
export interface Dice {
  /** From 0 to below 1. */
  roll(): number;
  /** A whole number from 0 to below `sides`. */
  below(sides: number): number;
  pick<T>(values: readonly [T, ...T[]]): T;
}

/** Mulberry32. */
export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (sides: number): number => Math.floor(roll() * sides);
  return {
    roll,
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
  };
}
