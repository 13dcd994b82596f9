import { describe, expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/index.ts';
import { draftOf, mapped, mappingWith, problemsOf, user } from './drafts.ts';

const users = [
  user(11, 'Jane', 'Doe', 'Jane@acme.test'),
  user(12, 'Wei', 'Chen', 'wei@acme.test'),
  user(13, 'Wei', 'Chen', 'wei.chen@acme.test'),
  user(14, 'Madonna', '', 'm@acme.test'),
];

describe('a user of the workspace is found', () => {
  test.each([
    ['by id', '11', 11],
    ['by e-mail address in any case', 'JANE@ACME.test', 11],
    ['by name in any case', ' jane  DOE ', 11],
    ['by a name of one word', 'Madonna', 14],
  ])('%s', (_how, text, userId) => {
    expect(draftOf('assignee: { from: O }', { O: text }, { users }).assignee).toEqual({
      as: text.trim(),
      userId,
    });
  });

  test('through users, without regard to case, by e-mail address or id', () => {
    const rule = 'assignee: { from: O, users: { Old Jane: jane@acme.test, "7": 12 } }';
    const assigned = (text: string): unknown => draftOf(rule, { O: text }, { users }).assignee;
    expect(assigned('OLD jane')).toEqual({ as: 'jane@acme.test', userId: 11 });
    expect(assigned('7')).toEqual({ as: '12', userId: 12 });
  });

  test('in the first column that is not empty', () => {
    expect(draftOf('assignee: { from: [O, P] }', { O: '', P: '12' }, { users }).assignee?.userId).toBe(12);
  });
});

describe('a user that nobody knows', () => {
  const cells = { O: 'Old Bob' };

  test('is left out and noted', () => {
    for (const rule of ['{ from: O }', '{ from: O, unknown: unassigned }']) {
      const draft = draftOf(`assignee: ${rule}`, cells, { users });
      expect(Object.keys(draft)).not.toContain('assignee');
      expect(draft.dropped).toEqual([
        {
          code: 'assignee.unknown',
          column: 'O',
          reason:
            'No user of the workspace has the id, the e-mail address or the name "Old Bob". The assignee is left alone.',
        },
      ]);
    }
  });

  test('rejects the row', () => {
    expect(problemsOf('assignee: { from: O, unknown: reject }', cells, { users })).toEqual([
      ['assignee.unknown', 'O'],
    ]);
  });

  test('is replaced by a user, and noted', () => {
    for (const [unknown, as] of [
      ['jane@acme.test', 'jane@acme.test'],
      ['11', '11'],
      ['Jane Doe', 'Jane Doe'],
    ]) {
      const draft = draftOf(`assignee: { from: O, unknown: ${unknown} }`, cells, { users });
      expect(draft.assignee).toEqual({ as, userId: 11 });
      expect(draft.dropped).toEqual([
        { code: 'assignee.unknown', column: 'O', reason: expect.stringContaining(`"${as}" instead`) },
      ]);
    }
  });

  test('is also a name that two users have', () => {
    const result = mapped('assignee: { from: O, unknown: reject }', { O: 'Wei Chen' }, { users });
    expect(result).toMatchObject({
      problems: [
        { code: 'assignee.unknown', reason: expect.stringMatching(/^Several users .* named "Wei Chen"/) },
      ],
    });
  });

  test('cannot be replaced by nobody', () => {
    const mapping = mappingWith('assignee: { from: O, unknown: nobody@acme.test }');
    expect(() => compileMapping(mapping, { users })).toThrow(
      'm.yaml:3:22: assignee.unknown: no user of the workspace has the id, the e-mail address or the name "nobody@acme.test"',
    );
    expect(compileMapping(mapping)).toBeTypeOf('function');
  });
});

test('an empty cell leaves the assignee alone, or takes it away', () => {
  expect(draftOf('assignee: { from: O, unknown: 11 }', { O: ' ' }, { users }).assignee).toBeUndefined();
  const clear = 'assignee: { from: O, empty: clear }';
  expect(draftOf(clear, { O: '' }, { users }).assignee).toEqual({ as: '', userId: null });
  expect(draftOf(clear, {}, { users }).assignee).toBeUndefined();
});

describe('a name that users gives null', () => {
  const rule = 'assignee: { from: [O, P], users: { Old Bob: null }, unknown: reject }';

  test('is nobody: the assignee is left alone, without a problem, online and offline', () => {
    for (const options of [{ users }, {}]) {
      const draft = draftOf(rule, { O: 'OLD bob', P: '11' }, options);
      expect(Object.keys(draft)).not.toContain('assignee');
      expect(draft.dropped).toEqual([]);
    }
  });

  test('unassigns where an empty cell does', () => {
    const clear = 'assignee: { from: O, users: { Old Bob: null }, empty: clear }';
    for (const options of [{ users }, {}])
      expect(draftOf(clear, { O: 'Old Bob' }, options).assignee).toEqual({ as: '', userId: null });
  });

  test('is mentioned as it is written', () => {
    const comments = `${rule}\ncomments: [{ name: note, text: "{mention: assignee}: {Note}" }]`;
    const draft = draftOf(comments, { O: 'Old Bob', Note: 'Hello' }, { users });
    expect(draft.comments?.map(({ text }) => text)).toEqual(['Old Bob: Hello']);
  });
});

test('offline the assignee is what the mapping makes of the cell', () => {
  const rule = 'assignee: { from: O, users: { Jane: jane@acme.test }, unknown: reject }';
  expect(draftOf(rule, { O: 'jane' }).assignee).toEqual({ as: 'jane@acme.test', userId: null });
  expect(draftOf(rule, { O: 'Bob' }).assignee).toEqual({ as: 'Bob', userId: null });
});
