import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type InputIndex,
  type InputRow,
  openInputIndex,
  type RowLinkRules,
} from '../../src/identity/input-index/index.ts';
import { linkRules } from './link-rules.ts';
import { naivePeople } from './naive-people.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'longshore-people-'));
});

afterEach(() => rmSync(dir, { recursive: true }));

type Who = Partial<Pick<InputRow, 'key' | 'email' | 'phone' | 'further' | 'first' | 'family' | 'birthDate'>>;

function row(seq: number, who: Who): InputRow {
  const nothing = { key: null, email: null, phone: null, first: null, family: null };
  const { first, family } = { ...nothing, ...who };
  return {
    ...nothing,
    ...who,
    seq,
    line: seq + 2,
    person: `${first ?? ''} ${family ?? ''}`.trim().toLowerCase(),
  };
}

/** What the index says of rows; each is built in a file of its own. */
let built = 0;
function found<T>(
  rows: readonly InputRow[],
  rules: Partial<RowLinkRules>,
  read: (index: InputIndex) => T,
): T {
  built += 1;
  const { index } = openInputIndex(join(dir, `${built}.db`), 'print');
  try {
    for (const each of rows) index.add(each);
    index.finish(linkRules(rules));
    return read(index);
  } finally {
    index.close();
  }
}

const most = 100;

function groupsOf(index: InputIndex): readonly (readonly number[])[] {
  return [...new Set(index.groupsBetween(0, most).values())].map(({ members }) => members);
}

/** In few words what becomes of rows: `=0` the person of row 0, `?0` asked whether, `-phone 0` whose phone is row 0's, `!` a reused key. */
function outcomes(rows: readonly Who[], rules: Partial<RowLinkRules> = {}): readonly string[] {
  return found(
    rows.map((who, seq) => row(seq, who)),
    rules,
    (index) => {
      const [groups, questions] = [index.groupsBetween(0, most), index.questionsBetween(0, most)];
      const [reused, shared] = [index.reusedBetween(0, most), index.sharedBetween(0, most)];
      return rows.map((_, seq) => {
        const { email, phone } = shared.get(seq) ?? {};
        return [
          groups.has(seq) ? `=${groups.get(seq)?.first}` : '',
          ...(questions.get(seq) ?? []).map(({ holder }) => `?${holder.seq}`),
          reused.has(seq) ? '!' : '',
          email === undefined ? '' : `-email ${email.line - 2}`,
          phone === undefined ? '' : `-phone ${phone.line - 2}`,
        ].join('');
      });
    },
  );
}

const anna = { first: 'Anna', family: 'Meyer' };
const tom = { first: 'Tom', family: 'Meyer' };
const otto = { first: 'Otto', family: 'Schulz' };
const ivan = { first: 'Иван', family: 'Петров' };
const [a, t, o] = [{ email: 'a@x.test' }, { email: 't@x.test' }, { email: 'o@x.test' }];
const phone = { phone: '+491711' };
const phone2 = { phone: '+491712' };
const office = { email: 'office@x.test' };

describe('a date of birth', () => {
  const [early, late] = [{ birthDate: '1960-02-03' }, { birthDate: '1988-07-09' }];
  it.each<readonly [string, readonly Who[], readonly string[]]>([
    [
      'asks about rows that have everything else in common',
      [
        { ...anna, ...a, ...phone, ...late },
        { ...anna, ...a, ...phone, ...early },
      ],
      ['?1', ''],
    ],
    [
      'that one of them lacks changes nothing',
      [
        { ...anna, ...a, ...early },
        { ...anna, ...a },
      ],
      ['=0', '=0'],
    ],
    [
      'counts against rows that are linked by another one',
      [
        { ...anna, ...a, ...early },
        { ...anna, ...a },
        { ...anna, ...a, ...phone },
        { ...anna, ...o, ...phone, ...late },
      ],
      ['=0', '=0', '=0', '?2'],
    ],
    [
      'counts against people who are linked by other rows',
      [
        { ...anna, ...a, ...early },
        { ...anna, ...a, ...phone },
        { ...anna, ...o, ...phone },
        { ...anna, ...o },
        { ...anna, ...t, ...phone },
        { ...anna, ...t, ...late },
      ],
      ['=0', '=0', '=0', '=0', '=4?1', '=4?1'],
    ],
    [
      'counts less than a key',
      [
        { ...anna, key: '1', ...a, ...early },
        { ...anna, key: '1', ...a, ...late },
      ],
      ['=0', '=0'],
    ],
    [
      'and another first name are two people',
      [
        { ...anna, ...a, ...phone, ...early },
        { ...tom, ...a, ...phone2, ...late },
      ],
      ['', '-email 0'],
    ],
  ])('%s', (_, rows, expected) => {
    expect(outcomes(rows)).toEqual(expected);
  });
});

