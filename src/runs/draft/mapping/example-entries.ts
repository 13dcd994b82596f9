import type { ContactColumns } from '../columns/contact-columns.ts';
import type { Entry, Plain } from '../yaml/entry.ts';

/** Two example tests with invented values, which hold whatever the rules of the other columns are. */
export function exampleEntries({ emails, names }: ContactColumns): readonly Entry[] {
  const [email] = emails;
  const first = names?.kind === 'parts' ? names.first : undefined;
  if (email === undefined || first === undefined || first === email) return [];
  const row = { [first.profile.name]: 'Ada', [email.profile.name]: ' ADA@Example.com ' };
  const items: readonly Plain[] = [
    { row, expect: { contact: { firstName: 'Ada', email: 'ada@example.com' } } },
    { row: { [first.profile.name]: 'Bob' }, rejects: 'identity.missing' },
  ];
  return [{ key: 'tests', value: { items } }];
}
