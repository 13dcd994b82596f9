import type { Problem } from '../../model/problem.ts';
import type { FieldResult } from './field.ts';

/** The problems and notes found in one row, collected over its parts. */
export interface RowDiagnostics {
  /** Why the row is rejected. */
  readonly problems: Problem[];
  /** Notes for the user about a row that is not rejected. */
  readonly notes: Problem[];
}

/** Adds the problem and the notes of a field. */
export function addDiagnostics({ rejected, notes }: FieldResult<unknown>, found: RowDiagnostics): void {
  if (rejected) found.problems.push(rejected);
  for (const note of notes) found.notes.push(note);
}