describe('a further e-mail', () => {
  const further = { further: [{ kind: 'email' as const, value: 'second@x.test' }] };
  const second = { email: 'second@x.test' };
  it.each<readonly [string, readonly Who[], readonly string[]]>([
    [
      'makes rows with one name one',
      [
        { ...anna, ...a, ...further },
        { ...anna, ...second },
      ],
      ['=0', '=0'],
    ],
    ['makes a row without a name one with it', [{ ...anna, ...a, ...further }, second], ['=0', '=0']],
    [
      'asks about another family name',
      [
        { ...anna, ...a, ...further },
        { first: 'Anna', family: 'Schulz', ...second },
      ],
      ['', '?0'],
    ],
    [
      'of a team is of two people',
      [
        { ...anna, ...a, ...further },
        { ...tom, ...second },
      ],
      ['', ''],
    ],
    [
      'of a family stays with both',
      [
        { ...anna, ...a, ...further },
        { ...tom, ...t, ...further },
      ],
      ['', ''],
    ],
  ])('%s', (_, rows, expected) => {
    expect(outcomes(rows)).toEqual(expected);
  });

  it('that more rows have than may share a phone says nothing', () => {
    const people = ['a', 'b', 'c'].map((each) => ({ ...anna, email: `${each}@x.test`, ...further }));
    expect(outcomes(people, { switchboard: 2 })).toEqual(['', '', '']);
  });
});

describe('a further phone', () => {
  const further = { further: [{ kind: 'phone' as const, value: phone.phone }] };
  it.each<readonly [string, readonly Who[], readonly string[]]>([
    [
      'makes rows with one name one',
      [
        { ...anna, ...a, ...phone2, ...further },
        { ...anna, ...phone },
      ],
      ['=0', '=0'],
    ],
    [
      'makes them one where both have it so',
      [
        { ...anna, ...a, ...phone2, ...further },
        { ...anna, ...o, ...further },
      ],
      ['=0', '=0'],
    ],
    [
      'asks about another family name',
      [
        { ...anna, ...a, ...phone2, ...further },
        { first: 'Anna', family: 'Schulz', ...o, ...phone },
      ],
      ['', '?0'],
    ],
    [
      'asks about another script',
      [
        { ...anna, ...a, ...phone2, ...further },
        { ...ivan, ...o, ...phone },
      ],
      ['', '?0'],
    ],
    [
      'asks about a child without an e-mail',
      [
        { ...anna, ...a, ...phone },
        { ...tom, ...phone2, ...further },
      ],
      ['', '?0'],
    ],
    [
      'is of two people with other e-mails, and stays with both',
      [
        { ...anna, ...a, ...phone2, ...further },
        { ...tom, ...t, ...phone },
      ],
      ['', ''],
    ],
    [
      'is of two people with other phones of their own',
      [
        { ...anna, ...phone2, ...further },
        { ...tom, phone: '+491713', ...further },
      ],
      ['', ''],
    ],
    [
      'does not ask again where an e-mail decides',
      [
        { ...anna, ...a, ...phone2, ...further },
        { ...anna, ...a, ...phone },
      ],
      ['=0', '=0'],
    ],
  ])('%s', (_, rows, expected) => {
    expect(outcomes(rows)).toEqual(expected);
    expect(outcomes(rows.toReversed()).filter((each) => each !== '')).toHaveLength(
      expected.filter((each) => each !== '').length,
    );
  });

  it('that more rows have than may share a phone says nothing', () => {
    const people = ['a', 'b', 'c'].map((each) => ({
      ...anna,
      email: `${each}@x.test`,
      phone: `+49${each.charCodeAt(0)}`,
      ...further,
    }));
    expect(outcomes(people, { switchboard: 3 })).toEqual(['=0', '=0', '=0']);
    expect(outcomes(people, { switchboard: 2 })).toEqual(['', '', '']);
  });

  it('says nothing under samePerson: identifier', () => {
    const rows = [
      { ...anna, ...a, ...phone2, ...further },
      { ...anna, ...phone },
    ];
    expect(outcomes(rows, { samePerson: 'identifier' })).toEqual(['', '']);
  });
});

