import type { YamlMistake } from '../../mapping/index.ts';
import type { Hint } from '../../model/command.ts';
import type { ErrorPlace } from '../../model/fatal-error.ts';
import { formatHint, type Invocation } from '../run/command-line.ts';

/** The result of one check. */
export interface Finding {
  readonly verdict: 'ok' | 'wrong' | 'note';
  readonly text: string;
  readonly place?: ErrorPlace | undefined;
  /** What to do about it; undefined if there is no advice. */
  readonly next?: string | undefined;
  /** True if the token lacks the permission (403). */
  readonly denied?: true;
}

/** A finding whose next step is not formatted for a terminal yet. */
export type UnformattedFinding = Omit<Finding, 'next'> & { readonly next?: Hint | undefined };

/** Returns a finding of something that is correct. */
export function createOkFinding(text: string, place?: ErrorPlace): Finding {
  return { verdict: 'ok', text, ...(place && { place }) };
}

/** Returns a finding that is not an error but worth knowing. */
export function createNoteFinding(text: string): Finding {
  return { verdict: 'note', text };
}

/** Returns a mistake in a file as a finding. */
export function createMistakeFinding(file: string, { line, column, key, reason }: YamlMistake): Finding {
  return { verdict: 'wrong', text: reason, place: { file, line, column, key } };
}

/** Returns findings with their next steps as text, with commands in the form of the invocation. */
export function formatFindings(
  findings: readonly UnformattedFinding[],
  invocation: Invocation,
): readonly Finding[] {
  return findings.map((finding) => {
    const { next, ...found } = finding;
    return next === undefined ? found : { ...finding, next: formatHint(next, invocation) };
  });
}
