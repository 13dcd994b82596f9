import { rowOf } from '../input.ts';
import { fieldsOf } from './map-row.ts';
import type { Scene } from './people.ts';
import { plain } from './plain.ts';

type Cells = Readonly<Record<string, string>>;

const ada = { firstName: 'Ada' };
const bob = { firstName: 'Bob' };
const cy = { firstName: 'Cy' };
const nobody = {};
const adaStone = { ...ada, lastName: 'Stone' };
const bobStone = { ...bob, lastName: 'Stone' };
const adaKent = { ...ada, lastName: 'Kent' };
const early = { Born: '1960-02-03' };
const late = { Born: '1988-07-09' };
const inOneField = { firstName: 'Ada King' };
const otherScript = { firstName: 'Ада' };

/** What several sides say: a letter is an identifier, `i` an address of a role. */
type Said = readonly [name: Cells, emails: string, phones: string, key?: string];

/** Rows, and contacts that are there, which say nothing of what the next ones say. */
interface Meeting {
  readonly rows: readonly Said[];
  readonly there?: readonly Said[];
}

/** Two rows meet each line of the table of decisions, and a row and a contact each that has no key. */
const meetings: readonly Meeting[] = [
  ...[
    [ada, ada],
    [ada, bob],
  ].map(
    ([one = ada, other = ada]): Meeting => ({
      rows: [
        [one, 'a', '', 'key'],
        [other, 'b', '', 'key'],
      ],
    }),
  ),
  {
    rows: [
      [ada, '', 'p', 'key'],
      [bob, '', 'p', 'key'],
    ],
  },
  ...pairs([adaStone, 'a', ''], [bobStone, 'a', '']),
  ...pairs([adaStone, 'a', 'p'], [bobStone, 'a', 'q']),
  ...pairs([ada, 'a', ''], [bob, 'a', '']),
  ...pairs([ada, 'a', 'p'], [{ firstName: 'A.' }, 'b', 'p']),
  ...pairs([ada, 'a', 'p'], [nobody, '', 'p']),
  ...pairs([ada, 'a', 'p'], [nobody, 'b', 'p']),
  ...pairs([adaStone, 'a', 'p'], [adaKent, 'b', 'p']),
  ...pairs([inOneField, 'a', 'p'], [{ firstName: 'Ada Kent' }, 'b', 'p']),
  ...pairs([ada, 'a', 'p'], [otherScript, 'b', 'p']),
  ...pairs([ada, 'a', 'p'], [bob, 'b', 'p']),
  ...pairs([ada, 'a', 'p'], [bob, '', 'p']),
  ...pairs([{ ...ada, ...early }, 'a', 'p'], [{ ...ada, ...late }, 'b', 'p']),
  ...pairs([{ ...ada, ...early }, 'a', 'p'], [{ ...bob, ...late }, '', 'p']),
  // A contact of which one phone is known is whoever has the phone, and of two people whose name it has.
  { rows: [[ada, 'a', 'p']], there: [[bob, '', 'p']] },
  {
    rows: [
      [ada, 'a', 'p'],
      [bob, 'b', 'p'],
    ],
    there: [[bob, '', 'p']],
  },
  // Nothing is left of whom others have all of.
  {
    rows: [
      [ada, 'i', 'p'],
      [bob, 'a', 'q'],
      [cy, 'i', 'q'],
    ],
  },
  {
    rows: [[cy, 'i', 'q']],
    there: [
      [ada, 'i', 'p'],
      [bob, 'a', 'q'],
    ],
  },
  // Two contacts, of one person and of two.
  {
    rows: [[ada, 'a', 'p']],
    there: [
      [{ firstName: 'A.' }, 'a', ''],
      [ada, '', 'p'],
    ],
  },
  {
    rows: [[cy, '', 'p']],
    there: [
      [ada, '', 'p'],
      [bob, '', 'p'],
    ],
  },
];

/** Two rows, and the second of them with the first as a contact. */
function pairs(one: Said, other: Said): readonly Meeting[] {
  return [{ rows: [one, other] }, { rows: [other], there: [one] }];
}

/** Each decision of the table at least once, between rows and with contacts. */
export const everyDecision: Scene = {
  items: meetings
    .flatMap(({ rows }, n) =>
      rows.map((said, m) => cellsOf(said, n, `K${String(n * 10 + m).padStart(4, '0')}`)),
    )
    .map((cells, n) => rowOf(n + 2, { ...cells, Note: `of line ${n + 2}` })),
  there: meetings
    .flatMap(({ there = [] }, n) => there.map((said) => cellsOf(said, n)))
    .map((cells) => plain(fieldsOf(Object.entries(cells)))),
};

function cellsOf([name, email, phone, key]: Said, n: number, own?: string): Cells {
  const number = String(n).padStart(3, '0');
  return {
    ...(own === undefined ? { firstName: 'Unknown' } : { Key: key === undefined ? own : `K${number}9` }),
    ...name,
    ...(email !== '' && { email: `${email === 'i' ? 'info' : email}@m${n}.test` }),
    ...(phone !== '' && { phone: `+6012345${number}${phone === 'p' ? 1 : 2}` }),
  };
}
