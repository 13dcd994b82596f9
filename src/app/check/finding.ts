import type { Mistake } from '../../mapping/index.ts';
import type { Place } from '../../model/fatal-error.ts';

/** One thing that was looked at. */
export interface Finding {
  readonly verdict: 'ok' | 'wrong' | 'note';
  readonly text: string;
  readonly place?: Place | undefined;
  /** What to do about it, where that is known. */
  readonly next?: string | undefined;
  /** The token may not do what is needed (403). */
  readonly denied?: true;
}

/** Returns a finding of something that is correct. */
export function okFinding(text: string, place?: Place): Finding {
  return { verdict: 'ok', text, ...(place && { place }) };
}

/** Returns a finding that the user should know. */
export function noteFinding(text: string): Finding {
  return { verdict: 'note', text };
}

/** Returns a mistake in a file as a finding. */
export function mistakeFinding(file: string, { line, column, key, reason }: Mistake): Finding {
  return { verdict: 'wrong', text: reason, place: { file, line, column, key } };
}
