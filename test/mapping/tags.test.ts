import { describe, expect, test } from 'vitest';
import { compileTagFinalizer } from '../../src/mapping/index.ts';
import type { Cell } from '../../src/model/row.ts';
import { draftOf, mapped, mappingWith, problemsOf } from './drafts.ts';

const samples: readonly (readonly [
  what: string,
  rule: string,
  cells: Record<string, Cell>,
  tags: readonly string[],
])[] = [
  ['one cell is one tag', '{ from: T }', { T: ' a b ' }, ['a b']],
  ['split cuts, trims and leaves empty ones out', '{ from: T, split: ";" }', { T: ' a ;; b; ' }, ['a', 'b']],
  ['the first spelling stays', '{ from: T, split: ";" }', { T: 'Vip;b;VIP;B' }, ['Vip', 'b']],
  ['several columns are united', '{ from: [T, U], split: "," }', { T: 'a,b', U: 'B,c' }, ['a', 'b', 'c']],
  [
    'values translate',
    '{ from: T, split: ";", values: { "V.I.P.": vip, x: null } }',
    { T: 'v.i.p.;X' },
    ['vip'],
  ],
  ['values may make two tags one', '{ from: T, split: ";", values: { a: c, b: C } }', { T: 'a;b' }, ['c']],
  ['an empty cell has none', '{ from: T, split: ";" }', { T: '' }, []],
  ['an empty cell can be listed', '{ from: T, values: { "": new } }', { T: ' ' }, ['new']],
  ['a column that is not there has none', '{ from: T }', {}, []],
  [
    'a refused tag is left out',
    '{ from: T, split: ";", values: { a: b }, strict: true, onInvalid: drop }',
    { T: 'a;x' },
    ['b'],
  ],
];

test.each(samples)('tags: %s', (_what, rule, cells, tags) => {
  expect(draftOf(`tags: ${rule}`, cells).tags).toEqual(tags);
});

test('a mapping without tags says nothing of them', () => {
  expect(Object.keys(draftOf('', {}))).not.toContain('tags');
});

test('strict rejects the row, or notes what is left out', () => {
  const strict = 'tags: { from: [T, U], values: { a: b }, strict: true';
  expect(problemsOf(`${strict} }`, { T: 'a', U: 'x' })).toEqual([['tags.notAllowed', 'U']]);
  expect(draftOf(`${strict}, onInvalid: drop }`, { T: 'a', U: 'x' }).dropped).toEqual([
    { code: 'tags.notAllowed', column: 'U', reason: expect.stringContaining('"x"') },
  ]);
});

describe('settling', () => {
  const cell = (count: number): string => Array.from({ length: count }, (_, index) => `t${index}`).join(';');
  const settle = (more: string, count: number) => {
    const below = `tags: { from: [T], split: ";"${more} }`;
    return compileTagFinalizer(mappingWith(below))(draftOf(below, { T: cell(count) }));
  };

  test('ten tags are possible, and the draft stays as it is', () => {
    const result = settle('', 10);
    expect(result).toMatchObject({ ok: true, draft: { tags: cell(10).split(';'), dropped: [] } });
  });

  test('eleven reject', () => {
    expect(settle('', 11)).toEqual({
      ok: false,
      problem: { code: 'tags.tooMany', column: 'T', reason: expect.stringContaining('11 tags') },
    });
  });

  test('first10 keeps ten and names the others', () => {
    expect(settle(', overflow: first10', 12)).toMatchObject({
      ok: true,
      draft: {
        tags: cell(10).split(';'),
        dropped: [{ code: 'tags.tooMany', column: 'T', reason: expect.stringMatching(/"t10", "t11"\.$/) }],
      },
    });
  });

  test('more than ten are counted after the fold, not in a row', () => {
    expect(mapped('tags: { from: T, split: ";" }', { T: cell(11) }).ok).toBe(true);
  });

  test('a custom field gets what is left, and keeps its value where there is none', () => {
    const attach = ', overflow: first10, attach: "customField:Legacy tags"';
    expect(settle(attach, 11)).toMatchObject({
      draft: {
        values: {
          contact: { email: 'a@b.co' },
          customFields: { 'Legacy tags': cell(10).replaceAll(';', '; ') },
        },
      },
    });
    const below = 'tags: { from: T, attach: "customField:Legacy tags" }';
    const none = draftOf(below, { T: '' });
    expect(compileTagFinalizer(mappingWith(below))(none)).toEqual({ ok: true, draft: none });
  });

  test('a mapping without tags changes nothing', () => {
    const draft = draftOf('', {});
    expect(compileTagFinalizer(mappingWith(''))(draft)).toEqual({ ok: true, draft });
  });
});
