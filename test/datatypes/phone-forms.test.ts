import { describe, expect, test } from 'vitest';
import { contactFieldTypes, splitPhones } from '../../src/datatypes/index.ts';

interface Form {
  readonly what: string;
  readonly cells: readonly string[];
  readonly country?: string;
  readonly number: string;
  readonly extension?: string;
}

const forms: readonly Form[] = [
  {
    what: "a spreadsheet's apostrophe",
    cells: ["'0612345678", '’06 12 34 56 78', '‘0612345678', '`0612345678', '´0612345678', "'+33612345678"],
    country: 'FR',
    number: '+33612345678',
  },
  {
    what: 'the older Mexican mobile form',
    cells: [
      '+52 1 55 1234 5678',
      '+5215512345678',
      '00 52 1 55 1234 5678',
      '+52 (1) 55 1234-5678',
      '+52-1-55-1234-5678',
    ],
    number: '+525512345678',
  },
  {
    what: 'older Mexican prefixes',
    cells: [
      '044 55 1234 5678',
      '045 55 1234 5678',
      '01 55 1234 5678',
      '1 55 1234 5678',
      '55 1234 5678',
      '5215512345678',
    ],
    country: 'MX',
    number: '+525512345678',
  },
  {
    what: 'a Brazilian mobile number without its ninth digit',
    cells: ['+55 71 8007-1007', '+557180071007', '+55 (071) 8007-1007', '0055 71 8007 1007'],
    number: '+5571980071007',
  },
  {
    what: 'a Brazilian mobile number without its ninth digit and a country code',
    cells: ['(71) 8007-1007', '071 8007 1007', '71 80071007', '55 71 8007-1007', '0xx71 8007-1007'],
    country: 'BR',
    number: '+5571980071007',
  },
  {
    what: 'a Brazilian landline number, which has no ninth digit',
    cells: ['(71) 3207-1007', '+55 71 3207-1007'],
    country: 'BR',
    number: '+557132071007',
  },
  {
    what: 'an Argentine mobile number',
    cells: [
      '+54 9 11 2345 6789',
      '+5491123456789',
      '+54 11 15 2345-6789',
      '+54 (011) 15 2345-6789',
      '0054 9 11 2345 6789',
      '+54 9 (011) 2345-6789',
    ],
    number: '+5491123456789',
  },
  {
    what: 'an Argentine mobile number with both the 9 and the 15',
    cells: ['+54 9 11 15 2345 6789', '+54 9 (011) 15 2345-6789', '0054 9 11 15 23456789'],
    number: '+5491123456789',
  },
  {
    what: 'an Argentine mobile number with both, of a longer area',
    cells: ['+54 9 351 15 234 5678', '+54 9 0351 15 2345678'],
    number: '+5493512345678',
  },
  {
    what: 'an Argentine mobile number at home',
    cells: [
      '011 15-2345-6789',
      '(011) 15 2345-6789',
      '11 15 2345 6789',
      '9 11 2345 6789',
      '54 9 11 15 2345 6789',
    ],
    country: 'AR',
    number: '+5491123456789',
  },
  {
    what: 'a label before it or behind it, in any language of common exports',
    cells: [
      'work: 030 901820',
      'Work phone: 030 901820',
      'Телефон (рабочий): 030 901820',
      'Büro: 030 901820',
      'İş: 030 901820',
      '携帯：030 901820',
      '030 901820 (Work)',
    ],
    country: 'DE',
    number: '+4930901820',
  },
  { what: 'an Argentine line', cells: ['+54 11 4345 6789', '+54 (011) 4345-6789'], number: '+541143456789' },
  {
    what: 'the prefix 00, whatever the country',
    cells: ['0049 711 123456', '00 49 711 123456', '00-49-711-123456', '(0049) 711 123456'],
    country: 'US',
    number: '+49711123456',
  },
  {
    what: 'the prefix 011 where the country dials it',
    cells: ['011 49 711 123456', '011-49-711-123456', '01149711123456'],
    country: 'US',
    number: '+49711123456',
  },
  {
    what: 'the prefix 011 of Canada',
    cells: ['011 44 20 7946 0958'],
    country: 'CA',
    number: '+442079460958',
  },
  {
    what: 'the prefix 011 of Jamaica',
    cells: ['011 44 20 7946 0958'],
    country: 'JM',
    number: '+442079460958',
  },
  {
    what: 'the prefix of Australia',
    cells: ['0011 44 20 7946 0958'],
    country: 'AU',
    number: '+442079460958',
  },
  {
    what: 'the prefix of Russia',
    cells: ['8~10 44 20 7946 0958', '810 44 20 7946 0958'],
    country: 'RU',
    number: '+442079460958',
  },
  { what: 'the prefix of Japan', cells: ['010 44 20 7946 0958'], country: 'JP', number: '+442079460958' },
  {
    what: 'a trunk zero in parentheses',
    cells: [
      '+44 (0)20 7946 0958',
      '+44(0)2079460958',
      '+44 (0) 20 7946 0958',
      '0044 (0)20 7946 0958',
      '+44 0 20 7946 0958',
    ],
    number: '+442079460958',
  },
  {
    what: 'a trunk zero in parentheses, in Germany',
    cells: ['+49 (0) 89 123456', '+49(0)89/123456'],
    number: '+4989123456',
  },
  {
    what: 'a trunk zero in parentheses, at home',
    cells: ['(0)20 7946 0958', '(020) 7946 0958'],
    country: 'GB',
    number: '+442079460958',
  },
  {
    what: 'a trunk zero after the country code',
    cells: ['+49 0711 123456', '+490711123456'],
    number: '+49711123456',
  },
  {
    what: 'a trunk zero after the country code, in France',
    cells: ['+33 06 12 34 56 78', '+330612345678'],
    number: '+33612345678',
  },
  {
    what: 'the zero of Italy, which is no trunk zero',
    cells: ['+39 06 6988 3145', '0039 06 69883145'],
    number: '+390669883145',
  },
  {
    what: 'an extension',
    cells: [
      '+1 202 456 1111 x427',
      '+1 202 456 1111 ext. 427',
      '+1 202 456 1111 #427',
      'tel:+12024561111;ext=427',
      '+1 202 456 1111 extension 427',
      '+1 202 456 1111, ext 427',
    ],
    number: '+12024561111',
    extension: '427',
  },
  {
    what: 'an extension in other languages',
    cells: [
      '+49 711 123456 Durchwahl 12',
      '+49 711 123456 DW 12',
      '+49 711 123456 Dw. 12',
      '+49 711 123456 poste 12',
      '+49 711 123456 int. 12',
      '+49 711 123456 ramal 12',
      '+49 711 123456 доб. 12',
      '+49 711 123456 wew. 12',
      '+49 711 123456 toestel 12',
    ],
    number: '+49711123456',
    extension: '12',
  },
  {
    what: 'a German central extension',
    cells: ['0711 123456-0', '0711/123456-0'],
    country: 'DE',
    number: '+497111234560',
  },
  {
    what: 'a zero that a spreadsheet has eaten',
    cells: ['612345678', '6 12 34 56 78'],
    country: 'FR',
    number: '+33612345678',
  },
  {
    what: 'a zero that a spreadsheet has eaten, in Germany',
    cells: ['1711509813'],
    country: 'DE',
    number: '+491711509813',
  },
  {
    what: 'a zero that a spreadsheet has eaten, in Australia',
    cells: ['412345678'],
    country: 'AU',
    number: '+61412345678',
  },
  {
    what: 'a plus that a spreadsheet has eaten',
    cells: ['491711509813'],
    country: 'DE',
    number: '+491711509813',
  },
  {
    what: 'a zero that was eaten, where the area begins as the country code does',
    cells: ['4941976543'],
    country: 'DE',
    number: '+494941976543',
  },
  {
    what: 'an Italian mobile that begins as the country code does',
    cells: ['3901234567'],
    country: 'IT',
    number: '+393901234567',
  },
  {
    what: 'a zero that was eaten of Lucerne, 041',
    cells: ['412105050'],
    country: 'CH',
    number: '+41412105050',
  },
  {
    what: 'an end that a spreadsheet has added',
    cells: ['491711509813.0', '1711509813.0', '01711509813.00', '+491711509813.0'],
    country: 'DE',
    number: '+491711509813',
  },
  {
    what: 'invisible characters',
    cells: [
      '\u202a+49 171 1509813\u202c',
      '\u200e+49\u00a0171\u00a01509813',
      '+49\u2011171\u20111509813',
      '+49\u202f171\u2009150\u20089813',
    ],
    number: '+491711509813',
  },
  {
    what: 'full-width characters',
    cells: ['＋４９ １７１ １５０９８１３', '＋４９（０）１７１－１５０９８１３'],
    number: '+491711509813',
  },
  { what: 'digits of other scripts', cells: ['+٤٩ ١٧١ ١٥٠٩٨١٣', '+۴۹۱۷۱۱۵۰۹۸۱۳'], number: '+491711509813' },
  {
    what: 'a Brazilian carrier that is left open',
    cells: [
      '0xx11 98765-4321',
      '(0xx11) 98765-4321',
      '0XX 11 98765 4321',
      '(0**11) 98765-4321',
      '+55 0xx11 98765-4321',
      '+55 (0xx11) 98765-4321',
    ],
    country: 'BR',
    number: '+5511987654321',
  },
  {
    what: 'a link',
    cells: ['tel:+49-171-1509813', 'TEL: +49 171 1509813', 'callto:+491711509813', 'whatsapp:+491711509813'],
    number: '+491711509813',
  },
  {
    what: 'a word in front',
    cells: [
      'Mobil: +49 171 1509813',
      'Tel. +49 171 1509813',
      'Handy +49 171 1509813',
      'M: +49 171 1509813',
      'Mobile: +491711509813',
      'WhatsApp: +49 171 1509813',
      'Móvil: +49 171 1509813',
      'Tél. : +49 171 1509813',
    ],
    number: '+491711509813',
  },
];

