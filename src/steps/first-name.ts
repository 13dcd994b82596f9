import type { Problem } from '../model/problem.ts';

const code = 'firstName.missing';

/** The problem of a contact that would be without a first name, which the interface requires. */
export function missingFirstName(reason: string): Problem {
  return { code, column: null, reason: `${reason}; give the rule of firstName a default` };
}

/** The problem with the column that first names are read from, where a missing one is the problem. */
export function inColumnOfNames(problem: Problem, column: string | null): Problem {
  return problem.code === code ? { ...problem, column } : problem;
}
