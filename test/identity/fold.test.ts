import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldDrafts, listFoldNotes } from '../../src/identity/fold.ts';
import type { ContactFields } from '../../src/model/contact.ts';
import type { CustomValue } from '../../src/model/custom-field.ts';
import type { Draft } from '../../src/model/draft.ts';
import type { KeepRulesByField, KeepStrategy } from '../../src/model/keep.ts';
import { escapeCsvFormula } from '../../src/model/spreadsheet-guard.ts';

const noRules: KeepRulesByField = { contact: {}, customFields: {} };

function draft(more: Partial<Draft> = {}): Draft {
  const nothing = { contact: {}, customFields: {} };
  return { key: null, emailAsWritten: null, values: nothing, defaults: nothing, dropped: [], ...more };
}

function fold(drafts: readonly Partial<Draft>[], rules = noRules): Draft {
  return foldDrafts(drafts.map(draft), rules);
}

function foldContact(all: readonly ContactFields[], rules: KeepRulesByField['contact'] = {}): ContactFields {
  const drafts = all.map((contact) => ({ values: { contact, customFields: {} } }));
  return fold(drafts, { contact: rules, customFields: {} }).values.contact;
}

function foldField(
  values: readonly (CustomValue | undefined)[],
  keep?: KeepStrategy,
  join = '; ',
): CustomValue | undefined {
  const drafts = values.map((value) => ({
    values: { contact: {}, customFields: value === undefined ? {} : { Plan: value } },
  }));
  const rules = { contact: {}, customFields: keep === undefined ? {} : { Plan: { keep, join } } };
  return fold(drafts, rules).values.customFields.Plan;
}

