import { expect, it } from 'vitest';
import { renameColumn } from '../../../src/mapping/index.ts';

const mapping = `# kept
mapping: people
key: E-mail  # kept
contact:
  email: { from: [E-mail, Work] }  # kept
  phone: { from: Phone, country: { from: E-mail } }
  lastName: { template: "{E-mail} {Work}" }
customFields:
  E-mail: { from: E-mail, type: text }
comments:
  - { name: note, text: "{mention: assignee} {E-mail}: {Notes}", needs: [Notes, E-mail], dates: { E-mail: M/d/yyyy } }
  - { each: calls, key: E-mail, text: "{E-mail}" }
tests:
  - row: { First: Ada, E-mail: " ADA@Example.com " }
    expect: { contact: { email: ada@example.com } }
`;

it('a column that is called differently in a newer file is renamed wherever the mapping reads it', () => {
  const renamed = renameColumn(mapping, { column: 'E-mail', to: 'Correo' });
  expect(renamed).toEqual({
    ok: true,
    text: mapping
      .replace('key: E-mail  #', 'key: Correo  #')
      .replace('[E-mail, Work]', '[ Correo, Work ]')
      .replace('country: { from: E-mail }', 'country: { from: Correo }')
      .replace('"{E-mail} {Work}"', '"{Correo} {Work}"')
      .replace('{ from: E-mail, type', '{ from: Correo, type')
      .replace('} {E-mail}: {Notes}"', '} {Correo}: {Notes}"')
      .replace('[Notes, E-mail]', '[ Notes, Correo ]')
      .replace('{ E-mail: M/d/yyyy }', '{ Correo: M/d/yyyy }')
      .replace('Ada, E-mail: "', 'Ada, Correo: "'),
  });
});

it('a target that reads the new column already reads it once', () => {
  const both = 'mapping: m\nkey: ID\ncontact:\n  email: { from: [E-mail, Correo] }\n';
  expect(renameColumn(both, { column: 'E-mail', to: 'Correo' })).toEqual({
    ok: true,
    text: both.replace('[E-mail, Correo]', 'Correo'),
  });
});

it('nothing is renamed in a text that cannot be read', () => {
  expect(renameColumn('a: [', { column: 'E-mail', to: 'Correo' })).toMatchObject({ ok: false });
});