describe('two rows with', () => {
  it.each([
    [
      'one key, another family name and e-mail',
      [
        { key: '1', ...anna, ...a },
        { key: '1', first: 'Anna', family: 'Schulz', ...o },
      ],
      ['=0', '=0'],
    ],
    [
      'one key, and one has no name',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...o },
      ],
      ['=0', '=0'],
    ],
    [
      'one key and one e-mail, whatever the names',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...otto, ...a },
      ],
      ['=0', '=0'],
    ],
    [
      'one key and one phone, and other names',
      [
        { key: '1', ...otto, ...phone },
        { key: '1', ...anna, ...phone },
      ],
      ['?1', ''],
    ],
    [
      'one key and nothing else',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...otto, ...o },
      ],
      ['!', '!'],
    ],
    [
      'one e-mail, and names in common',
      [
        { ...anna, ...a },
        { first: 'Anna', family: 'Schulz', ...a },
      ],
      ['=0', '=0'],
    ],
    [
      'one e-mail, and one has no name',
      [
        { ...anna, ...a },
        { ...a, ...phone },
      ],
      ['=0', '=0'],
    ],
    [
      'one e-mail, and other names',
      [
        { key: '2', ...anna, ...a },
        { key: '1', ...otto, ...a },
      ],
      ['?1', ''],
    ],
    [
      'one e-mail, and names of other scripts',
      [
        { key: '1', ...anna, ...a },
        { key: '2', ...ivan, ...a },
      ],
      ['', '?0'],
    ],
    [
      'one phone and one name',
      [
        { ...anna, ...phone, ...a },
        { ...anna, ...phone, ...o },
      ],
      ['=0', '=0'],
    ],
    [
      'one phone, and a name without family',
      [
        { ...anna, ...phone, ...a },
        { first: 'Anna', ...phone, ...o },
      ],
      ['=0', '=0'],
    ],
    ['one phone, one without name and e-mail', [{ ...anna, ...phone, ...a }, phone], ['=0', '=0']],
    [
      'one phone, one without name, both with e-mail',
      [
        { ...anna, ...phone, ...a },
        { ...phone, ...o },
      ],
      ['', '?0'],
    ],
    [
      'one phone and first name, other families',
      [
        { ...anna, ...phone, ...a },
        { first: 'Anna', family: 'Schulz', ...phone, ...o },
      ],
      ['', '?0'],
    ],
    [
      'one phone, a whole name in one field that is equal in part',
      [
        { first: 'Anna Meyer', ...phone, ...a },
        { first: 'Anna Schulz', ...phone, ...o },
      ],
      ['', '?0'],
    ],
    [
      'one phone, and names of other scripts',
      [
        { ...anna, ...phone, ...a },
        { ...ivan, ...phone, ...o },
      ],
      ['', '?0'],
    ],
    [
      'one phone, other first names and e-mails: mother and son',
      [
        { key: '9', ...tom, ...phone, ...t },
        { key: '10', ...anna, ...phone, ...a },
      ],
      ['', '-phone 0'],
    ],
    [
      'one phone, other first names, one without e-mail',
      [
        { ...anna, ...phone, ...a },
        { ...tom, ...phone },
      ],
      ['', '?0'],
    ],
    [
      'the address of a role, other first names and phones',
      [
        { key: '1', ...anna, ...office, ...phone },
        { key: '2', ...otto, ...office, ...phone2 },
      ],
      ['', '-email 0'],
    ],
    [
      'the address of a role, other first names, one without phone',
      [
        { key: '1', ...anna, ...office, ...phone },
        { key: '2', ...otto, ...office },
      ],
      ['', '?0'],
    ],
    [
      'the address of a role and one name',
      [
        { ...anna, ...office, ...phone },
        { ...anna, ...office },
      ],
      ['=0', '=0'],
    ],
    [
      'one content',
      [
        { ...office, ...phone },
        { ...office, ...phone },
      ],
      ['=0', '=0'],
    ],
    [
      'nothing in common',
      [
        { ...anna, ...a },
        { ...anna, ...o },
      ],
      ['', ''],
    ],
  ] satisfies [string, Who[], string[]][])('%s', (_what, rows, expected) => {
    expect(outcomes(rows)).toEqual(expected);
  });
});

