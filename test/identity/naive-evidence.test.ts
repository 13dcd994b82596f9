import { expect, it } from 'vitest';
import { judgeSamePerson } from '../../src/identity/evidence.ts';
import { type NaiveSide, naiveJudge, type TableLine, table } from './naive-evidence.ts';

/** Each as `first/family`; a part that is not there is empty. */
const names = [
  ...[
    '/',
    'N/A/',
    '/King',
    'Ada/',
    'A./',
    'ADA/Lovelace',
    'A./LOVELACE',
    'Áda/Stone',
    'Ada King/',
    'King/Ada',
  ],
  ...[
    'Adam/King',
    'Ad/King',
    'Bob/King',
    'Bob/Stone',
    'Cy/',
    'Ada REFUSED/King',
    'Ада/',
    'Ада/Кинг',
    'Ада/King',
  ],
].map((text) => {
  const at = text.lastIndexOf('/');
  return { first: text.slice(0, at) || null, family: text.slice(at + 1) || null };
});

const identifiers = [null, 'a@x.test', 'info@x.test'].flatMap((email) =>
  [null, '+1'].flatMap((phone) => [null, '1'].map((key) => ({ key, email, phone }))),
);
const others = [
  ...identifiers,
  ...['a@x.test', 'b@x.test'].flatMap((email) => [null, '1'].map((key) => ({ key, email, phone: '+2' }))),
];

const dates = [
  [null, '1988-07-09'],
  ['1960-02-03', '1960-02-03'],
  ['1960-02-03', '1988-07-09'],
] as const;

/** Two sides with one name each, and whatever may be equal. */
function* sides(): Generator<readonly [NaiveSide, NaiveSide]> {
  for (const [n, name] of names.entries())
    for (const other of names.slice(n))
      for (const one of identifiers)
        for (const two of others)
          for (const [birthDate, born] of dates)
            yield [
              { ...one, ...name, birthDate },
              { ...two, ...other, birthDate: born },
            ];
}

it('what is judged of two rows, or of a row and a contact, is what the table says, whatever they are called', () => {
  const met = new Set<TableLine>();
  const wrong: string[] = [];
  for (const [one, other] of sides()) {
    for (const otherIs of ['row', 'contact'] as const) {
      const wanted = naiveJudge(one, other, otherIs);
      met.add(wanted.line);
      const { verdict, equal } = judgeSamePerson(one, other, otherIs);
      if (verdict !== wanted.verdict || equal.join() !== wanted.equal.join())
        wrong.push(`${verdict}, not ${wanted.line}: ${JSON.stringify([one, other, otherIs])}`);
    }
  }
  expect(wrong.slice(0, 10)).toEqual([]);
  expect([...met].sort()).toEqual(Object.keys(table).sort());
});
