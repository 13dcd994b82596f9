import { describe, expect, test } from 'vitest';
import {
  checkAgainstWorkspace,
  collectKeepRules,
  compileMapping,
  listFieldsToCreate,
  listMappedFields,
  parseMapping,
} from '../../src/mapping/index.ts';
import type { Draft } from '../../src/model/draft.ts';
import type { Cell } from '../../src/model/row.ts';
import { rowOf } from './rows.ts';

const first = '+491711509813';
const second = '+49711123456';
const third = '+4989123456';

function draftOf(rules: string, cells: Readonly<Record<string, Cell>>): Draft {
  const text = `mapping: a\ncontact:\n${rules.replace(/^/gm, '  ')}\n`;
  const mapped = compileMapping(parseMapping(text, 'm.yaml'))(rowOf({ E: 'a@b.co', ...cells }));
  if (!mapped.ok) throw new Error(JSON.stringify(mapped.problems));
  return mapped.draft;
}

describe('further phones', () => {
  const phones = (more = ''): string =>
    `email: { from: E }\nphone: { from: [Mobile, Phone], country: { from: C }, onInvalid: drop${more} }`;

  test.each([
    ['two columns', { Mobile: first, Phone: second }, 'Phone'],
    ['a cell, parted by " / "', { Mobile: '0171 1509813 / 0711 123456' }, 'Mobile'],
    ['a cell, parted by "/"', { Mobile: '01711509813/0711123456' }, 'Mobile'],
    [
      'a cell, parted by slashes that also part the area codes',
      { Mobile: '0171/1509813 / 0711/123456' },
      'Mobile',
    ],
    ['a cell, parted by " ::: "', { Mobile: '0171 1509813 ::: 0711 123456' }, 'Mobile'],
    ['a cell, parted by ";"', { Mobile: '0171 1509813; 0711/123456' }, 'Mobile'],
    ['a cell, parted by ","', { Mobile: '0171 1509813, 0711-123456' }, 'Mobile'],
    ['a cell, parted by " ou "', { Mobile: '0171 1509813 ou 0711 123456' }, 'Mobile'],
    ['a cell, parted by " or "', { Mobile: '+49 171 1509813 or +49 711 123456' }, 'Mobile'],
    ['two lines of a cell', { Mobile: '0171 1509813 (privat)\nBüro: 0711 123456' }, 'Mobile'],
  ])('of %s are noted', (_what, cells, column) => {
    const { values, dropped } = draftOf(phones(), { C: 'DE', ...cells });
    expect(values.contact.phone).toBe(first);
    expect(dropped).toEqual([
      { code: 'phone.other', column, reason: expect.stringMatching(/\+49711123456.*\+491711509813/) },
    ]);
  });

  test('that are the same number are no further ones', () => {
    const { values, dropped } = draftOf(phones(), {
      C: 'DE',
      Mobile: '0171 1509813',
      Phone: '+49 171 1509813',
    });
    expect([values.contact.phone, dropped]).toEqual([first, []]);
  });

  test('that a custom field of their column keeps are not noted, unless they leave the contact without a phone', () => {
    const kept = (cells: Readonly<Record<string, Cell>>, field = '{ from: Phone, type: text }') => {
      const text = `mapping: a\ncontact:\n${phones().replace(/^/gm, '  ')}\ncustomFields:\n  Phone: ${field}\n`;
      const mapped = compileMapping(parseMapping(text, 'm.yaml'))(rowOf({ E: 'a@b.co', C: 'DE', ...cells }));
      return mapped.ok ? mapped.draft.dropped.map(({ code, column }) => [code, column]) : mapped.problems;
    };
    expect(kept({ Mobile: first, Phone: second })).toEqual([]);
    expect(kept({ Mobile: first, Phone: 'ask Ada' })).toEqual([]);
    expect(kept({ Mobile: `${first} / ${third}`, Phone: second })).toEqual([['phone.other', 'Mobile']]);
    expect(kept({ Mobile: 'ask Ada', Phone: second })).toEqual([['phone.invalid', 'Mobile']]);
    expect(kept({ Mobile: '', Phone: 'ask Ada' })).toEqual([['phone.invalid', 'Phone']]);
    const both = { Mobile: first, Phone: second };
    expect(kept(both, '{ from: [Fax, Phone], type: text, join: "; " }')).toEqual([]);
    expect(kept(both, '{ from: [Fax, Phone], type: text, split: ";", join: "; " }')).toEqual([]);
    expect(kept(both, '{ from: Phone, type: text, split: ";" }')).toEqual([['phone.other', 'Phone']]);
    // Without "join", the field has the first column that is not empty.
    expect(kept(both, '{ from: [Fax, Phone], type: text }')).toEqual([['phone.other', 'Phone']]);
  });

  test('are noted once each', () => {
    const { dropped } = draftOf(phones(), { C: 'DE', Mobile: `${first};${second};${second}`, Phone: third });
    expect(dropped.map(({ code, column }) => [code, column])).toEqual([
      ['phone.other', 'Mobile'],
      ['phone.other', 'Phone'],
    ]);
  });

  test('that are invalid are noted as such, before the first valid one and behind it', () => {
    const { values, dropped } = draftOf(phones(), { C: 'DE', Mobile: `ask; ${first}`, Phone: '12' });
    expect(values.contact).toEqual({ email: 'a@b.co' });
    expect(dropped.map(({ code }) => code)).toEqual(['phone.invalid', 'phone.invalid']);
    const both = draftOf(phones(), { C: 'DE', Mobile: `0152/1509813; ${first}`, Phone: '12' });
    expect(both.values.contact.phone).toBe(first);
    expect(both.dropped.map(({ code, column }) => [code, column])).toEqual([
      ['phone.invalid', 'Mobile'],
      ['phone.invalid', 'Phone'],
    ]);
  });

  test('go into the custom field that "also" names, and nothing is noted', () => {
    const { values, dropped } = draftOf(phones(', also: Further phones'), {
      C: 'DE',
      Mobile: `${first}; ${second}`,
      Phone: third,
    });
    expect(values.contact.phone).toBe(first);
    expect(values.customFields).toEqual({ 'Further phones': `${second}; ${third}` });
    expect(dropped).toEqual([]);
  });

  test('leave the custom field alone where there is none', () => {
    expect(draftOf(phones(', also: Further phones'), { Mobile: first }).values.customFields).toEqual({});
  });

  test('are read with an assumed country, too, and noted as such', () => {
    const rules = phones(', also: More').replace('{ from: C }', '{ default: DE }');
    const { values, dropped } = draftOf(rules, { Mobile: '0171 1509813', Phone: '0711 123456' });
    expect(values.customFields).toEqual({ More: second });
    expect(dropped.map(({ code, column }) => [code, column])).toEqual([
      ['phone.countryAssumed', 'Mobile'],
      ['phone.countryAssumed', 'Phone'],
    ]);
  });
});