describe('several rows', () => {
  it.each([
    [
      'a chain by phone and e-mail of one name is one person',
      [
        { ...anna, ...phone },
        { ...anna, ...phone, ...a },
        { ...anna, ...a },
      ],
      ['=0', '=0', '=0'],
    ],
    [
      'a chain whose ends have other families is asked about',
      [
        { first: 'Anna', family: 'Schulz', ...phone, ...o },
        { first: 'Anna', ...phone, ...a },
        { ...anna, ...a },
      ],
      ['?1', '=1', '=1'],
    ],
    [
      'a row that could be either of two is asked about',
      [
        { key: '1', first: 'T.', family: 'Meyer', ...phone },
        { key: '2', ...tom, ...phone, ...t },
        { key: '3', first: 'Tina', family: 'Meyer', ...phone, ...a },
      ],
      ['?1', '', '-phone 1'],
    ],
    [
      'what a second row of one says tells families apart',
      [
        { key: '1', ...anna, ...phone, ...a },
        { key: '1', ...anna, ...phone },
        { key: '2', ...tom, ...phone, ...t },
      ],
      ['=0', '=0', '-phone 0'],
    ],
    [
      'twenty people of one role address have it once',
      Array.from({ length: 20 }, (_, n) => ({
        key: `${n + 1}`,
        first: `N${String.fromCharCode(97 + n).repeat(4)}`,
        ...office,
        phone: `+1${n}`,
      })),
      ['', ...Array.from({ length: 19 }, () => '-email 0')],
    ],
    [
      'a shared mailbox with a phone of nobody leaves nothing, and is asked about',
      [
        { key: '1', ...anna, ...office, ...phone },
        { key: '2', ...otto, ...office, ...phone2 },
        { key: '3', ...tom, ...phone2, ...a },
        { key: '4', first: 'Uwe', ...office, ...phone },
      ],
      ['', '-email 0', '-phone 1', '?0'],
    ],
    [
      'a key of three rows, one of them a stranger',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...anna, ...phone },
        { key: '1', ...otto, ...o },
      ],
      ['=0!', '=0!', '!'],
    ],
    [
      'a key of two strangers, and of a row without a name: none is written',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...t },
        { key: '1', ...otto, ...o },
      ],
      ['!', '!', '!'],
    ],
    [
      'a key of two strangers, and of a row without a name that has the e-mail of one',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...a },
        { key: '1', ...otto, ...o },
      ],
      ['!', '!', '!'],
    ],
    [
      'a key of two strangers, and of a row with a name of another script',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...ivan, ...t },
        { key: '1', ...otto, ...o },
        { key: '2', ...tom, ...phone },
      ],
      ['!', '!', '!', ''],
    ],
    [
      'a key whose names cannot be compared, and nothing else: the higher is asked',
      [
        { key: '1', ...anna, ...a },
        { key: '1', ...ivan, ...t },
      ],
      ['', '?0'],
    ],
    [
      'a family of one mailbox and one phone: the higher is asked about',
      [
        { key: '1', ...anna, ...a, ...phone },
        { key: '2', ...tom, ...a, ...phone },
      ],
      ['', '?0'],
    ],
    [
      'a family of one mailbox, each with a phone of their own: the higher is asked',
      [
        { key: '1', ...anna, ...a, ...phone },
        { key: '2', ...tom, ...a, ...phone2 },
      ],
      ['', '?0'],
    ],
    [
      'a family of one mailbox, linked through a row without a name, is not one person',
      [
        { key: '1', ...anna, ...a, ...phone },
        { key: '2', ...a },
        { key: '3', ...tom, ...a, ...phone2 },
      ],
      ['', '?0?2', '?0'],
    ],
    [
      'true duplicates with two phones',
      [
        { ...anna, ...a, ...phone },
        { ...anna, ...a, ...phone2 },
        { ...anna, ...phone2 },
      ],
      ['=0', '=0', '=0'],
    ],
    [
      'a row that could be either of two by phone, and is one of them by e-mail, is asked about after them',
      [
        { family: 'King', ...a },
        { ...a, ...phone },
        { family: 'Kent', ...phone },
        { first: 'Ada', ...phone },
      ],
      ['=0?3?2', '=0?3?2', '?3', ''],
    ],
    [
      'a row without a name fits every row of the other person, not one of each kind',
      [
        { ...office, ...phone },
        { ...a, ...phone2 },
        { key: '2', ...office, ...phone },
        { key: '2', ...a },
        { key: '1', ...a },
      ],
      ['?2', '=1', '=1', '=1', '=1'],
    ],
    [
      'a row both of whose values are others’ is asked about the person that comes first, whichever row has the value',
      [
        { first: 'Bob', email: 'd@x.test', ...phone },
        { first: 'Ada', ...office, ...phone2 },
        { family: 'King', ...office, ...phone },
        { first: 'Ada', ...a, ...phone2 },
      ],
      ['', '=1', '?1-email 1-phone 0', '=1'],
    ],
  ] satisfies [string, Who[], string[]][])('%s', (_what, rows, expected) => {
    expect(outcomes(rows)).toEqual(expected);
  });
});

