/** Whether this is `npm run test:long`, which tries all of what `npm test` tries a part of. */
export const isLong = process.env.LONGSHORE_TESTS === 'long';

/** A table of cases: all of it in `npm run test:long`, in `npm test` the first. */
export function some<T>(cases: readonly T[], first = 1): readonly T[] {
  return isLong ? cases : cases.slice(0, first);
}
