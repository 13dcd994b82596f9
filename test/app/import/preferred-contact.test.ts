import { expect, it } from 'vitest';
import { realImport } from './real-import.ts';

const mapping = `mapping: people
key: Id
contact:
  firstName: { from: Name }
  lastName: { from: Family }
  email: { from: Email }
  phone: { from: Phone }
`;
const header = 'Id,Name,Family,Email,Phone';
const first = 'K1,Ann,,c@example.test,+12015550188';

it('a person of two rows stays with the contact that prefer-email chose, though another row has the e-mail of a second contact', async () => {
  const seed = {
    contacts: [{ id: 7, firstName: 'Ann', email: 'j@example.test', phone: '+12015550184' }],
  };
  const settings = ['  policy: { onConflict: prefer-email }', '  limits: { settle: 1s }'];
  const real = await realImport(mapping, [header, first], settings, '', { seed });
  const contacts = () => real.sandbox.contacts().map(({ id, lastName }) => [id, lastName]);
  await real.import();
  const [, created] = real.sandbox.contacts();
  real.write([header, first, 'K2,Ann,Lee,j@example.test,+12015550188']);
  await real.import();
  expect(contacts()).toEqual([
    [7, 'Lee'],
    [created?.id, null],
  ]);
  real.write([header, first, 'K2,Ann,Leigh,j@example.test,+12015550188']);
  await real.import();
  expect(contacts()).toEqual([
    [7, 'Leigh'],
    [created?.id, null],
  ]);
});