describe('further e-mails', () => {
  const emails = (more = ''): string => `email: { from: [E, Work]${more} }`;

  test.each([
    ['two columns', { E: 'ada@b.co', Work: 'bob@b.co' }, 'Work'],
    ['a cell, parted by " ::: "', { E: 'ada@b.co ::: bob@b.co' }, 'E'],
    ['a cell, parted by ";"', { E: 'ada@b.co; bob@b.co' }, 'E'],
    ['a cell, parted by ","', { E: 'Ada <ada@b.co>, "Stone" <bob@b.co>' }, 'E'],
    ['a cell, parted by "/"', { E: 'ada@b.co/bob@b.co' }, 'E'],
    ['a cell, parted by a blank', { E: 'ada@b.co bob@b.co' }, 'E'],
    ['a cell, parted by " or "', { E: 'ada@b.co or bob@b.co' }, 'E'],
    ['two lines of a cell', { E: 'ada@b.co\r\nbob@b.co' }, 'E'],
  ])('of %s are noted', (_what, cells, column) => {
    const { values, dropped } = draftOf(emails(), cells);
    expect(values.contact.email).toBe('ada@b.co');
    expect(dropped).toEqual([
      { code: 'email.other', column, reason: expect.stringMatching(/bob@b\.co.*ada@b\.co/) },
    ]);
  });

  test('go into the custom field that "also" names', () => {
    const { values, dropped } = draftOf(emails(', also: Further e-mails'), { E: 'ada@b.co;Bob@b.co' });
    expect([values.customFields, dropped]).toEqual([{ 'Further e-mails': 'bob@b.co' }, []]);
  });

  test('of a custom field are noted, too', () => {
    const text =
      'mapping: a\ncontact:\n  email: { from: E }\ncustomFields:\n  Work: { from: W, type: email }\n';
    const mapped = compileMapping(parseMapping(text, 'm.yaml'))(rowOf({ E: 'a@b.co', W: 'b@b.co, c@b.co' }));
    expect(mapped).toMatchObject({
      ok: true,
      draft: { values: { customFields: { Work: 'b@b.co' } }, dropped: [{ code: 'customFields.Work.other' }] },
    });
  });

  test('the spelling of an address is that of the address alone', () => {
    expect(draftOf(emails(), { E: 'Ada <Ada@B.co>' }).emailAsWritten).toBe('Ada@B.co');
    expect(draftOf(emails(), { E: 'mailto:ada@b.co' }).emailAsWritten).toBeNull();
  });
});