describe('a phone of more people than maxPeoplePerPhone', () => {
  it('is no evidence, and no one goes without it', () => {
    const rows = ['Ada', 'Bob', 'Cleo'].map((first, n) => ({ first, email: `${n}@x.test`, ...phone }));
    expect(outcomes(rows, { switchboard: 2 })).toEqual(['', '', '']);
    expect(outcomes(rows, { switchboard: 3 })).toEqual(['', '-phone 0', '-phone 0']);
  });
});

describe('policy', () => {
  const family = [
    { key: '1', ...anna, ...phone, ...a },
    { key: '2', ...tom, ...phone },
  ];

  it('samePerson: identifier takes rows with one phone for one person', () => {
    expect(outcomes(family, { samePerson: 'identifier' })).toEqual(['=0', '=0']);
  });

  it.each([
    ['review', ['', '?0']],
    ['same', ['=0', '=0']],
    ['different', ['', '-phone 0']],
  ] as const)('unsure: %s', (unsure, expected) => {
    expect(outcomes(family, { unsure })).toEqual(expected);
  });

  it('unsure: different leaves a key to neither of two people', () => {
    const rows = [
      { key: '1', ...anna, ...phone },
      { key: '1', ...otto, ...phone },
    ];
    expect(outcomes(rows, { unsure: 'different' })).toEqual(['!', '!']);
  });

  it('unsure: same brings none together whom the evidence tells apart', () => {
    const rows = [
      { key: '1', first: 'T.', family: 'Meyer', ...phone },
      { key: '2', ...tom, ...phone, ...t },
      { key: '3', first: 'Tina', family: 'Meyer', ...phone, ...a },
    ];
    expect(outcomes(rows, { unsure: 'same' })).toEqual(['=0', '=0', '-phone 0']);
  });
});

describe('others who say the same phone', () => {
  it.each([
    ['few', 3],
    ['a crowd', 150],
  ])('are named to whoever has it, and whoever has it to them: %s', (_what, n) => {
    const people = Array.from({ length: n }, (_, at) => {
      const letters = [at % 26, Math.floor(at / 26)].map((code) => String.fromCharCode(97 + code));
      const first = `${letters.join('x')}q${letters.join('z')}`;
      return row(at, { key: `${at + 1}`, first, email: `${at}@x.test`, ...phone });
    });
    const rivals = found(people, { switchboard: 1_000 }, (index) => index.rivalsBetween(0, n));
    const names = (seq: number, isBefore: boolean) =>
      rivals.get(seq)?.flatMap((each) => (each.isBefore === isBefore ? [each.first] : [])) ?? [];
    expect(names(0, true)).toEqual([]);
    expect(names(0, false).sort()).toEqual(
      people
        .slice(1)
        .map(({ first }) => first)
        .sort(),
    );
    expect(names(n - 1, true)).toContain(people[0]?.first);
  });
});

describe('who has nothing left', () => {
  it('is taken for the same person under unsure: same, though the evidence tells them apart', () => {
    const four = [
      { key: '1', ...anna, ...office, ...phone },
      { key: '2', ...otto, ...a, ...phone2 },
      { key: '3', first: 'Uwe', ...office, ...phone2 },
    ];
    expect(outcomes(four)).toEqual(['', '', '?0-email 0-phone 1']);
    expect(outcomes(four, { unsure: 'same' })).toEqual(['=0', '', '=0-phone 1']);
    expect(outcomes(four, { unsure: 'different' })).toEqual(['', '', '-email 0-phone 1']);
  });
});

