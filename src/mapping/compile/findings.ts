import type { Problem } from '../../model/problem.ts';
import type { FieldResult } from './field.ts';

/** What is found in one row beside its values, collected over its parts. */
export interface Findings {
  /** Why the row is rejected. */
  readonly problems: Problem[];
  /** What a person should know although the row stands. */
  readonly notes: Problem[];
}

/** Takes over what a field found. */
export function collect({ rejected, notes }: FieldResult<unknown>, found: Findings): void {
  if (rejected) found.problems.push(rejected);
  for (const note of notes) found.notes.push(note);
}