describe('the custom field of further values', () => {
  const load = (also: string, more = '') =>
    parseMapping(`mapping: a\ncontact:\n  phone: { from: P, also: ${also} }\n${more}`, 'm.yaml');

  test('is created where the mapping says so', () => {
    expect(listFieldsToCreate(load('{ field: More, create: true }'), [])).toEqual([
      { name: 'More', dataType: 'text' },
    ]);
    expect(listFieldsToCreate(load('More'), [])).toEqual([]);
  });

  test.each([
    ['More', [], /no custom field "More"/],
    [
      'More',
      [{ id: 1, name: 'More', dataType: 'number' }],
      /of type "number", but "also" needs a "text" field/,
    ],
    ['{ field: More, create: true }', [{ id: 1, name: 'More', dataType: 'list' }], /of type "list"/],
    ['{ field: More, create: true }', [], undefined],
    ['More', [{ id: 1, name: 'More', dataType: 'text' }], undefined],
  ])('is checked against the workspace: %s with %j', (also, customFields, reason) => {
    const mistakes = checkAgainstWorkspace(load(also), { customFields });
    expect(mistakes.map(({ key }) => key)).toEqual(reason === undefined ? [] : ['contact.phone.also']);
    if (reason !== undefined) expect(mistakes[0]?.reason).toMatch(reason);
  });

  test('is a field that the mapping writes', () => {
    expect(listMappedFields(load('More').mapping)).toEqual(['phone', 'customFields.More']);
  });

  test('joins what the rows of one person have', () => {
    expect(collectKeepRules(load('More')).customFields).toEqual({ More: { keep: 'union', join: '; ' } });
  });

  test('has no other rule', () => {
    expect(() => load('More', 'customFields:\n  More: { from: A, type: text }\n')).toThrow(
      /contact\.phone\.also: the custom field "More" also has a rule in customFields/,
    );
    expect(() => load('More', 'tags: { from: T, attach: "customField:More" }\n')).toThrow(
      /contact\.phone\.also: the custom field "More" also has the tags/,
    );
    expect(() =>
      parseMapping(
        'mapping: a\ncontact:\n  email: { from: E, also: M }\n  phone: { from: P, also: M }\n',
        'm.yaml',
      ),
    ).toThrow(/contact\.phone\.also: the custom field "M" also has further e-mails/);
  });
});
