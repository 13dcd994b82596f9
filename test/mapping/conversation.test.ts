import { expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/index.ts';
import { draftOf, mapped, mappingWith } from './drafts.ts';

const closed = 'conversation: { status: closed, category: Migrated, summary: "{S}"';

test('a conversation is left as the mapping says', () => {
  expect(draftOf('conversation: { status: open }', {}).conversation).toEqual({ status: 'open' });
  expect(
    draftOf('conversation: { status: closed, category: C, summary: "No. {S}!" }', { S: '7' }).conversation,
  ).toEqual({ status: 'closed', category: 'C', summary: 'No. 7!' });
});

test('a conversation is left as the row says', () => {
  const rule = 'conversation: { status: { from: S, values: { Pending: open, spam: null } }, category: C }';
  expect(draftOf(rule, { S: ' Closed' }).conversation).toEqual({ status: 'closed', category: 'C' });
  expect(draftOf(rule, { S: 'open' }).conversation).toEqual({ status: 'open' });
  expect(draftOf(rule, { S: 'pending' }).conversation).toEqual({ status: 'open' });
  for (const cell of ['', 'Spam']) {
    expect(draftOf(rule, { S: cell })).toMatchObject({ dropped: [] });
    expect(draftOf(rule, { S: cell }).conversation).toBeUndefined();
  }
  const odd = draftOf(rule, { S: 'snoozed' });
  expect(odd.conversation).toBeUndefined();
  expect(odd.dropped).toMatchObject([{ code: 'conversation.unknown', column: 'S' }]);
});

test('a summary of which all cells are empty is none', () => {
  expect(
    draftOf('conversation: { status: closed, category: C, summary: "No. {S}" }', { S: ' ' }).conversation,
  ).toEqual({
    status: 'closed',
    category: 'C',
  });
});

test('a summary has at most 512 UTF-16 units', () => {
  expect(draftOf(`${closed} }`, { S: 'x'.repeat(512) }).conversation?.summary).toHaveLength(512);
  expect(mapped(`${closed} }`, { S: '😀'.repeat(257) })).toMatchObject({
    ok: false,
    key: null,
    problems: [
      {
        code: 'conversation.tooLong',
        column: 'S',
        reason: 'The summary has 514 characters; at most 512 are allowed.',
      },
    ],
  });
});

test('overflow: cut leaves the rest out, says so, and cuts no sign in half', () => {
  const draft = draftOf(`${closed}, overflow: cut }`, { S: `x${'😀'.repeat(256)}` });
  expect(draft.conversation?.summary).toBe(`x${'😀'.repeat(255)}`);
  expect(draft.dropped).toEqual([
    { code: 'conversation.tooLong', column: 'S', reason: expect.stringContaining('513 characters') },
  ]);
  expect(draftOf(`${closed}, overflow: cut }`, { S: 'x'.repeat(512) }).dropped).toEqual([]);
});

test('a closing note that is not there is a mistake', () => {
  const mapping = mappingWith('conversation: { status: closed, category: Migrated }');
  expect(() => compileMapping(mapping, { closingNotes: ['migrated'] })).toThrow(
    'm.yaml:3:33: conversation.category: the workspace has no closing note "Migrated"; did you mean "migrated"?',
  );
  expect(compileMapping(mapping, { closingNotes: ['Migrated'] })).toBeTypeOf('function');
});
