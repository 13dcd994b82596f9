import { describe, expect, test } from 'vitest';
import { compileMapping, parseMapping } from '../../src/mapping/index.ts';
import type { MappingResult } from '../../src/model/draft.ts';
import type { Cell } from '../../src/model/row.ts';
import { rowOf } from './rows.ts';

function mapped(contact: string, cells: Readonly<Record<string, Cell>>, more = ''): MappingResult {
  const text = `mapping: a\ncontact:\n${contact.replace(/^/gm, '  ')}\n${more}`;
  return compileMapping(parseMapping(text, 'm.yaml'))(rowOf(cells));
}

function codes(result: MappingResult): readonly string[] {
  return result.ok ? [] : result.problems.map(({ code }) => code);
}

describe('the identity of a row', () => {
  const both = 'email: { from: E }\nphone: { from: P }';
  const one = '+12024561111';

  test('is missing without e-mail and phone', () => {
    expect(codes(mapped(both, { E: ' ', P: '' }))).toEqual(['identity.missing']);
  });

  test('is there with either', () => {
    expect(codes(mapped(both, { E: 'a@b.co', P: '' }))).toEqual([]);
    expect(codes(mapped(both, { E: '', P: one }))).toEqual([]);
  });

  test('is not called missing on top of invalid', () => {
    expect(codes(mapped(both, { E: 'nobody', P: '' }))).toEqual(['email.invalid']);
  });

  test('is missing where the only identifier was dropped', () => {
    const contact = 'email: { from: E, onInvalid: drop }\nphone: { from: P }';
    expect(codes(mapped(contact, { E: 'nobody', P: '' }))).toEqual(['identity.missing']);
    expect(mapped(contact, { E: 'nobody', P: one })).toMatchObject({
      ok: true,
      draft: { values: { contact: { phone: one } }, dropped: [{ code: 'email.invalid', column: 'E' }] },
    });
  });

  test('is missing with the words of what was dropped: it stands nowhere else', () => {
    const contact = 'email: { from: E, onInvalid: drop }\nphone: { from: [P, Q], onInvalid: drop }';
    const result = mapped(contact, { E: 'nobody', P: 'ask', Q: 'ask' });
    const said = result.ok ? [] : result.problems.map(({ reason }) => reason);
    expect(said).toEqual([expect.stringMatching(/"nobody".*"ask"/)]);
    expect(said[0]?.match(/"ask"/g)).toHaveLength(1);
  });

  test('is only what identify names', () => {
    expect(codes(mapped(both, { E: '', P: one }, 'identify: [email]\n'))).toEqual(['identity.missing']);
  });
});

describe('the country of a phone', () => {
  const national = '012-345 6789';
  const malaysian = '+60123456789';
  const phone = (country: string): string =>
    `email: { from: E }\nphone: { from: P, onInvalid: drop${country} }`;
  const rules: readonly (readonly [
    what: string,
    contact: string,
    cells: Record<string, string>,
    expected: string | undefined,
  ])[] = [
    ['a constant', phone(', country: MY'), {}, malaysian],
    ["the row's column", phone(', country: { from: C, default: US }'), { C: ' Malaysia ' }, malaysian],
    [
      'the first column that names one',
      phone(', country: { from: [C, D] }'),
      { C: '?', D: 'MYS' },
      malaysian,
    ],
    [
      'the default where the row names none',
      phone(', country: { from: C, default: MY }'),
      { C: '' },
      malaysian,
    ],
    ['a name in another language', phone(', country: { from: C }'), { C: 'Malásia' }, malaysian],
    ['a dial code', phone(', country: { from: C }'), { C: '+60' }, malaysian],
    [
      'a word that its values translate',
      phone(', country: { from: C, values: { Mal.: MY }, default: US }'),
      { C: 'mal.' },
      malaysian,
    ],
    [
      'a word that the values of countryCode translate, which reads the same column',
      `countryCode: { from: C, values: { Mal.: MY } }\n${phone(', country: { from: C, default: US }')}`,
      { C: 'Mal.' },
      malaysian,
    ],
    [
      'a word that the values of countryCode translate, where the phone has values for other words',
      `countryCode: { from: C, values: { Mal.: MY } }\n${phone(', country: { from: C, values: { Narnia: US } }')}`,
      { C: 'Mal.' },
      malaysian,
    ],
    [
      'what its own values say of a word, and not what those of countryCode say',
      `countryCode: { from: C, values: { mal.: US } }\n${phone(', country: { from: C, values: { Mal.: MY } }')}`,
      { C: 'Mal.' },
      malaysian,
    ],
    [
      'never the default where values say that a word is no country',
      phone(', country: { from: C, values: { Narnia: null }, default: MY }'),
      { C: 'Narnia' },
      undefined,
    ],
    [
      'never the default where the values of countryCode say that a word is no country',
      `countryCode: { from: C, values: { Narnia: null } }\n${phone(', country: { from: C, default: MY }')}`,
      { C: 'Narnia' },
      undefined,
    ],
    [
      'that of the next column where values say that a word is no country',
      phone(', country: { from: [C, D], values: { Narnia: null }, default: US }'),
      { C: 'Narnia', D: 'MY' },
      malaysian,
    ],
    [
      'never the default where the row names nonsense',
      phone(', country: { from: C, default: MY }'),
      { C: 'Narnia' },
      undefined,
    ],
    [
      'never the default of countryCode where the row names nonsense',
      `countryCode: { from: C, default: MY, onInvalid: default }\n${phone('')}`,
      { C: 'Narnia' },
      undefined,
    ],
    [
      'not that of countryCode where values of its own read another column',
      `countryCode: { from: C, values: { Mal.: MY } }\n${phone(', country: { from: D }')}`,
      { D: 'Mal.' },
      undefined,
    ],
    ['what countryCode came to', `${phone('')}\ncountryCode: { from: C }`, { C: 'malaysia' }, malaysian],
    [
      'the default of countryCode',
      `${phone('')}\ncountryCode: { from: C, default: MY }`,
      { C: '' },
      malaysian,
    ],
    ['none', phone(''), {}, undefined],
  ];

  test.each(rules)('is %s', (_what, contact, cells, expected) => {
    const result = mapped(contact, { E: 'a@b.co', P: national, ...cells });
    expect(result.ok && result.draft.values.contact.phone).toBe(expected);
  });
});

