import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type InputIndex,
  type InputRow,
  openInputIndex,
  type RowLinkRules,
  removeInputIndex,
} from '../../src/identity/input-index/index.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import type { RowPlace } from '../../src/model/row-place.ts';
import { linkRules } from './link-rules.ts';
import { naiveGroups } from './naive-groups.ts';

let dir: string;
const open: InputIndex[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'longshore-identity-'));
});

afterEach(() => {
  for (const index of open.splice(0)) index.close();
  rmSync(dir, { recursive: true });
});

function opened(fingerprint = 'print', path = join(dir, 'index', 'input.db')) {
  const result = openInputIndex(path, fingerprint);
  open.push(result.index);
  return result;
}

function row(seq: number, more: Partial<InputRow> = {}): InputRow {
  return {
    ...{ seq, line: seq + 2, key: null, email: null, phone: null },
    ...{ person: `person ${seq}`, first: 'Ada', family: 'King', ...more },
  };
}

function built(
  rows: readonly InputRow[],
  switchboard = 3,
  fingerprint = 'print',
  more: Partial<RowLinkRules> = {},
): InputIndex {
  const { index } = opened(fingerprint);
  for (const each of rows) index.add(each);
  index.finish(linkRules({ switchboard, ...more }));
  return index;
}

const nothingAsked = { asked: 0, sharedEmails: 0, sharedPhones: 0, reused: 0 };

/** The groups of an index as lists of members. */
function groupsOf(index: InputIndex, to = 1_000): readonly (readonly number[])[] {
  return [...new Set(index.groupsBetween(0, to).values())].map((group) => group.members);
}

function close(index: InputIndex): void {
  open.splice(open.indexOf(index), 1);
  index.close();
}

describe('a rejected row keeps its sheet', () => {
  const ofNorth = { sheet: 'North', line: 2 };
  const ofSouth = { sheet: 'South', line: 2 };
  const sameEmail = [row(0, { ...ofNorth, email: 'a@x.test' }), row(1, { ...ofSouth, email: 'a@x.test' })];
  const unidentified = [row(0, ofNorth), row(1, { ...ofSouth, email: 'b@x.test' })];
  const overfull = [
    row(0, { ...ofNorth, email: 'a@x.test', isOverfull: true }),
    row(1, { ...ofSouth, email: 'a@x.test' }),
  ];
  it.each<[string, readonly InputRow[], RowLinkRules['duplicates'], ReadonlyMap<number, RowPlace>]>([
    ['without an identifier', unidentified, 'merge', new Map([[0, ofNorth]])],
    [
      'of a person with too many values',
      overfull,
      'merge',
      new Map([
        [0, ofNorth],
        [1, ofSouth],
      ]),
    ],
    [
      'that the policy rejects',
      sameEmail,
      'reject',
      new Map([
        [0, ofNorth],
        [1, ofSouth],
      ]),
    ],
  ])('%s', (_, rows, duplicates, places) => {
    expect(built(rows, 5, 'print', { duplicates }).rejectedBetween(0, 10)).toEqual(places);
  });
});

describe('rows are one person', () => {
  it.each([
    ['by an e-mail', [{ email: 'a@x.test' }, { email: 'b@x.test' }, { email: 'a@x.test' }], [[0, 2]]],
    ['by an e-mail in other capitals', [{ email: 'A@x.test ' }, { email: 'a@X.test' }], [[0, 1]]],
    ['by a phone', [{ phone: '+60123' }, { phone: '+60124' }, { phone: '+60123' }], [[0, 2]]],
    [
      'by a key',
      [
        { key: '7', email: 'a@x.test' },
        { key: '7', email: 'b@x.test' },
      ],
      [[0, 1]],
    ],
    [
      'through a chain',
      [{ phone: '+601' }, { phone: '+601', email: 'a@x.test' }, { email: 'a@x.test' }, { phone: '+602' }],
      [[0, 1, 2]],
    ],
    [
      'through a later row that joins two groups',
      [{ email: 'a@x.test' }, { phone: '+601' }, {}, { email: 'a@x.test', phone: '+601' }],
      [[0, 1, 3]],
    ],
    ['not by what is absent', [{}, {}, { email: '', phone: '', key: '' }, { email: '' }], []],
    [
      'not by further phones without digits',
      [{ further: [{ kind: 'phone', value: '-' }] }, { further: [{ kind: 'phone', value: 'n/a' }] }],
      [],
    ],
    ['not by a key that is like a phone', [{ key: '+601' }, { phone: '+601' }], []],
  ] satisfies [string, Partial<InputRow>[], number[][]][])('%s', (_how, rows, groups) => {
    expect(groupsOf(built(rows.map((more, seq) => row(seq, more))))).toEqual(groups);
  });

  it('and a group tells its first and last row, its size and its members', () => {
    const index = built([row(3, { key: 'a' }), row(8, { key: 'a' }), row(20, { key: 'a' })]);
    const groups = index.groupsBetween(4, 20);
    expect([...groups.keys()]).toEqual([8]);
    expect(groups.get(8)).toMatchObject({ first: 3, last: 20, size: 3, members: [3, 8, 20] });
    const all = index.groupsBetween(0, 21);
    expect(all.get(3)).toBe(all.get(20));
  });
});