describe('of the rows of one person', () => {
  it('a later value wins, field by field, and what says nothing takes nothing away', () => {
    const folded = foldContact([
      { firstName: 'Ada', lastName: 'Byron', language: 'en' },
      { firstName: 'Ada K.', language: '' },
      { lastName: 'Lovelace' },
    ]);
    expect(folded).toEqual({ firstName: 'Ada K.', lastName: 'Lovelace', language: 'en' });
  });

  it.each([
    ['email', 'first@x.test', 'second@x.test'],
    ['phone', '+491711', '+491712'],
  ] as const)(
    'the second %s of a row does not replace the first one of the same person',
    (kind, one, two) => {
      const rowOf = (value: string, further: readonly string[] = []) => ({
        furtherIdentifiers: further.map((each) => ({ kind, value: each })),
        values: { contact: { [kind]: value }, customFields: {} },
      });
      const rows = [rowOf(one, [two]), rowOf(two)].map((each) => draft(each));
      expect(foldDrafts(rows, noRules).values.contact[kind]).toBe(one);
      expect(listFoldNotes(rows, foldDrafts(rows, noRules), noRules)).toEqual([[], []]);
      // A row that has it before the other one is no reason to take the first one away.
      const crossed = [rowOf(one, [two]), rowOf(two, [one])].map((each) => draft(each));
      expect(foldDrafts(crossed, noRules).values.contact[kind]).toBe(two);
      const last = { contact: { [kind]: { keep: 'last', join: '; ' } }, customFields: {} } as const;
      expect(foldDrafts(rows, last).values.contact[kind]).toBe(two);
    },
  );

  it.each([
    [['Anna', 'A.'], 'Anna'],
    [['Anna', 'A.', ''], 'Anna'],
    [['Jean-Pierre', 'Jean', 'J.-P.'], 'Jean-Pierre'],
    [['A.', 'Anna', 'ANNA'], 'Anna'],
    [['Anna', 'Unknown', 'A.'], 'Anna'],
    [['Anna', 'B.'], 'B.'],
    [['A.', 'A. B.'], 'A. B.'],
    [['伟明', '伟'], '伟'],
  ])('initials of a name that is there do not replace it: of %j stays %j', (names, expected) => {
    expect(foldContact(names.map((firstName) => ({ firstName }))).firstName).toBe(expected);
    expect(foldContact(names.map((lastName) => ({ lastName }))).lastName).toBe(expected);
  });

  it.each([
    [['Dupont García', 'DUPONT GARCÍA'], 'Dupont García'],
    [['anna', 'Anna', 'anna'], 'Anna'],
    [['ANNA', 'anna'], 'anna'],
    [['McDonald', 'Mcdonald'], 'Mcdonald'],
    [['Anna', 'BERTA'], 'BERTA'],
  ])('capitals throughout do not replace the same name: of %j stays %j', (names, expected) => {
    expect(foldContact(names.map((firstName) => ({ firstName }))).firstName).toBe(expected);
    expect(foldContact(names.map((lastName) => ({ lastName }))).lastName).toBe(expected);
  });

  it('a field is cleared only where no row says a value', () => {
    expect(foldContact([{ lastName: 'Byron' }, { lastName: null }])).toEqual({ lastName: 'Byron' });
    expect(foldContact([{ lastName: null }, {}])).toEqual({ lastName: null });
    expect(foldContact([{}, {}])).toEqual({});
  });

  it('a contact field follows its own rule', () => {
    const names = [{ firstName: 'Augusta Ada' }, { firstName: 'Ada' }, { firstName: 'A.' }];
    const kept = (keep: KeepStrategy) => foldContact(names, { firstName: { keep, join: ' / ' } }).firstName;
    expect(kept('first')).toBe('Augusta Ada');
    expect(kept('last')).toBe('A.');
    expect(kept('longest')).toBe('Augusta Ada');
    expect(kept('union')).toBe('Augusta Ada / Ada / A.');
  });

  it('an e-mail or a phone is never joined', () => {
    const emails = [{ email: 'a@x.test' }, { email: 'b@x.test' }];
    expect(foldContact(emails, { email: { keep: 'union', join: ',' } })).toEqual({ email: 'b@x.test' });
    expect(foldContact(emails, { email: { keep: 'first', join: ',' } })).toEqual({ email: 'a@x.test' });
  });

  it.each<[string, (CustomValue | undefined)[], KeepStrategy | undefined, CustomValue | undefined]>([
    ['the last', ['gold', undefined, 'silver', ''], undefined, 'silver'],
    ['the last of false and 0, which are values', [true, 0, false], undefined, false],
    ['the first', [undefined, 'gold', 'silver'], 'first', 'gold'],
    ['the last, said', ['gold', 'silver'], 'last', 'silver'],
    ['the longest', ['silver', 'gold'], 'longest', 'silver'],
    ['the later of two that are as long', ['gold', 'iron'], 'longest', 'iron'],
    ['the distinct ones joined', ['gold', 'iron', 'gold', null], 'union', 'gold; iron'],
    ['one value as it is', [undefined, 'gold'], 'union', 'gold'],
    ['the last number, not a text of several', [1, 2], 'union', 2],
    ['a clear where nobody says a value', [undefined, null], 'union', null],
    ['nothing where nobody says anything', [undefined, undefined], 'union', undefined],
  ])('of a custom field stays %s', (_what, values, keep, expected) => {
    expect(foldField(values, keep)).toBe(expected);
  });

  it('tags are united without regard to case, in the first spelling', () => {
    expect(fold([{ tags: ['VIP', 'news'] }, {}, { tags: ['vip', 'Late'] }]).tags).toEqual([
      'VIP',
      'news',
      'Late',
    ]);
    expect(fold([{}, {}])).not.toHaveProperty('tags');
    expect(fold([{}, { tags: [] }]).tags).toEqual([]);
  });

  it('lifecycle, assignee and conversation are those of the last row that says one', () => {
    const folded = fold([
      { lifecycle: 'Lead', assignee: { as: 'jane', userId: 1 }, conversation: { status: 'open' } },
      {
        lifecycle: 'Customer',
        defaultLifecycle: 'New',
        conversation: { status: 'closed', category: 'Migrated' },
      },
      {},
    ]);
    expect(folded).toMatchObject({
      lifecycle: 'Customer',
      defaultLifecycle: 'New',
      assignee: { as: 'jane', userId: 1 },
      conversation: { status: 'closed', category: 'Migrated' },
    });
    expect(fold([{ lifecycle: 'Lead' }, { lifecycle: null }]).lifecycle).toBe('Lead');
    expect(fold([{}, { lifecycle: null }]).lifecycle).toBeNull();
    for (const part of ['lifecycle', 'defaultLifecycle', 'assignee', 'conversation', 'comments']) {
      expect(fold([{}, {}])).not.toHaveProperty(part);
    }
  });

  it('all comments stay, in the order of the rows', () => {
    const one = { id: 'note:1', text: 'one' };
    const two = { id: 'note:2', text: 'two' };
    expect(fold([{ comments: [two, one] }, {}, { comments: [one] }]).comments).toEqual([two, one, one]);
  });

  it('key and defaults are those of the last row', () => {
    const defaults = { contact: { firstName: 'Unknown' }, customFields: { Plan: 'gold' } };
    expect(fold([{ key: '1' }, { key: '2', defaults }])).toMatchObject({ key: '2', defaults });
  });

  it('the e-mail keeps the spelling of the row that says it', () => {
    const spelled = (email: string, emailAsWritten: string | null) => ({
      emailAsWritten,
      values: { contact: { email }, customFields: {} },
    });
    const ada = spelled('ada@x.test', 'Ada@X.test');
    expect(fold([ada, {}]).emailAsWritten).toBe('Ada@X.test');
    expect(fold([ada, spelled('bob@x.test', null)]).emailAsWritten).toBeNull();
    expect(fold([ada, spelled('bob@x.test', 'BOB@x.test')]).emailAsWritten).toBe('BOB@x.test');
    expect(fold([ada, spelled('ada@x.test', null)]).emailAsWritten).toBe('Ada@X.test');
  });
});

