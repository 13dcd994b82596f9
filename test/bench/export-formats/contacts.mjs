// Made-up contacts as an export has them.
import { personAt } from '../formats/people.mjs';

const paths = [
  ...['id', 'firstName', 'lastName', 'email', 'phone', 'countryCode', 'lifecycle', 'status'].map((name) => [
    name,
  ]),
  ...['isBlocked', 'created', 'tags'].map((name) => [name]),
  ['assignee', 'email'],
  ...['Company', 'City', 'Note', 'Score'].map((name) => ['customFields', name]),
];

const types = { id: 'integer', isBlocked: 'boolean', created: 'moment', tags: 'texts', Score: 'number' };

/** The columns that a flat format shows. */
export const columns = paths.map((path) => ({
  name: path.join('.'),
  path,
  type: types[path.at(-1)] ?? 'text',
}));

/** Contact `n`, as the interface gave it and in its normal form. */
export function contactAt(n) {
  const [, firstName, lastName, email, phone, company, city, countryCode, tags, note, , score] = personAt(n);
  const plain = {
    id: n + 1,
    firstName,
    lastName,
    email,
    phone,
    language: null,
    profilePic: null,
    countryCode,
  };
  const place = { status: 'closed', lifecycle: 'Customer', isBlocked: false };
  const assignee = { id: 7, firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com' };
  const customFields = { Company: company, City: city, Note: note, Score: score };
  const fields = Object.entries(customFields).map(([name, value]) => ({ name, value }));
  const list = tags.split(';');
  return {
    normal: { ...plain, ...place, assignee, created: '2026-01-02T03:04:05Z', tags: list, customFields },
    given: { ...plain, ...place, assignee, created_at: 1_767_323_045, tags: list, custom_fields: fields },
  };
}
