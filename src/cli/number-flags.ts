import { FatalError } from '../model/fatal-error.ts';

/**
 * Throws a FatalError (usage) where the value of a flag is not a whole number from `least` to `most`; undefined is
 * valid.
 */
export function assertWholeNumber(
  flag: string,
  value: number | undefined,
  least: number,
  most = Infinity,
): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) return;
  throw refusal(`--${flag} takes a whole number`, least, most);
}

/** Throws a FatalError (usage) where the value of a flag is not a number from `least` to `most`. */
export function assertNumberBetween(flag: string, value: number, least: number, most = Infinity): void {
  if (!(value >= least && value <= most)) throw refusal(`--${flag} takes a number`, least, most);
}

function refusal(sentence: string, least: number, most: number): FatalError {
  const range = most === Infinity ? `from ${least} on` : `from ${least} to ${most}`;
  return new FatalError('usage', `${sentence} ${range}.`);
}