describe('a switchboard', () => {
  const desk = { phone: '+6031234' };

  it('is a phone of more people than the threshold, and links nobody', () => {
    const index = built([0, 1, 2, 3].map((seq) => row(seq, { ...desk, email: `p${seq}@x.test` })));
    expect(groupsOf(index)).toEqual([]);
    expect(index.isWeakPhone('+6031234')).toBe(true);
    expect(index.isWeakPhone('+60 3-1234')).toBe(true);
    expect(index.isWeakPhone('+6031235')).toBe(false);
    expect(index.counts()).toEqual({
      rows: 4,
      identifiers: 4,
      groups: 0,
      folded: 0,
      weakPhones: 1,
      ...nothingAsked,
    });
  });

  it('is not a phone of as many people as the threshold', () => {
    const index = built([0, 1, 2].map((seq) => row(seq, { ...desk, email: `p${seq}@x.test` })));
    expect(groupsOf(index)).toEqual([[0, 1, 2]]);
    expect(index.isWeakPhone('+6031234')).toBe(false);
  });

  it('is not a phone of many rows of few people, told apart by e-mail and else by name', () => {
    const rows = [0, 1, 2, 3, 4, 5].map((seq) => row(seq, { ...desk, person: `name ${seq % 2}` }));
    const again = [6, 7, 8].map((seq) => row(seq, { ...desk, email: 'a@x.test' }));
    expect(groupsOf(built([...rows, ...again]))).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8]]);
  });

  it('leaves its people linked by what else they share', () => {
    const rows = [0, 1, 2, 3].map((seq) => row(seq, { ...desk, email: `p${seq}@x.test` }));
    expect(groupsOf(built([...rows, row(4, { email: 'p1@x.test' })]))).toEqual([[1, 4]]);
  });
});

describe('whatever the rows', () => {
  const some = (prefix: string, most: number) =>
    fc.option(
      fc.nat(most).map((n) => `${prefix}${n}`),
      { nil: null, freq: 3 },
    );
  const rows = fc
    .array(
      fc.record({
        key: some('k', 30),
        email: some('e', 20),
        phone: some('+6', 12),
        person: fc.constantFrom('ada', 'bob'),
      }),
      { maxLength: 40 },
    )
    .map((all) => all.map((each, seq) => row(seq, each)));
  const shuffled = rows.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );

  let prints = 0;

  it('under samePerson: identifier they are grouped as a plain union-find groups them, in any order', () => {
    const property = fc.property(
      shuffled,
      fc.integer({ min: 1, max: 6 }),
      ([all, inAnyOrder], switchboard) => {
        prints += 1;
        const index = built(inAnyOrder, switchboard, `print ${prints}`, { samePerson: 'identifier' });
        const { groups, weak } = naiveGroups(all, switchboard);
        expect(groupsOf(index)).toEqual(groups);
        expect(index.counts()).toMatchObject({
          rows: all.length,
          groups: groups.length,
          folded: groups.flat().length - groups.length,
          weakPhones: weak.size,
        });
        for (const { phone } of all) {
          if (phone !== null) expect(index.isWeakPhone(phone)).toBe(weak.has(phone));
        }
        close(index);
      },
    );
    fc.assert(property, { numRuns: 150 });
  });

  it('a chain through all of them is one group, from whichever end', () => {
    const length = 12_000;
    const link = (seq: number) =>
      row(seq, { email: `e${seq >> 1}@x.test`, phone: `+6${1_000_000 + ((seq + 1) >> 1)}` });
    const forward = Array.from({ length }, (_, n) => link(n));
    for (const [n, order] of [forward, forward.toReversed()].entries()) {
      const index = built(order, 3, `order ${n}`);
      const groups = index.groupsBetween(length - 500, length);
      expect(new Set(groups.values()).size).toBe(1);
      expect(groups.get(length - 1)).toMatchObject({ first: 0, last: length - 1, size: length });
      expect(groups.get(length - 1)?.members).toHaveLength(length);
      expect(index.counts()).toMatchObject({ groups: 1, folded: length - 1 });
      close(index);
    }
  });
});

