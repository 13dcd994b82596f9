import { describe, expect, it } from 'vitest';
import { createContactUpdateStep, planUpdate } from '../../src/steps/update-contact.ts';
import { contact } from '../identity/contact.ts';
import { draft, rules, values } from './drafts.ts';
import { answer, answering, errorAnswer } from './workspace.ts';

const there = contact(7, {
  firstName: 'Ada',
  lastName: 'Byron',
  custom_fields: [
    { name: 'Score', value: '42' },
    { name: 'VIP', value: 'true' },
    { name: 'Note', value: 'x' },
  ],
});

describe('an update', () => {
  it.each([
    ['nothing is said', values({})],
    [
      'everything said stands there',
      values({ firstName: 'Ada', lastName: 'Byron' }, { Score: 42, VIP: true }),
    ],
    ['only a first name is cleared', values({ firstName: null })],
  ])('is nothing where %s', (_what, says) => {
    expect(planUpdate(draft(says), there, rules, 'changed')).toEqual({ kind: 'nothing' });
  });

  it.each([
    [
      'a changed field, and the first name that stands there',
      values({ firstName: 'Ada', lastName: 'King' }),
      { firstName: 'Ada', lastName: 'King' },
    ],
    ['a changed first name', values({ firstName: 'Augusta' }), { firstName: 'Augusta' }],
    ['null to clear', values({ lastName: null }), { firstName: 'Ada', lastName: null }],
    [
      'the full custom-field list with the change in it',
      values({}, { Score: 43 }),
      {
        firstName: 'Ada',
        custom_fields: [
          { name: 'Score', value: 43 },
          { name: 'VIP', value: true },
          { name: 'Note', value: 'x' },
        ],
      },
    ],
  ])('sends %s', (_what, says, body) => {
    expect(planUpdate(draft(says), there, rules, 'changed')).toMatchObject({
      kind: 'effect',
      effect: { contactId: 7, body },
    });
  });

  it('keeps what stood there before, for who wants to put it back', () => {
    expect(
      planUpdate(draft(values({ lastName: 'King' }, { Note: null })), there, rules, 'changed'),
    ).toMatchObject({
      effect: {
        changes: [
          { kind: 'contact', name: 'lastName', from: 'Byron', to: 'King' },
          { kind: 'custom', name: 'Note', from: 'x', to: null },
        ],
      },
    });
  });

  it('that only fills leaves alone what is there', () => {
    const says = values({ lastName: 'King', language: 'en' }, { Score: 1 });
    expect(planUpdate(draft(says), there, rules, 'empty')).toMatchObject({
      effect: { body: { firstName: 'Ada', language: 'en' }, changes: [{ name: 'language' }] },
    });
  });

  it.each([
    [
      'takes the default',
      values({ firstName: 'Unknown' }),
      { kind: 'effect', effect: { body: { firstName: 'Unknown' } } },
    ],
    [
      'without a default is a problem',
      values({}),
      { kind: 'problem', problem: { code: 'firstName.missing' } },
    ],
  ])('of a contact without a first name %s', (_what, defaults, plan) => {
    const nameless = contact(7, { lastName: 'Byron' });
    expect(
      planUpdate(draft(values({ lastName: 'King' }), defaults), nameless, rules, 'changed'),
    ).toMatchObject(plan);
  });

  it('goes by id, once, and says whom a lost one may still change', async () => {
    const { workspace, clock, sent } = answering({ 'PUT /contact/id:7': errorAnswer(502, 'bad gateway') });
    const operation = createContactUpdateStep(rules);
    const effect = { contactId: 7, changes: [], body: { firstName: 'Ada' } };
    expect(await clock.run(operation.send(workspace, effect))).toMatchObject({ kind: 'unknown' });
    expect(sent).toEqual([{ request: 'PUT /contact/id:7', body: { firstName: 'Ada' } }]);
    expect(operation.mayArriveLate(effect)).toEqual(['id:7']);
    expect(operation.creates(effect)).toEqual([]);
  });

  it('comes back from the journal as it went in, or is refused', () => {
    const plan = planUpdate(draft(values({ lastName: null }, { Score: 43 })), there, rules, 'changed');
    if (plan.kind !== 'effect') throw new Error(plan.kind);
    const operation = createContactUpdateStep(rules);
    expect(operation.parse(JSON.parse(JSON.stringify(plan.effect)))).toEqual(plan.effect);
    expect(() => operation.parse({ contactId: 7, changes: [{ kind: 'odd' }], body: {} })).toThrow();
  });
});

describe('an update that lost its answer', () => {
  const effect = {
    contactId: 7,
    changes: [
      { kind: 'contact', name: 'lastName', from: 'Byron', to: 'King' },
      { kind: 'custom', name: 'Score', from: '42', to: 43 },
    ],
    body: { firstName: 'Ada', lastName: 'King' },
  } as const;
  const reads = (lastName: string, score: string) =>
    answer(200, { id: 7, firstName: 'Ada', lastName, custom_fields: [{ name: 'Score', value: score }] });

  it.each([
    ['all of it stands there', reads('King', '43'), 'done'],
    ['none of it stands there', reads('Byron', '42'), 'absent'],
    ['half of it stands there', reads('King', '42'), 'absent'],
    ['the contact is gone', errorAnswer(404, 'Contact not found'), 'absent'],
    ['the contact cannot be read', errorAnswer(400, 'Validation error.'), 'unknown'],
  ])('is settled where %s', async (_what, response, kind) => {
    const { workspace, clock } = answering({ 'GET /contact/id:7': response });
    expect(await clock.run(createContactUpdateStep(rules).settle(workspace, effect))).toMatchObject({ kind });
  });
});
