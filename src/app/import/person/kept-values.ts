import type { Problem } from '../../../model/problem.ts';
import { changesOf, isEmpty } from '../../../steps/field-change.ts';
import type { PersonTask } from './progress.ts';
import type { Written } from './write-contact.ts';

/**
 * What the row says and the contact does not get, as it has another value and only empty fields are filled: a note for each
 * field. The contact is as it was read before, or after a merge: nothing more is asked for it.
 */
export function keptValues(
  { context, values }: PersonTask,
  { contact, only, progress }: Written,
): readonly Problem[] {
  // Whom this row created has what the row says, in the workspace's own spelling.
  if (only !== 'empty' || contact === null || progress.did === 'created') return [];
  return changesOf(values, contact, context.rules, 'changed').flatMap(({ kind, name, from, to }) => {
    if (isEmpty(from) || isEmpty(to) || name === progress.leftOut) return [];
    const field = kind === 'custom' ? `customFields.${name}` : name;
    const reason = `contact ${contact.id} has ${JSON.stringify(from)}, so ${JSON.stringify(to)} is left out (onMatch: fill)`;
    return [{ code: `${field}.kept`, column: null, reason }];
  });
}
