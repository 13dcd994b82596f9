import type { CustomValue } from './custom-field.ts';

/** The contact fields that a create, an update and a merge can send, custom fields aside. */
export const contactFieldNames = [
  'firstName',
  'lastName',
  'email',
  'phone',
  'language',
  'profilePic',
  'countryCode',
] as const;

export type ContactFieldName = (typeof contactFieldNames)[number];

/** Field values to send; absent means "leave alone", null means "clear". */
export type ContactFields = { readonly [F in ContactFieldName]?: string | null };

export interface CustomFieldEntry {
  readonly name: string;
  readonly value: CustomValue;
}

/** The body of a create, an update or a merge, with the property names of the API (`custom_fields`). */
export type ContactBody = ContactFields & {
  readonly firstName: string;
  readonly custom_fields?: readonly CustomFieldEntry[];
};

export interface Assignee {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** A contact as the interface returns it (specification: Contact), with its property names; unknown ones are kept. */
export interface Contact {
  readonly id: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly language: string | null;
  readonly profilePic: string | null;
  readonly countryCode: string | null;
  readonly custom_fields: readonly CustomFieldEntry[];
  readonly status: string | null;
  readonly tags: readonly string[];
  readonly assignee: Assignee | null;
  readonly lifecycle: string | null;
  readonly created_at: number | null;
  readonly isBlocked: boolean;
}
