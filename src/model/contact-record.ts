import type { Contact } from './contact.ts';

const nobody = { id: null, firstName: null, lastName: null, email: null };

/** The text of `contactForm` as JSON. */
export function contactRecord(contact: Contact, fieldNames: readonly string[]): string {
  return JSON.stringify(contactForm(contact, fieldNames));
}

/**
 * A contact as one flat record: the columns that every contact has, then those of its custom fields by name (all of the
 * workspace's, filled or not), then whatever else the workspace says of it.
 */
export function contactForm(
  contact: Contact,
  fieldNames: readonly string[],
): Readonly<Record<string, unknown>> {
  const {
    id,
    firstName,
    lastName,
    email,
    phone,
    language,
    countryCode,
    profilePic,
    lifecycle,
    assignee,
    status,
    isBlocked,
    created_at,
    tags,
    custom_fields,
    ...rest
  } = contact;
  const customFields = Object.fromEntries([
    ...fieldNames.map((name) => [name, null] as const),
    ...custom_fields.map(({ name, value }) => [name, value] as const),
  ]);
  const known = {
    ...{ id, firstName, lastName, email, phone, language, countryCode, profilePic, lifecycle },
    assignee: assignee ?? nobody,
    status,
    isBlocked,
    created: momentOf(created_at),
    tags,
    customFields,
  };
  // Once for their place, and once because nothing else of that name may stand in theirs.
  return { ...known, ...rest, ...known };
}

/** A Unix time in seconds as it is written in ISO 8601, in UTC; null where there is none or none that a calendar has. */
export function momentOf(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined) return null;
  const moment = new Date(seconds * 1_000);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString().replace(/\.\d+Z$/, 'Z');
}
