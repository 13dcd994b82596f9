import { expect, test } from 'vitest';
import { checkAgainstWorkspace, checkColumns } from '../../src/mapping/index.ts';
import type { CustomField } from '../../src/model/custom-field.ts';
import { mappingWith, user } from './drafts.ts';

const mapping = mappingWith(`tags: { from: [Segments, More], attach: "customField:Legacy tags" }
lifecycle: { from: Stage }
assignee:
  from: Owner
  users: { Jane: jan@acme.test, Bob: 12, Wei: Wei Chen }
  unknown: Unasigned
conversation: { status: closed, category: Migrated, summary: "No. {Record}" }
comments:
  - { name: origin, key: Note, text: "{Record} {mention: assignee}" }
  - { each: notes, key: id, text: "{body}", order: created_at }`);

const users = [
  user(11, 'Jane', 'Doe', 'jane@acme.test'),
  user(13, 'Wei', 'Chen', 'wei@acme.test'),
  user(14, 'Wei', 'Chen', 'chen@acme.test'),
];

const text: CustomField = { id: 1, name: 'Legacy tags', dataType: 'text' };

function lines(mistakes: ReturnType<typeof checkColumns>): readonly string[] {
  return mistakes.map(({ line, column, key, reason }) => `${line}:${column} ${key}: ${reason}`);
}

test('columns that tags, lifecycle, assignee, conversation and comments read must be there', () => {
  const notes = { name: 'notes', columns: ['id', 'body', 'created_at'] };
  const columns = ['E', 'Segments', 'More', 'Stage', 'Owner', 'Record', 'Note'];
  expect(checkColumns(mapping, columns, [notes])).toEqual([]);
  const missing = checkColumns(mapping, ['E'], [notes]).map(({ line, key, reason }) => [
    line,
    key,
    reason.split('"')[1],
  ]);
  expect(missing).toEqual([
    [3, 'tags.from.0', 'Segments'],
    [3, 'tags.from.1', 'More'],
    [4, 'lifecycle.from', 'Stage'],
    [6, 'assignee.from', 'Owner'],
    [9, 'conversation.summary', 'Record'],
    [11, 'comments.0.key', 'Note'],
    [11, 'comments.0.text', 'Record'],
  ]);
});

test('users, closing notes and the field of the tags must be in the workspace', () => {
  const noName = 'no user of the workspace has the id, the e-mail address or the name';
  const customFields: readonly CustomField[] = [{ ...text, name: 'Legacy Tags' }];
  expect(
    lines(checkAgainstWorkspace(mapping, { customFields, users, closingNotes: ['Won', 'migrated'] })),
  ).toEqual([
    '3:33 tags.attach: the workspace has no custom field "Legacy tags"; did you mean "Legacy Tags"?',
    `7:12 assignee.users.Jane: ${noName} "jan@acme.test"; did you mean "jane@acme.test"?`,
    `7:33 assignee.users.Bob: ${noName} "12"`,
    '7:42 assignee.users.Wei: several users of the workspace are named "Wei Chen"; use the e-mail address or id',
    `8:3 assignee.unknown: ${noName} "Unasigned"; did you mean "unassigned"?`,
    '9:33 conversation.category: the workspace has no closing note "Migrated"; did you mean "migrated"?',
  ]);
});

test('of what was not read, nothing is said', () => {
  expect(checkAgainstWorkspace(mapping, { customFields: [text] })).toEqual([]);
  expect(checkAgainstWorkspace(mappingWith(''), { customFields: [], users: [], closingNotes: [] })).toEqual(
    [],
  );
});

test('what is there is fine', () => {
  const fine =
    mappingWith(`assignee: { from: O, users: { a: 11, b: Jane DOE, c: null }, unknown: chen@acme.test }
conversation: { status: closed, category: Won }`);
  expect(checkAgainstWorkspace(fine, { customFields: [], users, closingNotes: ['Won'] })).toEqual([]);
  for (const unknown of ['unassigned', 'reject']) {
    const words = mappingWith(`assignee: { from: O, unknown: ${unknown} }`);
    expect(checkAgainstWorkspace(words, { customFields: [], users })).toEqual([]);
  }
});

test('tags need a text field, or one of a type that nobody knows', () => {
  const field = (dataType: string) => ({ customFields: [{ ...text, dataType }] });
  expect(checkAgainstWorkspace(mapping, field('stars'))).toEqual([]);
  expect(lines(checkAgainstWorkspace(mapping, field('list')))).toEqual([
    '3:33 tags.attach: the workspace\'s field is of type "list", but tags need a "text" field',
  ]);
});

test('a closing note of a workspace that has none', () => {
  const closed = mappingWith('conversation: { status: closed, category: Won }');
  expect(lines(checkAgainstWorkspace(closed, { customFields: [], closingNotes: [] }))).toEqual([
    '3:33 conversation.category: the workspace has no closing note "Won"; it has none',
  ]);
});
