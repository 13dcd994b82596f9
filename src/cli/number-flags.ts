import { FatalError } from '../model/fatal-error.ts';

/** The value of a flag that takes a whole number from `least` to `most`; throws a FatalError (usage) for anything else. */
export function wholeNumber<N extends number | undefined>(
  flag: string,
  given: N,
  least: number,
  most = Number.POSITIVE_INFINITY,
): N {
  if (given === undefined || (Number.isSafeInteger(given) && given >= least && given <= most)) return given;
  throw new FatalError('usage', `--${flag} takes a whole number ${range(least, most)}.`);
}

/** The same for any number from `least` to `most`. */
export function numberBetween(flag: string, given: number, least: number, most: number): number {
  if (given >= least && given <= most) return given;
  throw new FatalError('usage', `--${flag} takes a number ${range(least, most)}.`);
}

function range(least: number, most: number): string {
  return most === Number.POSITIVE_INFINITY ? `from ${least} on` : `from ${least} to ${most}`;
}
