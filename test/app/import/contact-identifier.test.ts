import { expect, it } from 'vitest';
import { formatContactsCsv } from '../../../src/app/import/report/lists.ts';
import { type RealImport, realImport } from './real-import.ts';

const fields = `contact:
  firstName: { from: Name }
  email: { from: Email }
  phone: { from: Phone }
`;
const keyed = `mapping: people\nkey: Id\n${fields}`;
const keyless = `mapping: people\n${fields}`;

const seed = {
  contacts: [{ id: 7, firstName: 'Anna', email: 'info@example.test', phone: '+12015550101' }],
};
const header = 'Id,Name,Email,Phone';
const shared = [header, 'K1,Ben,info@example.test,+12015550102'];

/** Imports, and returns the contact id and the identifier of each line of contacts.csv. */
async function listed(real: RealImport): Promise<readonly string[]> {
  let text = '';
  await real.import({}, async ({ file, run }) => {
    for await (const chunk of formatContactsCsv(file, run)) text += chunk;
  });
  return text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(2).join(' '));
}

it.each([
  ['with a key', keyed],
  ['without a key', keyless],
])(
  'of a contact created without an e-mail that another contact has, contacts.csv names the phone: a row %s',
  async (_, mapping) => {
    const real = await realImport(mapping, shared, ['  limits: { settle: 1s }'], '', { seed });
    expect(await listed(real)).toEqual([' phone:+12015550102 created']);
    expect(real.sandbox.contacts()).toMatchObject([{ id: 7 }, { firstName: 'Ben', email: null }]);
    // The next import, which sends nothing, and one that changes the contact name the same.
    expect(await listed(real)).toEqual([expect.stringMatching(/ phone:\+12015550102 unchanged$/)]);
    real.write([header, 'K1,Benjamin,info@example.test,+12015550102']);
    expect(await listed(real)).toEqual([expect.stringMatching(/^\d+ phone:\+12015550102 updated$/)]);
  },
);

it.each([
  ['with a key', keyed],
  ['without a key', keyless],
])(
  'of a contact created without an e-mail of another row, contacts.csv names the phone: a row %s',
  async (_, mapping) => {
    const rows = [header, 'K0,Anna,info@example.test,+12015550101', 'K1,Ben,info@example.test,+12015550102'];
    const real = await realImport(mapping, rows, ['  limits: { settle: 1s }']);
    expect(await listed(real)).toEqual([' email:info@example.test created', ' phone:+12015550102 created']);
  },
);

it.each([
  ['with a key', keyed],
  ['without a key', keyless],
])(
  'the closing pass does not take the contact whose e-mail was left out for the created one: a row %s',
  async (_, mapping) => {
    const settings = ['  policy: { workspace: exclusive, lookup: snapshot }', '  limits: { settle: 1s }'];
    const real = await realImport(mapping, shared, settings, '', { seed });
    const lines = await listed(real);
    const ben = real.sandbox.contacts().find(({ firstName }) => firstName === 'Ben')?.id;
    expect(lines).toEqual([`${ben} phone:+12015550102 created`]);
  },
);

it('of a contact whose e-mail was not valid, contacts.csv names the phone', async () => {
  const rows = [header, 'K1,Ben,ben@example,+12015550102'];
  const mapping = keyed.replace('{ from: Email }', '{ from: Email, onInvalid: drop }');
  const real = await realImport(mapping, rows, ['  limits: { settle: 1s }']);
  expect(await listed(real)).toEqual([' phone:+12015550102 created']);
});
