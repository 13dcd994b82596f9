import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { describe, expect, it } from 'vitest';
import { atScene, type InputRow, type Report, type Scene } from './scene.ts';

const mapping = `mapping: born
key: ID
contact:
  firstName: { from: First }
  lastName: { from: Last }
  email: { from: Email }
  phone: { from: Phone }
customFields:
  Birthday: { from: Born, type: date, formats: [d.M.yyyy], birthDate: true }
`;

const phone = '+12015550101';

interface Person {
  readonly first: string;
  readonly email?: string;
  readonly phone?: string;
  /** `yyyy-mm-dd`. */
  readonly born?: string;
}

const row = (id: string, { first, email = '', phone = '', born = '' }: Person): InputRow => {
  const [year, month, day] = born.split('-').map(Number);
  const Born = born === '' ? '' : `${day}.${month}.${year}`;
  return { ID: id, First: first, Last: 'Meyer', Email: email, Phone: phone, Born };
};

const contact = (id: number, { first, born, email = '', phone = '' }: Person) => ({
  ...{ id, firstName: first, lastName: 'Meyer' },
  ...(email !== '' && { email }),
  ...(phone !== '' && { phone }),
  custom_fields: born === undefined ? [] : [{ name: 'Birthday', value: born }],
});

const scene = (rows: readonly InputRow[], contacts: ReturnType<typeof contact>[] = [], policy = {}) => ({
  ...{ mapping, rows },
  seed: { customFields: [{ name: 'Birthday', dataType: 'date' as const }], contacts },
  settings: { policy: { maxErrors: '100%', ...policy }, limits: { settle: '1s' } },
});

const people = ({ sandbox }: Scene) =>
  sandbox
    .contacts()
    .map(({ firstName, email, phone, custom_fields }) =>
      [firstName, email ?? '-', phone ?? '-', custom_fields[0]?.value ?? '-'].join(' '),
    )
    .sort();

function answer(at: Scene, report: Report, given: string): string {
  const path = join(at.path, 'answered.csv');
  const lines = (report.csv('same-person.csv') ?? []).map((line) => ({ ...line, answer: given }));
  writeFileSync(path, stringify(lines, { header: true }));
  return path;
}

const father = { first: 'Karl', email: 'karl@x.test', phone, born: '1960-02-03' };
const son = { first: 'Karl', email: 'kalle@x.test', phone, born: '1988-07-09' };
const rows = [row('1', father), row('2', son)];
const evidence = 'same phone; the names match; the dates of birth differ';

describe.each([
  ['single reads', {}],
  ['the contact list', { lookup: 'snapshot' }],
  ['exclusive', { lookup: 'snapshot', workspace: 'exclusive' }],
])('a father and a son with one name and one phone, %s', (_, policy) => {
  it('are a question in the file, and two contacts by the answer', async () => {
    await atScene(scene(rows, [], policy), async (at) => {
      const report = await at.import();
      expect([...report.outcomes()]).toEqual([
        [2, 'created'],
        [3, 'proposed'],
      ]);
      expect(report.csv('same-person.csv')).toMatchObject([
        { evidence, 'row.birthDate': son.born, 'other.birthDate': father.born },
      ]);
      const list = answer(at, report, 'different');
      expect([...(await at.import('--approve', list)).outcomes()]).toEqual([[3, 'created']]);
      const both = [`Karl kalle@x.test - ${son.born}`, `Karl karl@x.test ${phone} ${father.born}`];
      expect(people(at)).toEqual(both);
      await at.import('--full');
      expect(people(at)).toEqual(both);
    });
  });

  it('are a question where the workspace has the other one', async () => {
    await atScene(scene([row('2', son)], [contact(7, father)], policy), async (at) => {
      const report = await at.import();
      expect([...report.outcomes().values()]).toEqual(['proposed']);
      expect(report.csv('same-person.csv')).toMatchObject([
        { evidence, 'row.birthDate': son.born, 'other.birthDate': father.born },
      ]);
      expect([...(await at.import('--approve', answer(at, report, 'same'))).outcomes().values()]).toEqual([
        'updated',
      ]);
      expect(people(at)).toEqual([`Karl kalle@x.test ${phone} ${son.born}`]);
    });
  });

  it('go each to the contact with their date of birth', async () => {
    const [own, other] = [contact(7, { ...son, email: 'k@x.test' }), contact(8, { ...father, phone: '' })];
    await atScene(scene(rows, [own, other], { ...policy, unsure: 'different' }), async (at) => {
      await at.import();
      expect(people(at)).toEqual([
        `Karl kalle@x.test ${phone} ${son.born}`,
        `Karl karl@x.test - ${father.born}`,
      ]);
    });
  });
});

describe('a row and a contact with one phone and one name', () => {
  it.each([
    ['the same date of birth', { born: father.born }, 'updated'],
    ['no date of birth in the row', { born: '' }, 'updated'],
    ['a date that stands for none', { born: '1900-01-01' }, 'updated'],
    ['another date of birth', { born: son.born }, 'proposed'],
  ])('%s', async (_, said, outcome) => {
    const there = contact(7, { ...father, email: 'old@x.test' });
    await atScene(scene([row('1', { ...father, ...said })], [there]), async (at) => {
      expect([...(await at.import()).outcomes().values()]).toEqual([outcome]);
    });
  });

  it('a date of birth that was corrected in the file is updated: the key is the same', async () => {
    await atScene(scene([row('1', father)]), async (at) => {
      await at.import();
      at.writeRows([row('1', { ...father, born: '1961-02-03' })]);
      expect([...(await at.import()).outcomes().values()]).toEqual(['updated']);
      expect(people(at)).toEqual([`Karl karl@x.test ${phone} 1961-02-03`]);
    });
  });
});

it('two first names and two dates of birth are two people, without a question', async () => {
  const mother = { first: 'Eva', email: 'eva@x.test', phone, born: '1962-05-06' };
  const child = { first: 'Mia', phone: '+12015550102', email: 'eva@x.test', born: '1990-08-07' };
  await atScene(scene([row('1', mother), row('2', child)]), async (at) => {
    expect([...(await at.import()).outcomes().values()]).toEqual(['created', 'created']);
    expect(people(at)).toEqual([
      `Eva eva@x.test ${phone} ${mother.born}`,
      `Mia - ${child.phone} ${child.born}`,
    ]);
  });
});

it('two contacts with different dates of birth are not merged', async () => {
  const there = [contact(7, { ...father, phone: '' }), contact(8, { ...son, email: '' })];
  const policy = { onConflict: 'merge' };
  await atScene(scene([row('1', { ...father, born: '' })], there, policy), async (at) => {
    const report = await at.import();
    expect([...report.outcomes().values()]).toEqual(['proposed']);
    expect(people(at)).toHaveLength(2);
  });
});
