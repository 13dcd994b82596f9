import { z } from 'zod';
import type { FieldValue } from './rules/data-types.ts';
import type { ContactRow } from './store/contacts.ts';
import type { SandboxStore } from './store/store.ts';

/**
 * A contact as the interface shows it (specification: Contact); custom field values are text by default, null
 * if empty.
 */
export interface ContactView<Value = string> {
  readonly id: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly language: string | null;
  readonly profilePic: string | null;
  readonly countryCode: string | null;
  readonly custom_fields: readonly { readonly name: string; readonly value: Value | null }[];
  readonly status: string;
  readonly tags: readonly string[];
  readonly assignee: {
    readonly id: number;
    readonly firstName: string;
    readonly lastName: string;
    readonly email: string;
  } | null;
  readonly lifecycle: string | null;
  readonly created_at: number;
  readonly isBlocked: boolean;
}

const fieldValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

/** Returns the values of a contact's custom fields, by the field's id. */
export function parseCustomValues(row: ContactRow): Record<string, FieldValue> {
  return fieldValues.parse(JSON.parse(row.custom));
}

export function toContactView(row: ContactRow, store: SandboxStore): ContactView {
  return viewWith(row, store, String);
}

/** Returns the view with numbers and checkboxes in their own types, which the specification's schema does not allow. */
export function toTypedContactView(row: ContactRow, store: SandboxStore): ContactView<FieldValue> {
  return viewWith(row, store, (value) => value);
}

function viewWith<Value>(
  row: ContactRow,
  store: SandboxStore,
  show: (value: FieldValue) => Value,
): ContactView<Value> {
  const values = parseCustomValues(row);
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    phone: row.phone,
    email: row.email,
    language: row.language,
    profilePic: row.profilePic,
    countryCode: row.countryCode,
    custom_fields: store.customFields.all().map((field) => {
      const value = values[field.id];
      return { name: field.name, value: value === undefined ? null : show(value) };
    }),
    status: row.status,
    tags: store.tags.namesOf(row.id),
    assignee: row.assignee === null ? null : userSummary(row.assignee, store),
    lifecycle: row.lifecycle,
    created_at: row.created_at,
    isBlocked: row.isBlocked === 1,
  };
}

function userSummary(id: number, store: SandboxStore): ContactView['assignee'] {
  const user = store.users.assigned(id);
  if (user === undefined) return null;
  return { id: user.id, firstName: user.firstName, lastName: user.lastName, email: user.email };
}
