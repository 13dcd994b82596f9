import type { Draft } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';

const code = 'firstName.missing';

/** Returns the problem of a contact that would lack a first name, which the interface requires. */
export function createMissingFirstNameProblem(reason: string): Problem {
  return { code, column: null, reason: `${reason}; give the rule of firstName a default` };
}

/** Returns the note that a new contact gets the default first name; empty if its row has a first name. */
export function listDefaultFirstNameNotes({ values, defaults }: Draft, column: string | null): Problem[] {
  const { firstName } = defaults.contact;
  if (values.contact.firstName !== undefined || !firstName) return [];
  const reason = `the row has no first name, so its new contact is called "${firstName}"`;
  return [{ code: 'firstName.default', column, reason }];
}

/** Adds the column of first names to the problem of a missing first name; returns any other problem unchanged. */
export function withFirstNameColumn(problem: Problem, column: string | null): Problem {
  return problem.code === code ? { ...problem, column } : problem;
}
