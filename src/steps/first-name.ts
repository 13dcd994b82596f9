import type { Problem } from '../model/problem.ts';

const code = 'firstName.missing';

/** Returns the problem of a contact that would lack a first name, which the interface requires. */
export function createMissingFirstNameProblem(reason: string): Problem {
  return { code, column: null, reason: `${reason}; give the rule of firstName a default` };
}

/** Adds the column of first names to the problem of a missing first name; returns any other problem unchanged. */
export function withFirstNameColumn(problem: Problem, column: string | null): Problem {
  return problem.code === code ? { ...problem, column } : problem;
}
