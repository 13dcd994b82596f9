import { FatalError } from '../../model/fatal-error.ts';
import { systemError } from '../../storage/system-error.ts';

/** What stopped a run, as an error that a person can read. */
export function asFatal(thrown: unknown): FatalError {
  if (thrown instanceof FatalError) return thrown;
  const known = systemError(thrown);
  if (known !== undefined) return known;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FatalError('unexpected', `unexpected error: ${message}`, { cause: thrown });
}