describe('what goes along with the rows', () => {
  it('tag names are distinct without regard to case, in their first spelling', () => {
    const { index } = opened();
    index.addTags(['VIP', 'news'], 0);
    index.addTags(['vip', 'Straße', 'NEWS', 'late'], 1);
    const many = Array.from({ length: 1_500 }, (_, n) => `tag ${n}`);
    index.addTags(many, 2);
    index.addTags(
      many.map((name) => name.toUpperCase()),
      3,
    );
    index.finish(linkRules());
    expect([...index.tagNames()]).toEqual(['VIP', 'news', 'Straße', 'late', ...many]);
  });

  it('tag names can be walked through while other questions are asked', () => {
    const { index } = opened();
    index.addTags(['a', 'b'], 0);
    index.finish(linkRules());
    for (const name of index.tagNames()) {
      index.keep(1, name);
      expect(index.groupsBetween(0, 10).size).toBe(0);
    }
  });

  it('what waits for its group is kept in order until it is dropped', () => {
    const index = built([0, 1, 2, 3].map((seq) => row(seq, { key: String(seq % 2) })));
    const [even, odd] = [index.groupsBetween(0, 1).get(0), index.groupsBetween(1, 2).get(1)];
    if (even === undefined || odd === undefined) throw new Error('no groups');
    index.keep(2, { draft: 'two' });
    index.keep(0, { draft: 'zero' });
    index.keep(1, { draft: 'one' });
    index.keep(0, { draft: 'zero again' });
    expect(index.kept(even)).toEqual([
      { seq: 0, content: { draft: 'zero again' } },
      { seq: 2, content: { draft: 'two' } },
    ]);
    index.drop(even);
    expect(index.kept(even)).toEqual([]);
    expect(index.kept(odd)).toEqual([{ seq: 1, content: { draft: 'one' } }]);
  });

  it('rows are selected once each', () => {
    const index = built([]);
    for (const seq of [5, 9, 7, 5]) index.select(seq);
    expect(index.selectedBetween(5, 9)).toEqual(new Set([5, 7]));
    expect(index.selectedCount()).toBe(3);
  });
});

describe('the file', () => {
  const twins = [row(0, { key: 'a' }), row(1, { key: 'a', phone: '+601' })];

  it('is complete the next time, and what waited or was selected is gone', () => {
    const first = built(twins);
    first.keep(0, 'draft');
    first.select(0);
    close(first);
    const { index, complete } = opened();
    expect(complete).toBe(true);
    expect(groupsOf(index)).toEqual([[0, 1]]);
    expect(index.counts()).toEqual({
      rows: 2,
      identifiers: 1,
      groups: 1,
      folded: 1,
      weakPhones: 0,
      ...nothingAsked,
    });
    expect(index.selectedCount()).toBe(0);
    expect([...index.groupsBetween(0, 1).values()].flatMap((group) => index.kept(group))).toEqual([]);
    for (const adding of [
      () => index.add(row(2)),
      () => index.addTags(['vip'], 2),
      () => index.addFields(['Plan'], 2),
      () => index.addRejected(2, { line: 3 }),
      () => index.addMoved('hash', 2),
      () => index.addWeakPhone('601'),
      () => index.finish(linkRules()),
    ])
      expect(adding).toThrow('takes no more rows');
  });

  it('is built again where it was not finished', () => {
    const { index: first } = opened();
    for (const each of twins) first.add(each);
    close(first);
    const { index, complete } = opened();
    expect(complete).toBe(false);
    index.finish(linkRules());
    expect(index.counts()).toMatchObject({ rows: 0, groups: 0 });
  });

  it('is built again for another fingerprint', () => {
    close(built(twins));
    expect(opened('another').complete).toBe(false);
  });

  it.each([
    ['no database', (path: string) => writeFileSync(path, 'something else entirely, '.repeat(400))],
    ['empty', (path: string) => writeFileSync(path, '')],
    ['cut short', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 5_000))],
  ])('is built again where it is %s', (_what, spoil) => {
    close(built(twins));
    spoil(join(dir, 'index', 'input.db'));
    const { index, complete } = opened();
    expect(complete).toBe(false);
    for (const each of twins) index.add(each);
    index.finish(linkRules());
    expect(groupsOf(index)).toEqual([[0, 1]]);
  });

  it('is for nobody else to read, and the identities themselves go with the process', () => {
    const index = built(twins);
    const folder = join(dir, 'index');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const files = readdirSync(folder);
    expect(files).toContain('input.db.scratch');
    for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    close(index);
    expect(readdirSync(folder)).toEqual(['input.db']);
  });

  it('is removed with what a crash left beside it, and need not be there', () => {
    close(built(twins));
    const path = join(dir, 'index', 'input.db');
    writeFileSync(`${path}.scratch`, 'left behind');
    removeInputIndex(path);
    expect(readdirSync(join(dir, 'index'))).toEqual([]);
    removeInputIndex(path);
    expect(opened().complete).toBe(false);
  });

  it('that cannot be made stops the run, and says which', () => {
    mkdirSync(join(dir, 'taken.db', 'inside'), { recursive: true });
    const attempt = () => opened('print', join(dir, 'taken.db'));
    expect(attempt).toThrow(FatalError);
    expect(attempt).toThrow('cannot be used');
  });
});
