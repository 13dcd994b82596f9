import { FatalError } from '../model/fatal-error.ts';

/** What stopped a run, as an error that a person can read. */
export function asFatal(thrown: unknown): FatalError {
  if (thrown instanceof FatalError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FatalError('unexpected', `something went wrong that should not: ${message}`, { cause: thrown });
}