describe('what a fold leaves out', () => {
  function notes(all: readonly Partial<Draft>[], rules = noRules): readonly (readonly string[])[] {
    const drafts = all.map(draft);
    const told = listFoldNotes(drafts, foldDrafts(drafts, rules), rules);
    return told.map((each) => each.map(({ code, reason }) => `${code} ${reason}`));
  }
  const of = (contact: ContactFields, customFields: Record<string, CustomValue> = {}) => ({
    values: { contact, customFields },
  });

  it('is noted for every e-mail and phone that lost, with its row', () => {
    const left = { code: 'phone.extension', column: 'Phone', reason: 'left out' };
    const contacts = [
      { email: 'a@x.test', phone: '+601' },
      { email: 'b@x.test', phone: '+601' },
      { email: 'c@x.test', phone: '+60 2' },
    ];
    const drafts = contacts.map((contact) => ({ ...of(contact), dropped: [left] }));
    // What was left out of a row is told of that row.
    expect(fold(drafts).dropped).toEqual([]);
    const told = notes(drafts);
    expect(told.map((each) => each.length)).toEqual([2, 2, 0]);
    expect(told[0]?.[0]).toMatch(/^email\.folded "a@x\.test" .* "c@x\.test" stays$/);
    expect(told[1]?.[0]).toMatch(/^email\.folded "b@x\.test" .* "c@x\.test" stays$/);
    expect(told[1]?.[1]).toMatch(/^phone\.folded "\+601" .*"\+60 2" stays$/);
  });

  it('is noted for every other value, too: names, custom fields, the owner, the stage, the conversation', () => {
    const drafts: Partial<Draft>[] = [
      {
        ...of({ firstName: 'A.', lastName: 'Byron' }, { Company: 'Acme', Seats: 3, Paid: true }),
        assignee: { as: 'kim', userId: null },
        lifecycle: 'Lead',
        conversation: { status: 'open' },
      },
      {
        ...of({ firstName: 'Ada' }, { Company: 'Initech', Seats: 4, Paid: false }),
        assignee: { as: 'robin', userId: null },
        lifecycle: 'Customer',
        conversation: { status: 'closed', category: 'Won' },
      },
    ];
    const [first = [], second] = notes(drafts);
    expect(first.map((note) => note.split(' ')[0])).toEqual([
      'firstName.folded',
      'customFields.Company.folded',
      'customFields.Seats.folded',
      'customFields.Paid.folded',
      'assignee.folded',
      'lifecycle.folded',
      'conversation.folded',
    ]);
    expect(first[1]).toBe(
      'customFields.Company.folded "Acme" is left out: another row is the same person, and "Initech" stays',
    );
    expect(second).toEqual([]);
  });

  it('is noted by a sentence that a spreadsheet does not take for a formula, also of a phone', () => {
    const drafts = ['+12025550103', '+12025550104'].map((phone) => draft(of({ phone })));
    const reasons = listFoldNotes(drafts, foldDrafts(drafts, noRules), noRules)
      .flat()
      .map(({ reason }) => reason);
    expect(reasons.map(escapeCsvFormula)).toEqual(reasons);
    expect(reasons).toEqual([
      '"+12025550103" is left out: another row is the same person, and "+12025550104" stays',
    ]);
  });

  it('is noted of the later row where the first value stays', () => {
    const rules: KeepRulesByField = { contact: {}, customFields: { Company: { keep: 'first', join: '; ' } } };
    const [first, second = []] = notes([of({}, { Company: 'Acme' }), of({}, { Company: 'Initech' })], rules);
    expect([first, second.length]).toEqual([[], 1]);
    expect(second[0]).toMatch(/^customFields\.Company\.folded "Initech" .* "Acme" stays$/);
  });

  it('is not noted where only the spelling differs, or nothing is said, or both are kept', () => {
    expect(notes([of({ phone: '+60123' }), of({ phone: '+60 12-3' })])).toEqual([[], []]);
    expect(notes([of({}, { Company: 'ACME  Inc' }), of({}, { Company: 'Acme Inc ' })])).toEqual([[], []]);
    expect(notes([of({}, { Company: '' }), of({}, { Company: 'Acme' })])).toEqual([[], []]);
    const united: KeepRulesByField = {
      contact: {},
      customFields: { Company: { keep: 'union', join: '; ' } },
    };
    expect(notes([of({}, { Company: 'Acme' }), of({}, { Company: 'Initech' })], united)).toEqual([[], []]);
  });
});

it('a single row folds to itself', () => {
  const text = fc.string({ minLength: 1 });
  const drafts = fc.record(
    {
      key: fc.option(text),
      emailAsWritten: fc.constant(null),
      values: fc.record({
        contact: fc.record({ firstName: text, lastName: fc.option(text), email: text }, { requiredKeys: [] }),
        customFields: fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null))),
      }),
      defaults: fc.constant({ contact: { firstName: 'Unknown' }, customFields: {} }),
      tags: fc.uniqueArray(text, { selector: (tag) => tag.normalize('NFC').toLowerCase() }),
      lifecycle: fc.option(text),
      comments: fc.array(fc.record({ id: text, text })),
      dropped: fc.constant([]),
    },
    { requiredKeys: ['key', 'emailAsWritten', 'values', 'defaults', 'dropped'] },
  );
  fc.assert(
    fc.property(drafts, fc.constantFrom<KeepStrategy>('first', 'last', 'longest', 'union'), (one, keep) => {
      const rules = { contact: { firstName: { keep, join: ' ' } }, customFields: {} };
      expect(foldDrafts([one], rules)).toEqual(one);
    }),
  );
});
