import type { Contact } from '../../src/model/contact.ts';

/** A contact with nothing but its id and what is given. */
export function contact(id: number, more: Partial<Contact> = {}): Contact {
  return {
    id,
    firstName: null,
    lastName: null,
    email: null,
    phone: null,
    language: null,
    profilePic: null,
    countryCode: null,
    custom_fields: [],
    status: null,
    tags: [],
    assignee: null,
    lifecycle: null,
    created_at: null,
    isBlocked: false,
    ...more,
  };
}
