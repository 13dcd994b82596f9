import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draftOf, user } from './drafts.ts';

const users = [user(77, 'Jane', 'Doe', 'jane@acme.test')];
const origin = 'comments: [{ name: origin, text: "Legacy record {ID}" }]';

test('a comment is known by its name, and where it has one, by its key', () => {
  const rule = `comments:
  - { name: origin, text: "Legacy record {ID}" }
  - { name: note, key: Note, text: "{Body}" }
  - { name: greeting, text: Welcome }`;
  expect(draftOf(rule, { ID: '7', Note: ' 18 ', Body: ' Called {back}.\n' }).comments).toEqual([
    { id: 'origin', text: 'Legacy record 7' },
    { id: 'note:18', text: 'Called {back}.' },
    { id: 'greeting', text: 'Welcome' },
  ]);
});

test('a comment is none where all columns that it needs are empty', () => {
  const rule = 'comments: [{ name: note, text: "{At}: {Note}{More}", needs: [Note, More] }]';
  expect(draftOf(rule, { At: '2024-01-01', Note: ' ', More: '' }).comments).toEqual([]);
  expect(draftOf(rule, { At: '', Note: '', More: 'Called' }).comments).toEqual([
    { id: 'note', text: ': Called' },
  ]);
});

test('a comment of which all cells are empty is none', () => {
  expect(draftOf(origin, { ID: ' ' }).comments).toEqual([]);
  expect(
    draftOf('comments: { existing: send, entries: [{ name: a, text: "{A}{B}" }] }', { A: '', B: 'b' })
      .comments,
  ).toEqual([{ id: 'a', text: 'b' }]);
});

test('a line of a comment that inserts only empty cells is left out', () => {
  const rule = `comments:
  - name: row
    text: |-
      Order {No}
      Total: {Total} {Currency}
      Seen by the shop
      Note: {Note}`;
  expect(draftOf(rule, { No: '7', Total: '', Currency: 'EUR', Note: ' ' }).comments).toEqual([
    { id: 'row', text: 'Order 7\nTotal: EUR\nSeen by the shop' },
  ]);
  expect(draftOf(rule, { No: '', Total: '', Currency: '', Note: 'a\n\nb' }).comments).toEqual([
    { id: 'row', text: 'Seen by the shop\nNote: a\n\nb' },
  ]);
});

test('without its key a comment is known by its name', () => {
  expect(
    draftOf('comments: [{ name: note, key: Note, text: "{Body}" }]', { Note: '', Body: 'x' }).comments,
  ).toEqual([{ id: 'note', text: 'x' }]);
});

describe('a template that mentions the assignee', () => {
  const rule = `assignee: { from: O, users: { Jane: jane@acme.test } }
comments: [{ name: a, text: "{mention: assignee} has {ID}" }, { name: b, text: "{mention:assignee}" }]`;
  const texts = (O: string, context = {}): unknown =>
    draftOf(rule, { O, ID: '7' }, context).comments?.map(({ text }) => text);

  test('mentions the user', () => {
    expect(texts('Jane', { users })).toEqual(['{{@user.77}} has 7', '{{@user.77}}']);
  });

  test('writes the name of whom nobody knows', () => {
    expect(texts('Bob', { users })).toEqual(['Bob has 7', 'Bob']);
    expect(texts('Jane')).toEqual(['Jane has 7', 'Jane']);
    expect(texts('{{@user.5}}', { users })).toEqual(['{ {@user.5}} has 7', '{ {@user.5}}']);
  });

  test('writes nothing where nobody is named', () => {
    expect(texts('', { users })).toEqual(['has 7']);
    const only = rule.replace('"{mention:assignee}"', '"{mention:assignee}: have a look"');
    expect(draftOf(only, { O: '', ID: '' }, { users }).comments).toEqual([]);
  });

  test('mentions who gets the contact instead', () => {
    const instead = rule.replace('from: O,', 'from: O, unknown: 77,');
    expect(draftOf(instead, { O: 'Bob', ID: '' }, { users }).comments).toEqual([
      { id: 'b', text: '{{@user.77}}' },
    ]);
  });
});