test('of two phones that two blanks part the first is taken, and the other is listed', () => {
  const result = mapped('phone: { from: P, country: DE }', { P: '030 901820  0171 1509813' });
  expect(result).toMatchObject({
    ok: true,
    draft: {
      values: { contact: { phone: '+4930901820' } },
      dropped: [{ code: 'phone.countryAssumed' }, { code: 'phone.other', column: 'P' }],
    },
  });
});

describe('the country code of a row whose country is translated for phones', () => {
  const phone = (country: string): string =>
    `email: { from: E }\nphone: { from: P, onInvalid: drop, country: { ${country} } }`;
  const rules: readonly (readonly [what: string, contact: string, expected: string | undefined])[] = [
    [
      'what the values of the phone say, which reads the same column',
      `countryCode: { from: C, onInvalid: drop }\n${phone('from: C, values: { absurdistan: DE }')}`,
      'DE',
    ],
    [
      'what its own values say of a word, and not what those of the phone say',
      `countryCode: { from: C, values: { absurdistan: AT } }\n${phone('from: C, values: { Absurdistan: DE }')}`,
      'AT',
    ],
    [
      'left out where the phone says that the word is no country',
      `countryCode: { from: C, onInvalid: drop }\n${phone('from: C, values: { Absurdistan: null }')}`,
      undefined,
    ],
    [
      'not what the values of a phone say that reads another column',
      `countryCode: { from: C, onInvalid: drop }\n${phone('from: D, values: { Absurdistan: DE }')}`,
      undefined,
    ],
  ];

  test.each(rules)('is %s', (_what, contact, expected) => {
    const result = mapped(contact, { E: 'a@b.co', P: '0171 1509813', C: 'Absurdistan' });
    expect(result.ok && result.draft.values.contact.countryCode).toBe(expected);
  });

  test('is read with the phone, and nothing is listed', () => {
    const contact = `countryCode: { from: C, onInvalid: drop }\n${phone('from: C, values: { Absurdistan: DE }')}`;
    const result = mapped(contact, { E: 'a@b.co', P: '0171 1509813', C: 'Absurdistan' });
    expect(result).toMatchObject({
      ok: true,
      draft: { dropped: [], values: { contact: { countryCode: 'DE', phone: '+491711509813' } } },
    });
  });
});

describe('a phone whose country cell is not understood', () => {
  const cells = { E: 'a@b.co', P: '0171 1509813', Land: 'Deutschl.' };
  const contact = (more = ''): string =>
    `email: { from: E }\nphone: { from: P, country: { from: Land, default: ES }${more} }`;

  test('is left out with a reason that names the cell, and its column', () => {
    expect(mapped(contact(', onInvalid: drop'), cells)).toMatchObject({
      ok: true,
      draft: {
        values: { contact: { email: 'a@b.co' } },
        dropped: [
          {
            code: 'phone.countryUnknown',
            column: 'Land',
            reason: expect.stringMatching(/"0171 1509813".*"Deutschl\.".*contact\.phone\.country\.values/),
          },
        ],
      },
    });
  });

  test('rejects the row where the rule says so', () => {
    expect(codes(mapped(contact(), cells))).toEqual(['phone.countryUnknown']);
  });

  test('is listed with its cell where values say that the word is no country', () => {
    const contact =
      'email: { from: E }\nphone: { from: P, country: { from: Land, values: { Deutschl.: null }, default: ES }, onInvalid: drop }';
    const result = mapped(contact, cells);
    expect(result.ok && result.draft.dropped).toEqual([
      expect.objectContaining({
        code: 'phone.countryUnknown',
        column: 'Land',
        reason: expect.stringContaining('"Deutschl."'),
      }),
    ]);
  });

  test('is read where it has a country code of its own', () => {
    const result = mapped(contact(), { ...cells, P: '+49 171 1509813' });
    expect(result).toMatchObject({ ok: true, draft: { values: { contact: { phone: '+491711509813' } } } });
  });

  test('is called invalid where it is no phone number at all', () => {
    expect(codes(mapped(contact(), { ...cells, P: 'ask' }))).toEqual(['phone.invalid']);
  });
});

