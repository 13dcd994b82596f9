import type { Contact } from '../../model/contact.ts';

const nobody = { id: null, firstName: null, lastName: null, email: null };

/**
 * A contact as the JSON text of one record: the columns that every contact has, then those of its custom fields by name (all
 * of the workspace's, filled or not), then whatever else the workspace says of it.
 */
export function contactRecord(contact: Contact, fieldNames: readonly string[]): string {
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
  return JSON.stringify({ ...known, ...rest, ...known });
}

/** A Unix time in seconds as it is written in ISO 8601, in UTC; null where there is none or none that a calendar has. */
export function momentOf(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined) return null;
  const moment = new Date(seconds * 1_000);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString().replace(/\.\d+Z$/, 'Z');
}
