import { expect, it } from 'vitest';
import { atScene, type InputRow } from './scene.ts';

const mapping = `mapping: moved
key: ID
contact:
  firstName: { from: First }
  email: { from: Email }
  phone: { from: Phone }
`;

const phone = (n: number) => `+1201555010${n}`;
const ann: InputRow = { ID: 'ann', First: 'Ann', Email: 'info@example.com', Phone: phone(1) };
const moved: InputRow = { ...ann, Email: 'ann@example.com' };
const bob: InputRow = { ID: 'bob', First: 'Bob', Email: 'info@example.com', Phone: phone(2) };

const both = [
  { firstName: 'Ann', email: 'ann@example.com', phone: phone(1) },
  { firstName: 'Bob', email: 'info@example.com', phone: phone(2) },
];

it.concurrent.each([
  ['after', [moved, bob], { updated: 1, created: 1, rejected: 0 }],
  ['before', [bob, moved], { updated: 1, created: 0, rejected: 1 }],
] as const)(
  'an e-mail that went from one to another never makes them one: the new one stands %s',
  async (_where, rows, first) => {
    await atScene({ mapping, rows: [ann], settings: { limits: { settle: '1s' } } }, async (scene) => {
      expect(await scene.import()).toMatchObject({ rows: { created: 1 } });
      scene.writeRows(rows);
      const report = await scene.import();
      expect(report).toMatchObject({ rows: first });
      if (first.rejected > 0) {
        expect(report.csv('rejects.csv')).toMatchObject([{ ID: 'bob', _code: 'identity.conflict' }]);
        expect(await scene.retry(report.run)).toMatchObject({ code: 0, rows: { read: 1, created: 1 } });
      }
      const people = scene.sandbox
        .contacts()
        .map(({ firstName, email, phone: number }) => ({ firstName, email, phone: number }));
      expect(people.sort((a, b) => String(a.firstName).localeCompare(String(b.firstName)))).toEqual(both);
    });
  },
);
