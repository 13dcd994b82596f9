import type { Contact } from './contact.ts';

const unassigned = { id: null, firstName: null, lastName: null, email: null };

/** Returns the record of a contact (`toContactRecord`) as JSON text. */
export function toContactRecordJson(contact: Contact, fieldNames: readonly string[]): string {
  return JSON.stringify(toContactRecord(contact, fieldNames));
}

/**
 * Returns a contact as one record: the columns that every contact has, `customFields` by name (null for each of
 * `fieldNames` without a value), then any other properties that the workspace returned.
 */
export function toContactRecord(
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
    assignee: assignee ?? unassigned,
    status,
    isBlocked,
    created: toIsoTimestamp(created_at),
    tags,
    customFields,
  };
  // `known` is spread twice: first so that its properties come first, then so that none of `rest` overrides them.
  return { ...known, ...rest, ...known };
}

/** Returns a Unix time in seconds in ISO 8601, in UTC; null for null and for times beyond the calendar. */
export function toIsoTimestamp(seconds: number | null | undefined): string | null {
  if (seconds === null || seconds === undefined) return null;
  const moment = new Date(seconds * 1_000);
  return Number.isNaN(moment.getTime()) ? null : `${moment.toISOString().slice(0, -'.000Z'.length)}Z`;
}
