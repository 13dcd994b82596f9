import { describe, expect, it } from 'vitest';
import { contactCreateStep, planCreate } from '../../src/steps/create-contact.ts';
import { draft, values } from './drafts.ts';
import { answer, answering, errorAnswer } from './workspace.ts';

const email = { kind: 'email', value: 'ada@example.test' } as const;
const phone = { kind: 'phone', value: '+60123456789' } as const;

describe('a create', () => {
  it.each([
    [
      'what the row says',
      values({ firstName: 'Ada', lastName: 'Byron' }),
      values({}),
      { firstName: 'Ada', lastName: 'Byron' },
    ],
    [
      'defaults where the row says nothing',
      values({ lastName: 'Byron' }, { Score: 1 }),
      values({ firstName: 'Unknown', lastName: 'None' }, { Score: 9, VIP: false }),
      {
        firstName: 'Unknown',
        lastName: 'Byron',
        custom_fields: [
          { name: 'Score', value: 1 },
          { name: 'VIP', value: false },
        ],
      },
    ],
    [
      'nothing for what is to be cleared',
      values({ firstName: 'Ada', lastName: null }, { Note: null }),
      values({}),
      { firstName: 'Ada' },
    ],
    [
      'zero, false and numbers unquoted',
      values({ firstName: 'Ada' }, { Score: 0, VIP: false, Note: '0' }),
      values({}),
      {
        firstName: 'Ada',
        custom_fields: [
          { name: 'Score', value: 0 },
          { name: 'VIP', value: false },
          { name: 'Note', value: '0' },
        ],
      },
    ],
  ])('sends %s', (_what, says, defaults, body) => {
    expect(planCreate(draft(says, defaults), [email])).toEqual({
      ok: true,
      effect: { identifiers: [email], body },
    });
  });

  it.each([
    ['no', {}],
    ['an empty', { firstName: '' }],
    ['a cleared', { firstName: null }],
  ])('with %s first name is a problem of the row', (_what, contact) => {
    expect(planCreate(draft(values(contact)), [email])).toMatchObject({
      ok: false,
      problem: { code: 'firstName.missing' },
    });
  });

  it('goes to the first identifier and remembers all', async () => {
    const effect = { identifiers: [phone, email], body: { firstName: 'Ada', email: email.value } };
    const { workspace, clock, sent } = answering({
      'POST /contact/phone:+60123456789': answer(201, { code: '201', message: 'ok' }),
    });
    expect(await clock.run(contactCreateStep.send(workspace, effect))).toEqual({
      kind: 'ok',
      value: { contactId: null },
    });
    expect(sent).toEqual([{ request: 'POST /contact/phone:+60123456789', body: effect.body }]);
    expect(contactCreateStep.creates(effect)).toEqual(['phone:+60123456789', 'email:ada@example.test']);
    expect(contactCreateStep.mayArriveLate(effect)).toEqual([]);
  });

  it('without an identifier is refused before it leaves', async () => {
    const { workspace, clock, sent } = answering({});
    const answered = await clock.run(
      contactCreateStep.send(workspace, { identifiers: [], body: { firstName: 'A' } }),
    );
    expect(answered.kind).toBe('refused');
    expect(sent).toEqual([]);
  });

  it('comes back from the journal as it went in, or is refused', () => {
    const effect = {
      identifiers: [email],
      body: { firstName: 'Ada', lastName: null, custom_fields: [{ name: 'VIP', value: true }] },
    };
    expect(contactCreateStep.parse(JSON.parse(JSON.stringify(effect)))).toEqual(effect);
    expect(() => contactCreateStep.parse({ identifiers: [email] })).toThrow();
  });
});

describe('a create that lost its answer', () => {
  const effect = { identifiers: [email, phone], body: { firstName: 'Ada' } };
  const byEmail = 'GET /contact/email:ada@example.test';
  const byPhone = 'GET /contact/phone:+60123456789';
  const ada = answer(200, { id: 1, firstName: 'Ada' });
  const bob = answer(200, { id: 2, firstName: 'Bob' });

  it.each([
    ['nobody is there', {}, { kind: 'absent' }],
    ['our person is there by the first', { [byEmail]: ada }, { kind: 'done', contact: { id: 1 } }],
    ['our person is there by the second', { [byPhone]: ada }, { kind: 'done', contact: { id: 1 } }],
    ['somebody else is there', { [byEmail]: bob }, { kind: 'other', contact: { id: 2 } }],
    [
      'somebody else and our person are there',
      { [byEmail]: bob, [byPhone]: ada },
      { kind: 'done', contact: { id: 1 } },
    ],
    ['one of them cannot be read', { [byEmail]: errorAnswer(400, 'Validation error.') }, { kind: 'unknown' }],
  ])('is settled where %s', async (_what, answers, settled) => {
    const { workspace, clock } = answering(answers);
    expect(await clock.run(contactCreateStep.settle(workspace, effect))).toMatchObject(settled);
  });
});
