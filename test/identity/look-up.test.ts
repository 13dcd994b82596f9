import { describe, expect, it } from 'vitest';
import { listDraftIdentifiers, lookUpContacts } from '../../src/identity/look-up.ts';
import type { WorkspaceAnswer } from '../../src/model/answer.ts';
import type { Contact, ContactFields } from '../../src/model/contact.ts';
import type { Identifier } from '../../src/model/identifier.ts';
import { contact } from './contact.ts';

const email = { kind: 'email', value: 'ada@example.test' } as const;
const phone = { kind: 'phone', value: '+60123456789' } as const;

function draft(values: ContactFields) {
  return {
    key: null,
    emailAsWritten: null,
    values: { contact: values, customFields: {} },
    defaults: { contact: { email: 'default@example.test' }, customFields: {} },
    dropped: [],
  };
}

describe('the identifiers of a draft', () => {
  const both = draft({ email: email.value, phone: phone.value });

  it.each([
    ['in the order of the mapping', both, ['email', 'phone'], [email, phone]],
    ['in the other order', both, ['phone', 'email'], [phone, email]],
    ['only by what identifies', both, ['phone'], [phone]],
    [
      'without one that is to be cleared',
      draft({ email: null, phone: phone.value }),
      ['email', 'phone'],
      [phone],
    ],
    ['without an empty one', draft({ email: '' }), ['email', 'phone'], []],
    ['never by a default', draft({}), ['email', 'phone'], []],
  ] as const)('%s', (_what, from, order, identifiers) => {
    expect(listDraftIdentifiers(from, order)).toEqual(identifiers);
  });
});

describe('a look-up', () => {
  const ada = contact(1);
  const bob = contact(2);
  const ok = (value: Contact): WorkspaceAnswer<Contact> => ({ kind: 'ok', value });
  const absent: WorkspaceAnswer<Contact> = { kind: 'absent', message: 'Contact not found' };
  const refused: WorkspaceAnswer<Contact> = { kind: 'refused', status: 400, message: 'Validation error.' };
  const queued: WorkspaceAnswer<Contact> = { kind: 'queued', message: 'later' };
  const unknown: WorkspaceAnswer<Contact> = { kind: 'unknown', message: 'no answer' };

  const reading =
    (byEmail: WorkspaceAnswer<Contact>, byPhone: WorkspaceAnswer<Contact>) => (identifier: Identifier) =>
      Promise.resolve(identifier.kind === 'email' ? byEmail : byPhone);

  it.each([
    ['nobody', absent, absent, []],
    ['one by e-mail', ok(ada), absent, [{ by: 'email', contact: ada }]],
    ['one by phone', absent, ok(bob), [{ by: 'phone', contact: bob }]],
    [
      'whom each leads to, in the order asked',
      ok(ada),
      ok(bob),
      [
        { by: 'email', contact: ada },
        { by: 'phone', contact: bob },
      ],
    ],
  ])('finds %s', async (_who, byEmail, byPhone, found) => {
    expect(await lookUpContacts(reading(byEmail, byPhone), [email, phone])).toEqual({
      kind: 'ok',
      value: found,
    });
  });

  it.each([
    ['refused', refused],
    ['queued', queued],
    ['unknown', unknown],
  ])('of which one answer is %s believes none of it', async (_what, answer) => {
    expect(await lookUpContacts(reading(ok(ada), answer), [email, phone])).toEqual(answer);
    expect(await lookUpContacts(reading(answer, absent), [email, phone])).toEqual(answer);
  });

  it('asks for all identifiers at the same time, and each once', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const looking = lookUpContacts(
      (identifier) => {
        asked.push(identifier.kind);
        return new Promise((resolve) => answers.push(() => resolve(absent)));
      },
      [email, phone],
    );
    expect(asked).toEqual(['email', 'phone']);
    for (const answer of answers) answer();
    expect(await looking).toEqual({ kind: 'ok', value: [] });
  });

  it('asks for the e-mail as the row spells it, where nobody has it as it is sent', async () => {
    const asked: string[] = [];
    const read = (identifier: Identifier) => {
      asked.push(identifier.value);
      return Promise.resolve(identifier.value === 'Ada@Example.com' ? ok(ada) : absent);
    };
    const found = await lookUpContacts(read, [email], 'Ada@Example.com');
    expect(found).toEqual({ kind: 'ok', value: [{ by: 'email', contact: ada }] });
    expect(asked).toEqual([email.value, 'Ada@Example.com']);
  });

  it.each([
    ['a Brazilian mobile number', '+5571980071007', ['+5571980071007', '+557180071007']],
    ['a Mexican number', '+525512345678', ['+525512345678', '+5215512345678']],
    ['a Brazilian landline number', '+557132071007', ['+557132071007']],
    ['an Argentine mobile number', '+5491123456789', ['+5491123456789', '+541123456789']],
    ['an Argentine number without the 9', '+541123456789', ['+541123456789', '+5491123456789']],
    ['another number', '+4930901820', ['+4930901820']],
  ])('asks for the other form of %s, where no contact has it as it is sent', async (_what, value, all) => {
    const asked: string[] = [];
    const read = (identifier: Identifier) => {
      asked.push(identifier.value);
      return Promise.resolve(absent);
    };
    expect(await lookUpContacts(read, [{ kind: 'phone', value }])).toEqual({ kind: 'ok', value: [] });
    expect(asked).toEqual(all);
  });

  it('does not ask for the other form of a number that a contact has as it is sent', async () => {
    const asked: string[] = [];
    const read = (identifier: Identifier) => {
      asked.push(identifier.value);
      return Promise.resolve(ok(bob));
    };
    await lookUpContacts(read, [{ kind: 'phone', value: '+5571980071007' }]);
    expect(asked).toEqual(['+5571980071007']);
  });

  it('does not ask for it as the row spells it, where somebody has it as it is sent', async () => {
    const asked: string[] = [];
    const read = (identifier: Identifier) => {
      asked.push(identifier.value);
      return Promise.resolve(ok(bob));
    };
    expect(await lookUpContacts(read, [email], 'Ada@Example.com')).toMatchObject({
      value: [{ contact: { id: 2 } }],
    });
    expect(asked).toEqual([email.value]);
  });

  it('without identifiers asks nothing', async () => {
    expect(await lookUpContacts(() => Promise.reject(new Error('asked')), [])).toEqual({
      kind: 'ok',
      value: [],
    });
  });
});
