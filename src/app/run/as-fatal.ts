import { FatalError } from '../../model/fatal-error.ts';
import { toFatalSystemError } from '../../storage/system-error.ts';

/** Returns a thrown error as a FatalError with a readable message. */
export function toFatalError(thrown: unknown): FatalError {
  if (thrown instanceof FatalError) return thrown;
  const known = toFatalSystemError(thrown);
  if (known !== undefined) return known;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new FatalError('unexpected', `unexpected error: ${message}`, { cause: thrown });
}
