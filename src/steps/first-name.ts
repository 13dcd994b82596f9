import type { Problem } from '../model/problem.ts';

const code = 'firstName.missing';

/** Returns the problem of a contact that would lack a first name, which the interface requires. */
export function createMissingFirstNameProblem(reason: string): Problem {
  return { code, column: null, reason: `${reason}; give the rule of firstName a default` };
}

/** Returns the note that a contact was created with the default first name, because its row has none. */
export function createDefaultFirstNameNote(firstName: string, column: string | null): Problem {
  const reason = `the row has no first name, so the contact was created as "${firstName}"`;
  return { code: 'firstName.default', column, reason };
}

/** Adds the column of first names to the problem of a missing first name; returns any other problem unchanged. */
export function withFirstNameColumn(problem: Problem, column: string | null): Problem {
  return problem.code === code ? { ...problem, column } : problem;
}
