import { createValidationError } from '../api-error.ts';
import { parseCustomValues } from '../contact-view.ts';
import { isJsonObject } from '../rules/body.ts';
import { plainContactFieldNames } from '../rules/contact-body.ts';
import type { ContactRow } from '../store/contacts.ts';
import type { SandboxStore } from '../store/store.ts';
import { applyCustomFieldChange, readContactChange } from './contacts.ts';
import type { RouteCall, SandboxEndpoint } from './endpoint.ts';

export const mergeContactsRoute: SandboxEndpoint = {
  method: 'POST',
  template: '/contact/merge',
  handle(call) {
    const change = readContactChange(call, ['contactIds']);
    const [primary, secondary] = pair(call);
    const custom = new Map(change.custom ?? []);
    call.store.transaction(() => {
      moveBelongings(call.store, secondary.id, primary.id);
      call.store.contacts.remove(secondary.id);
      call.store.contacts.save({
        ...primary,
        ...filledFrom(primary, secondary),
        firstName: change.firstName ?? primary.firstName ?? secondary.firstName,
        ...change.plain,
        custom: JSON.stringify(
          applyCustomFieldChange({ ...parseCustomValues(secondary), ...parseCustomValues(primary) }, custom),
        ),
      });
    });
    return { contactId: primary.id };
  },
};

/** Returns the two contacts of a merge, the older one first: it becomes the primary contact. */
function pair(call: RouteCall): [ContactRow, ContactRow] {
  const ids: unknown = isJsonObject(call.body) ? call.body.contactIds : undefined;
  if (!Array.isArray(ids) || ids.length !== 2)
    throw createValidationError('contactIds must be the ids of two contacts');
  const [one, two] = ids.map((id: unknown) => contactWith(id, call));
  if (one === undefined || two === undefined || one.id === two.id) {
    throw createValidationError('contactIds must be the ids of two different contacts');
  }
  const oneIsOlder =
    one.created_at < two.created_at || (one.created_at === two.created_at && one.id < two.id);
  return oneIsOlder ? [one, two] : [two, one];
}

function contactWith(id: unknown, call: RouteCall): ContactRow {
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw createValidationError('contactIds must be integers');
  const found = call.store.contacts.find({ kind: 'id', id }, call.now);
  if (found.kind !== 'ready') throw createValidationError(`there is no contact ${id}`);
  return found.row;
}

/** Returns the primary's values, and the secondary's where the primary has none. */
function filledFrom(primary: ContactRow, secondary: ContactRow): Partial<ContactRow> {
  const filled: { -readonly [F in (typeof plainContactFieldNames)[number]]?: string | null } = {};
  for (const name of plainContactFieldNames) filled[name] = primary[name] ?? secondary[name];
  return {
    ...filled,
    lifecycle: primary.lifecycle ?? secondary.lifecycle,
    assignee: primary.assignee ?? secondary.assignee,
  };
}

function moveBelongings(store: SandboxStore, from: number, to: number): void {
  store.tags.move(from, to);
  store.comments.move(from, to);
  store.messages.move(from, to);
}
