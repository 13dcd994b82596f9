import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atScene, type InputRow, type Report } from './scene.ts';

const mapping = `mapping: first
key: ID
contact:
  firstName: { from: First, default: Unknown }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
`;

const phone = '+12015550101';
const anna = { First: 'Anna', Last: 'Meier', Email: '', Phone: phone };
const tom = { First: 'Tom', Last: 'Meier', Email: 't@x.test', Phone: phone };
const settings = { policy: { maxErrors: '100%' }, limits: { settle: '1s' } };

/** The outcome of the only row, with the codes that rejects.csv and dropped.csv have of it. */
function fate(report: Report): string {
  const lists = ['rejects.csv', 'dropped.csv'].flatMap((name) => report.csv(name) ?? []);
  return [report.outcomes().get(2), ...lists.map(({ _code }) => _code)].join(' ');
}

describe('a contact with nothing but a phone that an earlier import has written', () => {
  const others: readonly (readonly [what: string, id: string, row: InputRow, expected: string])[] = [
    ['is in question for a row with another first name', 'B7', tom, 'proposed identity.ask'],
    ['is the person of a row with its names', 'B7', { ...anna, Email: 'a@x.test' }, 'updated'],
    ['is the person of a row without a name', 'B7', { ...tom, First: '', Last: '' }, 'updated'],
  ];
  const sameKey = ['is in question for a row with the same key', 'A1', tom, 'proposed identity.ask'] as const;
  describe.each([
    ['mapping', [...others, sameKey]],
    ['system', others],
  ] as const)('of another %s', (other, rows) => {
    it.each(rows)('%s', async (_what, id, row, expected) => {
      await atScene({ mapping, rows: [{ ID: 'A1', ...anna }], settings }, async (at) => {
        await at.import();
        const before = at.sandbox.contacts();
        at.writeRows([{ ID: id, ...row }]);
        writeFileSync(
          join(at.path, 'mapping.yaml'),
          other === 'mapping' ? mapping.replace('mapping: first', 'mapping: second') : mapping,
        );
        const source = { format: 'csv', path: 'people.csv', ...(other === 'system' && { system: 'second' }) };
        const pipeline = { pipeline: 'people', import: { source, mapping: 'mapping.yaml', ...settings } };
        writeFileSync(join(at.path, 'pipeline.yaml'), JSON.stringify(pipeline));
        expect(fate(await at.import())).toBe(expected);
        if (expected.startsWith('proposed')) expect(at.sandbox.contacts()).toEqual(before);
        else expect(at.sandbox.contacts()).toMatchObject([{ firstName: 'Anna', email: row.Email }]);
      });
    });
  });
});

describe('a key that an earlier import has met, in several rows of which one has no name', () => {
  const nobody = { First: '', Last: '', Email: 'n@x.test', Phone: '' };
  const otto = { First: 'Otto', Last: 'Schulz', Email: 'o@x.test', Phone: '+12015550102' };
  it.each([
    ['of somebody else', [otto, nobody], 'rejected key.reused'],
    ['of the same person', [{ ...otto, First: 'Anna' }, nobody], 'updated'],
    ['without any name', [nobody, { ...nobody, Phone: '+12015550103' }], 'updated'],
  ])('%s', async (_what, rows, expected) => {
    await atScene({ mapping, rows: [{ ID: '1', ...anna }], settings }, async (at) => {
      await at.import();
      const before = at.sandbox.contacts();
      at.writeRows(rows.map((row) => ({ ID: '1', ...row })));
      const report = await at.import();
      const codes = (report.csv('rejects.csv') ?? []).map(({ _code }) => _code);
      expect([report.outcomes().get(3), ...new Set(codes)].join(' ')).toBe(expected);
      if (expected.startsWith('rejected')) expect(at.sandbox.contacts()).toEqual(before);
      else expect(at.sandbox.contacts()).toMatchObject([{ firstName: 'Anna', email: 'n@x.test' }]);
    });
  });
});