describe('an answer', () => {
  const rows = [
    { key: '1', ...anna, ...phone, ...a },
    { key: '2', ...tom, ...phone },
  ];
  const asked = (answer: 'same' | 'different') => (one: string, other: string) =>
    [one, other].sort().join() === 'key:1,key:2' ? answer : undefined;

  it.each([
    ['same', ['=0', '=0']],
    ['different', ['', '-phone 0']],
  ] as const)('%s is not asked again', (answer, expected) => {
    expect(outcomes(rows, { answers: asked(answer) })).toEqual(expected);
  });

  it.each([
    ['no further phone', {}],
    ['a further phone', { further: [{ kind: 'phone' as const, value: phone.phone }] }],
  ])('about two rows without keys that have one e-mail, and %s, is about these two', (_, more) => {
    const four = [
      { ...anna, ...a, ...more },
      { ...otto, ...a },
      { first: 'Uwe', family: 'Kern', ...a },
      { first: 'Zoe', family: 'Adler', email: 'z@x.test', ...phone },
    ];
    const question = found(
      four.map((who, seq) => row(seq, who)),
      {},
      (index) => index.questionsBetween(0, 9).get(1)?.[0],
    );
    if (question === undefined) throw new Error('nothing is asked');
    const pair = [question.memoryKey, question.holder.memoryKey].sort().join();
    const answers = (one: string, other: string) =>
      [one, other].sort().join() === pair ? ('same' as const) : undefined;
    expect(outcomes(four, { answers }).slice(0, 3)).toEqual(['=0', '=0', '?0']);
  });
});

describe('a value of a crowd', () => {
  const name = (n: number) => String.fromCharCode(97 + (n % 26), 97 + ((n / 26) % 26), 120, 121);
  const crowd = (more: (n: number) => Who, length = 400) =>
    Array.from({ length }, (_, n) => row(n, { key: String(n + 1), first: name(n), ...more(n) }));

  /** By key: whose person, what is asked and what is another's. */
  function byKey(rows: readonly InputRow[], rules: Partial<RowLinkRules> = {}) {
    return found(rows, rules, (index) => {
      const key = (seq: number) => rows[seq]?.key ?? '';
      const group = (seq: number) =>
        index
          .groupsBetween(seq, seq + 1)
          .get(seq)
          ?.members.map(key)
          .sort() ?? [];
      const shared = index.sharedBetween(0, rows.length);
      const keyAt = (line: number | undefined) => (line === undefined ? '' : key(line - 2));
      return rows
        .map(({ seq }) => ({
          key: key(seq),
          group: group(seq).join(),
          asked: (index.questionsBetween(seq, seq + 1).get(seq) ?? []).map(({ holder }) => holder.key).join(),
          reused: index.reusedBetween(seq, seq + 1).has(seq),
          shared: [keyAt(shared.get(seq)?.email?.line), keyAt(shared.get(seq)?.phone?.line)].join(''),
        }))
        .sort((a, b) => Number(a.key) - Number(b.key));
    });
  }

  it.each([
    ['an e-mail: all but the lowest are asked', () => a, { asked: '1', reused: false, shared: '' }],
    [
      'the address of a role: all but the lowest go without it',
      (n: number) => ({ ...office, phone: `+1${n}` }),
      { asked: '', reused: false, shared: '1' },
    ],
    [
      'a key: none is written',
      (n: number) => ({ key: '1', phone: `+1${n}` }),
      { asked: '', reused: true, shared: '' },
    ],
  ])('%s', (_what, more, expected) => {
    const rows = byKey(crowd(more));
    expect(rows.slice(1).every((each) => each.group === '')).toBe(true);
    for (const each of rows.slice(1)) expect(each).toMatchObject(expected);
  });

  it.each([
    ['first', { email: '0@x.test' }],
    ['last', { email: 'z@x.test' }],
  ])('a key that two people have is of no row without a name, which comes %s', (_what, who) => {
    const rows = crowd((n) => ({ key: '1', email: `m${n}@x.test` }));
    rows.push(row(rows.length, { key: '1', ...who }));
    expect(byKey(rows).filter(({ reused, asked }) => !reused || asked !== '')).toEqual([]);
  });

  it('joins rows of one name, in whatever order they come', () => {
    const rows = crowd((n) => ({ ...a, first: name(n % 300) }));
    const moved = rows.toReversed().map((each, seq) => ({ ...each, seq, line: seq + 2 }));
    const [before, after] = [byKey(rows), byKey(moved)];
    expect(after).toEqual(before);
    expect(before[0]).toMatchObject({ group: '1,301', asked: '' });
    expect(before[301]).toMatchObject({ group: '2,302', asked: '1' });
    expect(before[299]).toMatchObject({ group: '', asked: '1' });
  });

  it('asks about rows of one name with different dates of birth, and about those without one', () => {
    const born = ['1960-02-03', '1988-07-09', null] as const;
    const rows = byKey(crowd((n) => ({ ...a, first: 'Ada', birthDate: born[n % 3] ?? null })));
    expect(rows[0]).toMatchObject({ asked: '' });
    expect(rows[0]?.group.split(',')).toHaveLength(134);
    expect(rows[1]).toMatchObject({ asked: '1' });
    expect(rows[1]?.group.split(',')).toHaveLength(133);
    expect(rows[2]).toMatchObject({ asked: '1' });
  });

  it('is one person where what cannot be said is the same', () => {
    expect(
      byKey(
        crowd(() => a),
        { unsure: 'same' },
      )[399]?.group.split(','),
    ).toHaveLength(400);
  });
});

