import type { Contact } from '../../../model/contact.ts';
import type { Draft } from '../../../model/draft.ts';
import { changesOf } from '../../../steps/field-change.ts';
import type { ImportContext } from '../context.ts';
import type { Person } from './person.ts';

/** The draft as a merge sees it: all of it, and under `onMatch: fill` only what neither contact has. */
export function mergeDraft(
  { rules, policy }: ImportContext,
  { draft }: Person,
  contacts: readonly [Contact, Contact],
): Draft {
  if (policy.onMatch !== 'fill') return draft;
  const { values } = draft;
  const empty = contacts.map(
    (contact) =>
      new Set(changesOf(values, contact, rules, 'empty').map(({ kind, name }) => `${kind} ${name}`)),
  );
  const isEmpty = (kind: string) => {
    return ([name]: readonly [string, unknown]) => empty.every((each) => each.has(`${kind} ${name}`));
  };
  const contact = Object.entries(values.contact).filter(isEmpty('contact'));
  const customFields = Object.entries(values.customFields).filter(isEmpty('custom'));
  return {
    ...draft,
    values: { contact: Object.fromEntries(contact), customFields: Object.fromEntries(customFields) },
  };
}
