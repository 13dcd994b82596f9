import { expect, it } from 'vitest';
import { isWrite, realImport } from './real-import.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: First }
  lastName: { from: Last }
  phone: { from: Phone }
  email: { from: Email }
`;
const header = 'Id,First,Last,Phone,Email';

/** Contacts that came from WhatsApp, with the form of their numbers that the file does not have. */
const contacts = [
  { id: 7, firstName: 'Bia', lastName: 'Souza', phone: '+557180071007' },
  { id: 8, firstName: 'Luz', lastName: 'Gómez', phone: '+5215512345678', email: 'luz@example.test' },
  { id: 9, firstName: 'Iara', lastName: 'Paz', phone: '+5491123456789' },
];
const rows = [
  header,
  'K1,Bia,Souza Lima,+55 71 98007-1007,bia@example.test',
  'K2,Luz,Gómez,+52 55 1234 5678,luz.gomez@example.test',
  'K3,Iara,Paz,+54 11 2345-6789,iara@example.test',
];

it.each([
  ['shared, by single reads', '{ workspace: shared, lookup: single, onMatch: update }'],
  ['shared, by the contact list', '{ workspace: shared, lookup: snapshot, onMatch: update }'],
  ['exclusive', '{ workspace: exclusive, lookup: snapshot, onMatch: update }'],
])('a contact with the other form of a number is found, and keeps it: %s', async (_how, policy) => {
  const real = await realImport(mapping, rows, [`  policy: ${policy}`, '  limits: { settle: 1s }'], '', {
    seed: { contacts },
  });
  const plan = await real.plan();
  expect(plan.rows).toMatchObject({ created: 0, updated: 3 });
  await real.import();
  expect(real.sandbox.contacts()).toMatchObject([
    { id: 7, lastName: 'Souza Lima', phone: '+557180071007', email: 'bia@example.test' },
    { id: 8, phone: '+5215512345678', email: 'luz.gomez@example.test' },
    { id: 9, phone: '+5491123456789', email: 'iara@example.test' },
  ]);
  real.write([header, ...rows.slice(1).map((row) => row.replace('98007-1007', '8007-1007'))]);
  const before = real.sandbox.log.length;
  await real.import({ full: true });
  expect(real.sandbox.contacts()).toHaveLength(3);
  expect(real.sandbox.log.slice(before).filter(isWrite)).toEqual([]);
});