describe('the data mentions nobody', () => {
  const text = (template: string, cells: Record<string, string>): string | undefined =>
    draftOf(`comments: [{ name: a, text: ${JSON.stringify(template)} }]`, cells).comments?.[0]?.text;

  test.each([
    ['in a cell', '{A}', { A: 'Ask {{@user.5}} now' }, 'Ask { {@user.5}} now'],
    ['in other spellings', '{A}', { A: '{{ @USER.5 }} {{{@user.6}}' }, '{ { @USER.5 }} {{ {@user.6}}'],
    ['made of two cells', '{A}{B}', { A: '{', B: '{@user.5}}' }, '{ {@user.5}}'],
    ['made of the template and a cell', '{{{A}', { A: '{@user.5}}' }, '{ {@user.5}}'],
    ['by filling in an id', '{{{{@user.{A}}}', { A: '5' }, '{ {@user.5}}'],
    ['not even half', '{A}', { A: 'x {{@user.' }, 'x { {@user.'],
    ['while the template may', '{{{{@user.5}} has {A}', { A: '7' }, '{{@user.5}} has 7'],
    ['and other braces stay', '{A}', { A: '{{name}} {{@team}}' }, '{{name}} {{@team}}'],
  ])('%s', (_how, template, cells, expected) => {
    expect(text(template, cells)).toBe(expected);
  });

  test('nor in a summary', () => {
    const rule = 'conversation: { status: closed, category: C, summary: "{A}" }';
    expect(draftOf(rule, { A: '{{@user.5}}' }).conversation?.summary).toBe('{ {@user.5}}');
  });

  test('whatever stands in it, and the mention of the template stays one', () => {
    const piece = fc.constantFrom('{', '}', '{{', '}}', '@', '@user.', 'user', '.', '5', ' ', 'x', '\n');
    const cell = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const rule = `assignee: { from: O }
comments: [{ name: a, text: "{{{A}{B} {mention: assignee}{C}}} {{{{@{D}" }]`;
    fc.assert(
      fc.property(cell, cell, cell, cell, (A, B, C, D) => {
        const cells = { O: '77', A: `x${A}`, B, C, D };
        const comment = draftOf(rule, cells, { users }).comments?.[0]?.text ?? '';
        const mentioned = [...comment.matchAll(/\{\{@user\.([^}]*)\}\}/g)].map(([, id]) => id);
        expect(mentioned).toEqual(['77']);
        expect(comment.split('{{@user')).toHaveLength(2);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an empty cell in a template', () => {
  const text = (template: string, cells: Record<string, string>): string | undefined =>
    draftOf(
      `customFields: { F: { template: ${JSON.stringify(template)}, type: text, trim: false } }`,
      cells,
    ).values.customFields.F?.toString();

  test.each([
    ['between two', '{A} {B} {C}', { A: 'Ada', B: '', C: 'Lovelace' }, 'Ada Lovelace'],
    ['of blanks', '{A} {B} {C}', { A: 'Ada', B: '  ', C: 'Lovelace' }, 'Ada   Lovelace'],
    ['at the beginning', '{A} {B} {C}', { A: '', B: '', C: 'Lovelace' }, 'Lovelace'],
    ['behind a line end', 'x\n{A} {B}', { A: '', B: 'y' }, 'x\ny'],
    ['with a sign behind it', '{A}, {B}: {C}', { A: '', B: 'y', C: '' }, ', y: '],
    ['that is not there', '{A} {B}', { A: 'a  b', B: 'c' }, 'a  b c'],
  ])('%s takes one blank along', (_where, template, cells, expected) => {
    expect(text(template, cells)).toBe(expected);
  });
});