describe('a phone that is read with the default country', () => {
  const assumed = (contact: string, cells: Readonly<Record<string, Cell>>): unknown => {
    const result = mapped(`email: { from: E }\n${contact}`, { E: 'a@b.co', ...cells });
    return result.ok && result.draft.dropped;
  };
  const note = (where: string): readonly unknown[] => [
    {
      code: 'phone.countryAssumed',
      column: 'P',
      reason: `"0171 1509813" was read as a number of DE (${where}): +491711509813`,
    },
  ];
  const P = '0171 1509813';

  test.each([
    ['phone: { from: P, country: { from: C, default: DE } }', { C: '' }, 'contact.phone.country.default'],
    ['phone: { from: P, country: { default: DE } }', {}, 'contact.phone.country.default'],
    ['phone: { from: P, country: DE }', {}, 'contact.phone.country'],
    ['phone: { from: P }\ncountryCode: { from: C, default: DE }', { C: ' ' }, 'contact.countryCode.default'],
  ])('is noted: %s', (contact, cells, where) => {
    expect(assumed(contact, { P, ...cells })).toEqual(note(where));
  });

  test.each([
    ['phone: { from: P, country: { from: C, default: DE } }', { P, C: 'DE' }],
    ['phone: { from: P, country: { from: C, default: DE } }', { P: '+33 6 12 34 56 78', C: '' }],
    ['phone: { from: P, country: { from: C, default: DE } }', { P: '0033 6 12 34 56 78', C: '' }],
    ['phone: { from: P }\ncountryCode: { from: C, default: ES }', { P, C: 'DE' }],
  ])('and only such a phone: %s with %j', (contact, cells) => {
    expect(assumed(contact, cells)).toEqual([]);
  });
});

test('a row without a first name is a draft, because an update may go without', () => {
  const contact = 'firstName: { from: F }\nemail: { from: E }';
  expect(mapped(contact, { F: '', E: 'a@b.co' })).toMatchObject({
    ok: true,
    draft: { values: { contact: { email: 'a@b.co' } }, defaults: { contact: {} } },
  });
  const required = 'firstName: { from: F, required: true }\nemail: { from: E }';
  expect(codes(mapped(required, { F: '', E: 'a@b.co' }))).toEqual(['firstName.missing']);
});

test('every field of a contact is read by its own type', () => {
  const contact = [
    'firstName: { from: F, default: "?" }',
    'lastName: { from: L, empty: clear }',
    'email: { from: E }',
    'phone: { from: P, country: US }',
    'language: { from: G, default: English }',
    'profilePic: { from: U }',
    'countryCode: { from: C }',
  ].join('\n');
  const cells = { F: 'Ada', L: '', E: 'A@B.co', P: '(202) 456-1111', G: '', U: 'b.co/a.png', C: 'USA' };
  expect(mapped(contact, cells, 'key: K\n')).toEqual({
    ok: true,
    draft: {
      emailAsWritten: 'A@B.co',
      key: null,
      values: {
        contact: {
          firstName: 'Ada',
          lastName: null,
          email: 'a@b.co',
          phone: '+12024561111',
          profilePic: 'b.co/a.png',
          countryCode: 'US',
        },
        customFields: {},
      },
      defaults: { contact: { language: 'en' }, customFields: {} },
      dropped: [
        {
          code: 'phone.countryAssumed',
          column: 'P',
          reason: '"(202) 456-1111" was read as a number of US (contact.phone.country): +12024561111',
        },
      ],
    },
  });
});

test('a default that its own type refuses is a mistake of the mapping', () => {
  const text = 'mapping: a\ncontact:\n  email: { from: E }\n  language: { from: L, default: Klingon }\n';
  expect(() => compileMapping(parseMapping(text, 'm.yaml'))).toThrow(
    /^m\.yaml:4:24: contact\.language\.default: the default is not valid here: "Klingon" is not a language/,
  );
});