describe.each(forms)('$what', ({ cells, country, number, extension }) => {
  test.each(cells)('%j', (cell) => {
    expect(contactFieldTypes.phone.parse(cell, country)).toEqual({
      ok: true,
      value: number,
      ...(extension !== undefined && {
        note: { problem: 'extension', reason: expect.stringContaining(`extension ${extension} `) },
      }),
    });
  });
});

const refused: readonly (readonly [
  what: string,
  cell: string,
  country: string | undefined,
  saying: string,
])[] = [
  ['scientific notation', '4,91711E+12', 'DE', 'rounded by a spreadsheet'],
  ['scientific notation with a point', '4.91711E+12', undefined, 'rounded by a spreadsheet'],
  ['scientific notation without a fraction', '5E+11', 'DE', 'rounded by a spreadsheet'],
  ['a rounded number that was written out', '491711000000', 'DE', 'ends in zeros'],
  ['one with a fraction', '491711000000.0', 'DE', 'ends in zeros'],
  ['one of eleven digits', '16505500000', 'US', 'ends in zeros'],
  ['one of two significant digits', '490000000000', undefined, 'ends in zeros'],
  ['the letter O for a zero', 'O711 123456', 'DE', 'letters'],
  ['the letter O within', '0711 12O456', 'DE', 'letters'],
  ['the letter l for a one', '0711 l23456', 'DE', 'letters'],
  ['the zero of Italy that was eaten', '669883145', 'IT', 'not a valid number of IT'],
  ['the prefix 011 where no country dials it', '011 49 711 123456', undefined, 'no country code'],
  ['the prefix 011 in Germany', '011 49 711 123456', 'DE', 'DE'],
  ['a plus that was eaten, and no country', '491711509813', undefined, 'no country code'],
  ['a plus that was eaten, of another country', '491711509813', 'ES', 'ES'],
  ['the older Mexican form with a digit too many', '+52 1 55 1234 56789', undefined, 'too many digits'],
  ['a trunk zero where nothing is valid without it', '+49 0111 123456', undefined, 'not a valid number'],
];

