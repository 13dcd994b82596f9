import { describe, expect, it } from 'vitest';
import type { ImportContext } from '../../../../src/app/import/context.ts';
import {
  hashDesiredStates,
  hashFieldValues,
  hashValue,
  isPersonUnchanged,
  listPendingComments,
  type RememberedPerson,
  selectPendingStateHashes,
  selectPendingValues,
} from '../../../../src/app/import/person/memory.ts';
import type { Person } from '../../../../src/app/import/person/person.ts';
import type { CommentPartState, CommentRecord } from '../../../../src/journal/index.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import type { StepRules } from '../../../../src/steps/contact-step.ts';
import { ended } from '../../../journal/work-dir.ts';
import { draft, values } from '../../../steps/drafts.ts';
import { scene, scope, stepsOf } from '../context.ts';

const whole: Draft = {
  ...draft(values({ firstName: 'Ada', email: 'ada@example.test' })),
  tags: ['vip'],
  lifecycle: 'Lead',
  assignee: { as: 'Jane', userId: 7 },
  conversation: { status: 'closed' },
};

const everything = ['tags', 'lifecycle', 'assignee', 'conversation'];

function personWith(more: Partial<Person> = {}): Person {
  const row = { seq: 0, line: 2, key: 'A', cells: [], hash: null };
  const nothing = {
    dropped: [[]],
    identifiers: [],
    lookedUpBy: [],
    comments: [],
    open: [],
    sides: [],
    shared: {},
    rivals: [],
    furtherLookedUpBy: [],
  };
  return { rows: [row], carrier: row, keys: ['key:A'], draft: whole, ...nothing, ...more };
}

const applied = { ...hashFieldValues(whole.values), ...hashDesiredStates(stepsOf(), whole, true) };
const remembered: RememberedPerson = {
  contacts: [7],
  identifiers: [],
  lastSent: [],
  created: true,
  applied,
  sharedBy: () => 0,
};

function contextWith(more: Partial<ImportContext['scope']>, mapping: StepRules['mapping'] = {}) {
  return scene(undefined, { scope: { ...scope, ...more }, steps: stepsOf(mapping) }).context;
}

describe('the values that are looked at', () => {
  it.each([
    ['all of a stranger', {}, undefined, ['firstName', 'email']],
    ['none of a person of whom all was applied', {}, remembered, []],
    ['those whose source changed', {}, { ...remembered, applied: { ...applied, email: 'other' } }, ['email']],
    ['all where everything is compared', { full: true }, remembered, ['firstName', 'email']],
    ['none where only held steps are done', { deferredOnly: true }, undefined, []],
  ] as const)('are %s', (_what, more, before, names) => {
    const { contact } = selectPendingValues(contextWith(more), personWith(), before);
    expect(Object.keys(contact)).toEqual(names);
  });
});

describe('the states that are sent', () => {
  const held = new Set(['lifecycle', 'conversation']);

  it.each([
    ['all for a contact that we created', {}, {}, true, undefined, everything],
    [
      'not the conversation of a contact that was there',
      {},
      {},
      false,
      undefined,
      ['tags', 'lifecycle', 'assignee'],
    ],
    [
      'the conversation, too, where the mapping says so',
      {},
      { conversation: { status: 'closed', existing: true } },
      false,
      undefined,
      everything,
    ],
    [
      'no tags that are field values',
      {},
      { tags: { from: 'Tags', attach: 'customField:Tags' } },
      true,
      undefined,
      everything.slice(1),
    ],
    ['nothing that was applied', {}, {}, true, remembered, []],
    ['everything where everything is compared', { full: true }, {}, true, remembered, everything],
    ['nothing that is held back', { hold: held }, {}, true, undefined, ['tags', 'assignee']],
    [
      'what is held back alone in its own run',
      { hold: held, deferredOnly: true },
      {},
      true,
      undefined,
      ['lifecycle', 'conversation'],
    ],
  ] as const)('is %s', (_what, more, rules, created, before, names) => {
    const pending = selectPendingStateHashes(contextWith(more, rules), personWith(), before, created);
    expect(Object.keys(pending)).toEqual(names);
    for (const hash of Object.values(pending)) expect(Object.values(applied)).toContain(hash);
  });
});

describe('the comments that are looked at', () => {
  const comment = {
    id: 'origin',
    text: 'hello',
    under: 'key:A',
    item: 'origin',
    rowId: 'origin',
    repetitions: 0,
  };

  /** A context whose journal remembers the comment like this. */
  function remembering(
    parts: readonly CommentPartState[] | undefined,
    more: Partial<ImportContext['scope']>,
    text = 'hello',
  ) {
    const context = contextWith(more);
    const known: CommentRecord = { id: 'origin', parts: parts ?? [], text: hashValue(text), sentAt: 5 };
    if (parts !== undefined) {
      context.journal.finish({ ...ended(), also: [context.journal.comments.remember('key:A', known)] });
      context.journal.flush();
    }
    return context;
  }

  it.each([
    // parts, the text that was sent, what is asked for, looked at, asks for a request
    [undefined, 'hello', {}, true, true],
    [['sent'], 'hello', {}, false, false],
    [['left'], 'hello', {}, false, false],
    [['sent', 'open'], 'hello', {}, true, true],
    [['uncertain'], 'hello', {}, true, true],
    [['sent', 'uncertain'], 'before', {}, true, true],
    [['sent'], 'before', {}, true, false],
    [['sent'], 'before', { full: true }, true, false],
    [['sent', 'open'], 'hello', { deferredOnly: true }, false, false],
  ] as const)('of %j, sent as "%s", under %j: %s', (parts, sent, more, looked, asks) => {
    const context = remembering(parts, more, sent);
    const person = personWith({ comments: [comment] });
    expect(listPendingComments(context, person)).toHaveLength(looked ? 1 : 0);
    const full = 'full' in more;
    expect(isPersonUnchanged(context, person, remembered)).toBe(!asks && !full);
  });

  it('are those of their own row’s key', () => {
    const context = remembering(['sent'], {});
    const other = { ...comment, under: 'key:B' };
    expect(listPendingComments(context, personWith({ comments: [comment, other] }))).toEqual([
      { comment: other, known: undefined, repeats: 'row' },
    ]);
  });
});

it('nobody is unchanged whom nobody remembers', () => {
  expect(isPersonUnchanged(contextWith({}), personWith(), undefined)).toBe(false);
});

it('a default stage is not wanted of a contact who was there', () => {
  const { lifecycle: _, ...others } = whole;
  const person = personWith({ draft: { ...others, defaultLifecycle: 'New' } });
  const known = { ...remembered, created: false, applied: hashFieldValues(whole.values) };
  const pending = (created: boolean) =>
    Object.keys(selectPendingStateHashes(contextWith({}), person, known, created));
  expect(pending(true)).toContain('lifecycle');
  expect(pending(false)).not.toContain('lifecycle');
});