describe('whatever the rows', () => {
  const some = (...values: readonly string[]) => fc.constantFrom(null, ...values);
  const rows = fc
    .array(
      fc.record({
        key: fc.option(some('1', '2', '3', 'x'), { nil: null, freq: 2 }),
        email: some('a@x.test', 'b@x.test', 'c@x.test', 'd@x.test', 'info@x.test'),
        phone: some('+1', '+2', '+3', '+4'),
        first: some('Ada', 'Ada', 'A.', 'Adam', 'Bob', 'Иван', 'Ada King'),
        family: some('King', 'King', 'Kent', 'N/A'),
        birthDate: some('1960-02-03', '1988-07-09'),
      }),
      { minLength: 2, maxLength: 10 },
    )
    .map((all) => all.map((who, seq) => row(seq, who)));
  const shuffled = rows.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );

  it('who is who, what is asked and who has what does not depend on their order, and is what a plain program finds', () => {
    const property = fc.property(shuffled, fc.integer({ min: 1, max: 4 }), ([all, others], switchboard) => {
      // The same contents at other places of the input.
      const moved = others.map((each, seq) => ({ ...each, seq, line: seq + 2 }));
      const rules = linkRules({ switchboard });
      const [before, after] = [found(all, rules, peopleOf), found(moved, rules, peopleOf)];
      expect(before).toEqual(naivePeople(all, rules));
      expect(after).toEqual(naivePeople(moved, rules));
      const back = (seqs: readonly number[]) =>
        seqs.map((seq) => others[seq]?.seq ?? seq).sort((x, y) => x - y);
      const rowsIn = (texts: readonly string[]) => texts.map((text) => Number.parseInt(text, 10));
      expect(after.groups.map(back).sort(([x = 0], [y = 0]) => x - y)).toEqual(before.groups);
      expect(back(after.reused)).toEqual(before.reused);
      expect(back(rowsIn(after.questions))).toEqual(rowsIn(before.questions).sort((x, y) => x - y));
      expect(back(rowsIn(after.shared))).toEqual(rowsIn(before.shared).sort((x, y) => x - y));
    });
    fc.assert(property, { numRuns: 200 });
  });
});

function peopleOf(index: InputIndex) {
  const groups = index.groupsBetween(0, most);
  const nameOf = (seq: number) => groups.get(seq)?.first ?? seq;
  const shared = [...index.sharedBetween(0, most)].flatMap(([seq, { email, phone }]) => [
    ...(email === undefined ? [] : [`${seq} email > ${nameOf(email.line - 2)}`]),
    ...(phone === undefined ? [] : [`${seq} phone > ${nameOf(phone.line - 2)}`]),
  ]);
  const questions = [...index.questionsBetween(0, most)];
  return {
    groups: groupsOf(index),
    questions: questions
      .flatMap(([seq, asked]) => asked.map(({ holder }) => `${seq} > ${nameOf(holder.seq)}`))
      .sort(),
    reused: [...index.reusedBetween(0, most).keys()],
    shared: shared.sort(),
  };
}