test.each(refused)('%s is refused', (_what, cell, country, saying) => {
  expect(contactFieldTypes.phone.parse(cell, country)).toMatchObject({
    ok: false,
    reason: expect.stringContaining(saying),
  });
});

test.each(['+4917162000000', '+14155500000'])('%s may be a rounded number: it is read and named', (cell) => {
  expect(contactFieldTypes.phone.parse(cell, undefined)).toEqual({
    ok: true,
    value: cell,
    note: { problem: 'rounded', reason: expect.stringContaining('ends in zeros') },
  });
});

const two = ['+4930901820', '+491711509813'];
const joined: readonly (readonly [
  what: string,
  cells: readonly string[],
  country: string | undefined,
  numbers: readonly string[],
])[] = [
  ['an ampersand', ['+49 30 901820 & +49 171 1509813', '+4930901820&+491711509813'], undefined, two],
  ['an ampersand, at home', ['030 901820 & 0171 1509813', '030/901820&0171/1509813'], 'DE', two],
  ['a plus between blanks', ['030 901820 + 0171 1509813', '+49 30 901820 + 0171 1509813'], 'DE', two],
  ['the plus of the second one', ['+49 30 901820 +49 171 1509813', '030 901820 + 49 171 1509813'], 'DE', two],
  [
    'the plus of the second one, without a country',
    ['+49 30 901820 + 49 171 1509813', '+49 30 901820 + +49 171 1509813'],
    undefined,
    two,
  ],
  [
    'a dash between blanks',
    ['030 901820 - 0171 1509813', '030 901820 – 0171 1509813', '+49 30 901820 - +49 171 1509813'],
    'DE',
    two,
  ],
  ['two blanks', ['030 901820  0171 1509813', '+49 30 901820\u00a0 +49 171 1509813'], 'DE', two],
  ['two blanks, three numbers', ['030 901820  0171 1509813   040 428380'], 'DE', [...two, '+4940428380']],
  ['a dash, where only one of them is valid', ['030 901820 - 000000 000000'], 'DE', []],
  ['a dash, without a country', ['030 901820 - 0171 1509813'], undefined, []],
  ['two blanks within one number', ['+49  30  901820', '+49 30  901820', '030  901820'], 'DE', []],
  ['dashes between blanks within one number', ['+49 - 30 - 901820', '030 - 901820'], 'DE', []],
];

describe('numbers of one cell, joined by', () => {
  test.each(joined)('%s', (_what, cells, country, numbers) => {
    for (const cell of cells) {
      const whole = contactFieldTypes.phone.parse(cell, country);
      const parts = whole.ok ? [] : splitPhones(cell, country);
      const read = parts.map((part) => contactFieldTypes.phone.parse(part.trim(), country));
      expect([cell, read]).toEqual([cell, numbers.map((value) => ({ ok: true, value }))]);
    }
  });
});
