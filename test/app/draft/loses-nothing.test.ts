import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { compileDraftWithProblems } from '../../../src/mapping/compile/index.ts';
import { createLazyRow } from '../../../src/sources/rows.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** The drafted mapping of a table, as its YAML has it. */
async function mappingOf(lines: readonly string[]) {
  const made = await drafted(`${lines.join('\n')}\n`);
  return { made, mapping: parse(made.draft.mapping.text), text: made.draft.mapping.text };
}

describe('a further phone or e-mail', () => {
  const head = 'ID;Vorname;E-Mail;E-Mail 2;Mobile;Phone';

  it('of which some row has another one gets a custom field of its own', async () => {
    const { made, mapping, text } = await mappingOf([
      head,
      '1;Ada;ada@example.com;ada@home.example;+49 171 1234567;+49 30 901820',
      '2;Bob;;bob@example.com;;+49 30 901821',
      '3;Cleo;cleo@example.com;;+49 171 1234568;',
    ]);
    expect(mapping.contact).toMatchObject({
      email: { from: ['E-Mail', 'E-Mail 2'] },
      phone: { from: ['Mobile', 'Phone'] },
    });
    expect(mapping.customFields).toMatchObject({
      'E-Mail 2': { from: 'E-Mail 2', type: 'email', create: true, slug: 'e_mail_2' },
      Phone: { from: 'Phone', type: 'text', create: true, slug: 'phone' },
    });
    expect(mapping.customFields).not.toHaveProperty('Mobile');
    expect(text).toMatch(/Phone: \{.* # 67 % filled, text; 1 row has another phone besides/);
    expect((await checked(made)).wrong).toEqual([]);
  });

  it('that is the same in another form, or the only one of its row, gets none', async () => {
    const { mapping } = await mappingOf([
      head,
      '1;Ada;Ada@example.com;ada@example.com;+49 171 1234567;0171 1234567',
      '2;Bob;;bob@example.com;;+49 30 901821',
      '3;Cleo;cleo@example.com;N/A;+49 171 1234568;-',
    ]);
    expect(mapping.contact.phone.from).toEqual(['Mobile', 'Phone']);
    expect(mapping.contact.email.from).toEqual(['E-Mail', 'E-Mail 2']);
    expect(mapping).not.toHaveProperty('customFields');
  });

  it('is found below the rows that are looked at closely', async () => {
    const rows = Array.from(
      { length: 4_001 },
      (_, n) => `${n};Ada;a${n}@example.com;;+49 171 ${1234567 + n};`,
    );
    const { mapping } = await mappingOf([
      head,
      ...rows.with(3_001, 'x;Eve;e@example.com;;+49 171 1;+49 30 2'),
    ]);
    expect(mapping.customFields).toMatchObject({ Phone: { from: 'Phone', type: 'text' } });
  });

  it('beyond the fifth is a custom field, too', async () => {
    const columns = [1, 2, 3, 4, 5, 6, 7].map((n) => `Phone ${n}`);
    const { mapping } = await mappingOf([
      ['ID', 'Name', ...columns].join(';'),
      ['1', 'Ada', ...columns.map((_, n) => `+49 30 90182${n}`)].join(';'),
      ['2', 'Bob', ...columns.map((_, n) => `+49 30 90183${n}`)].join(';'),
    ]);
    expect(mapping.contact.phone.from).toHaveLength(5);
    expect(Object.keys(mapping.customFields)).toEqual(columns.slice(1));
  });
});

describe('a placeholder', () => {
  const head = 'ID;First Name;Last Name;Email;Birthday;Phone';
  const rows = [
    '1;Ada;-;ada@example.com;1990-01-31;+49 30 901820',
    '2;Bob;N/A;bob@example.com;n/a;#N/A',
    '3;Cleo;(blank);cleo@example.com;1991-02-28;k.A.',
    '4;Dan;--;dan@example.com;-;null',
    '5;Eve;null;eve@example.com;1993-01-01;',
  ];

  it('is listed under empty with its number, and its column has the type of the others', async () => {
    const { made, mapping, text } = await mappingOf([head, ...rows]);
    expect(mapping.empty).toEqual(['-', 'N/A', 'null', '(blank)', '--', '#N/A', 'k.A.']);
    expect(text).toMatch(/# cells that count as empty: "-" 2, "N\/A" 2, .*\nempty:/);
    expect(mapping.customFields.Birthday).toEqual({
      from: 'Birthday',
      type: 'date',
      birthDate: true,
      create: true,
      slug: 'birthday',
    });
    expect(text).toContain(
      'Birthday: { from: Birthday, type: date, birthDate: true, create: true, slug: birthday } # 60 % filled',
    );
    expect(made.draft.columns.find(({ name }) => name === 'Phone')).toMatchObject({
      filled: 1,
      type: 'phone',
    });
  });

  it.each(['N/A', '#N/A', 'n.a.', 'k.A.', '-', '--', '—', '(blank)', 'NULL', 'null', 's/n', '#NV', '(leer)'])(
    '%s is taken without a question',
    async (word) => {
      const { mapping, made } = await mappingOf([
        head,
        `1;Ada;${word};a@example.com;;`,
        `2;Bob;${word};b@example.com;;`,
      ]);
      const nulls: unknown = parse(made.draft.pipeline.text).import.source.nulls;
      expect([mapping.empty, nulls]).toEqual(word === 'NULL' ? [undefined, ['NULL']] : [[word], undefined]);
      expect(mapping.contact).not.toHaveProperty('lastName');
      expect(made.draft.todos).toEqual([]);
    },
  );

  it.each(['0/0/00', '0.0.00', '00.00.0000', '00/00/0000', '0000-00-00 00:00'])(
    '%s is no date, and the column has the type of the other cells',
    async (zero) => {
      const { mapping, made } = await mappingOf([
        head,
        ...[1, 2, 3].map((n) => `${n};Ada;Lee;a${n}@example.com;${zero};`),
        '4;Bob;Byrne;b@example.com;28.2.1985;',
      ]);
      expect(mapping.empty).toEqual([zero]);
      expect(mapping.customFields.Birthday).toMatchObject({ type: 'date' });
      expect(made.draft.columns.find(({ name }) => name === 'Birthday')).toMatchObject({ filled: 1 });
    },
  );

  it.each(['N/C', 's/o', '#¡REF!', '#VALEUR!', '#WERT!'])('%s is taken without a question', async (word) => {
    const { mapping } = await mappingOf([
      head,
      ...[1, 2, 3].map((n) => `${n};Ada;${word};a${n}@example.com;;`),
      '4;Bob;Byrne;b@example.com;;',
    ]);
    expect(mapping.empty).toEqual([word]);
  });

  it.each([
    ['unknown', 'Last Name', (word: string, n: number) => `${n};Ada;${word};a${n}@example.com;;`],
    ['no tiene', 'Email', (word: string, n: number) => `${n};Ada;Lee;${word};;`],
    ['ruft zurück', 'Phone', (word: string, n: number) => `${n};Ada;Lee;a${n}@example.com;;${word}`],
    ['noemail@example.com', 'Email', (word: string, n: number) => `${n};Ada;Lee;${word};;`],
    ['0000', 'Phone', (word: string, n: number) => `${n};Ada;Lee;a${n}@example.com;;${word}`],
    ['0000000000', 'Phone', (word: string, n: number) => `${n};Ada;Lee;a${n}@example.com;;${word}`],
  ])('%s in several rows of %s is asked about, and any answer is valid', async (word, column, row) => {
    const { made } = await mappingOf([
      head,
      ...[1, 2, 3].map((n) => row(word, n)),
      ...[4, 5, 6, 7].map((n) => `${n};Bob;Byrne;b${n}@example.com;;+49 30 90182${n}`),
    ]);
    expect(made.draft.todos.map(({ question }) => question)).toEqual([
      `does "${word}" in ${column} (3 rows) stand for nothing? Write ${JSON.stringify(word)} if so, or null to import it as it is`,
    ]);
    for (const answer of [JSON.stringify(word), 'null'])
      expect((await checked(made, { 'stand for nothing': answer })).wrong).toEqual([]);
  });

  it('unknown among phones is taken without a question where no other column has it as a value', async () => {
    const rows = (plan: string) =>
      [1, 2, 3, 4].map((n) =>
        `${n};Ada;a${n}@example.com;${n < 3 ? 'unknown' : '+49 171 123456'}${n};${plan}`.replace(
          /unknown\d/,
          'unknown',
        ),
      );
    const taken = await mappingOf(['ID;First Name;Email;Phone;Plan', ...rows('gold')]);
    expect(taken.mapping.empty).toEqual(['unknown']);
    expect(taken.text).toContain('50 % filled; all with their country code');
    const kept = await mappingOf(['ID;First Name;Email;Phone;Plan', ...rows('unknown')]);
    expect(kept.mapping).not.toHaveProperty('empty');
  });

  it('a family called Null, and a plan called none, are not empty', async () => {
    const { mapping } = await mappingOf([
      'ID;First Name;Last Name;Email;Plan',
      ...[1, 2, 3].map((n) => `${n};Ada;Lee;a${n}@example.com;none`),
      ...[4, 5, 6].map((n) => `${n};Bob;Byrne;b${n}@example.com;gold`),
      '7;Eve;Null;e@example.com;gold',
    ]);
    expect(mapping).not.toHaveProperty('empty');
    expect(mapping.customFields.Plan.allowed).toEqual(['none', 'gold']);
  });
});

describe('a column of texts that are too long for a custom field', () => {
  const text = (word: string) => `${word} `.repeat(1_001 / (word.length + 1) + 1).trim();
  const rows = (cell: string, other = 'calls back') => [
    'ID;First Name;Email;custom_attribute_5',
    `1;Ada;a@example.com;${cell}`,
    `2;Bob;b@example.com;${other}`,
  ];

  it('is a comment, whatever its name', async () => {
    const { mapping, made } = await mappingOf(rows(text('wants to be called')));
    expect(mapping.comments).toEqual([{ name: 'note', text: '{custom_attribute_5}' }]);
    expect(made.draft.leftOut).toEqual([]);
  });

  it('is left out, and listed, where they are no words', async () => {
    const { mapping, made } = await mappingOf(rows('QmFzZTY0'.repeat(126), 'QmFzZTY0'));
    expect(mapping).not.toHaveProperty('comments');
    expect(made.draft.leftOut).toEqual([
      { column: 'custom_attribute_5', why: 'texts of up to 1,008 characters' },
    ]);
  });
});

describe('a column of countries', () => {
  const rows = (lands: readonly string[]) => [
    'ID;First Name;Email;Mobile;Land',
    ...lands.map((land, n) => `${n};Ada;a${n}@example.com;0171 123456${n};${land}`),
  ];

  it('in any language needs no values, for the country and for phones', async () => {
    const { made, mapping } = await mappingOf(rows(['Deutschland', 'España', 'Österreich', 'DEU', '日本']));
    expect(made.draft.todos).toEqual([]);
    expect(mapping.contact).toMatchObject({
      countryCode: { from: 'Land' },
      phone: { country: { from: 'Land' } },
    });
    expect(mapping.contact.countryCode).not.toHaveProperty('values');
  });

  it('with words that are none asks for each of them, with its rows', async () => {
    const { made, text } = await mappingOf(
      rows(['Deutschland', 'Elbonien', 'Elbonien', 'Österreich', 'Preussen', 'DE', 'DE']),
    );
    expect(made.draft.todos.map(({ question }) => question)).toEqual([
      'which country is "Elbonien" (2 rows)? Give its code, or null for none',
      'which country is "Preussen" (1 row)? Give its code, or null for none',
    ]);
    const { pipeline, wrong } = await checked(made, { Elbonien: 'AT', Preussen: 'null' });
    expect(wrong).toEqual([]);
    expect(text).not.toContain('default: "TODO');
    expect(pipeline.import.mapping.mapping.contact.countryCode).toMatchObject({
      values: { Elbonien: 'AT', Preussen: null },
    });
  });
});

describe('a column of full names', () => {
  it.each([
    ['Family, Given', ['Garçon, Gaël', 'van der Berg, Jan', 'Muster, Ada Maria', 'Cher'], 'Gaël', 'Garçon'],
    ['Given Family', ['Gaël Garçon', 'Jan van der Berg', 'Ada Muster', 'Dr. Bob Roe'], 'Gaël', 'Garçon'],
  ])('written %s is parted by name', async (how, names, firstName, lastName) => {
    const { made, mapping, text } = await mappingOf([
      'ID;Name;E-Mail',
      ...names.map((name, n) => `${n};${name};a${n}@example.com`),
    ]);
    expect(mapping.contact).toMatchObject({
      firstName: { from: 'Name', part: 'given', default: 'Unknown' },
      lastName: { from: 'Name', part: 'family' },
    });
    expect(text).toContain(`${how === 'Given Family' ? 'read as' : 'most are written'} "${how}"`);
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const read = compileDraftWithProblems(pipeline.import.mapping);
    const cells = new Map([
      ['ID', '0'],
      ['Name', names[0] ?? ''],
      ['E-Mail', 'a@example.com'],
    ]);
    expect(read(createLazyRow(2, () => cells)).draft.values.contact).toMatchObject({ firstName, lastName });
  });
});

describe('dates that could be month first or day first', () => {
  it('are asked about with the other formats of the column', async () => {
    const days = ['03/04/1990', '05/06/1991', 'Jan 31, 1992', '1993-02-03'];
    const { made } = await mappingOf([
      'ID;First Name;Email;Born',
      ...days.map((day, n) => `${n};Ada;${n}@example.com;${day}`),
    ]);
    const [question = ''] = made.draft.todos.map((todo) => todo.question);
    const answer = /write (\[.*?\]) if the month/.exec(question)?.[1] ?? '';
    expect(answer).toBe('[M/d/yyyy, yyyy-MM-dd, "MMM d, yyyy"]');
    const { pipeline, wrong } = await checked(made, { 'in March or in April': answer });
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping.customFields?.Born).toMatchObject({
      formats: ['M/d/yyyy', 'yyyy-MM-dd', 'MMM d, yyyy'],
    });
  });
});

it('dates in five formats are dates, and none of them becomes text', async () => {
  const days = ['25.12.1990', '1991-06-05', 'Jan 31, 1992', '5 Feb 1993', '1994/3/2'];
  const rows = [...days, ...days].map((day, n) => `${n};Ada;${n}@example.com;${day}`);
  const { mapping } = await mappingOf(['ID;First Name;Email;Born', ...rows]);
  expect(mapping.customFields.Born).toMatchObject({
    type: 'date',
    formats: expect.arrayContaining(['d.M.yyyy', 'yyyy-MM-dd', 'MMM d, yyyy', 'd MMM yyyy', 'yyyy/M/d']),
  });
});

describe('figures of phones', () => {
  const national = (n: number): boolean => n % 11 === 3;
  const phone = (n: number): string =>
    national(n) ? `0171 12345${10 + (n % 90)}` : `+49 171 12345${10 + (n % 90)}`;

  it('count phones of the whole file, and name a line', async () => {
    const rows = Array.from({ length: 220 }, (_, n) => `${n};Ada${n};a${n}@example.com;${phone(n)};N/A`);
    const { made, text } = await mappingOf(['ID;First Name;Email;Mobile;Phone', ...rows]);
    expect(text).toContain('20 of 220 have no country code, e.g. line 5');
    expect(made.draft.todos[0]?.question).toMatch(/^which country .*DE \(right for 100 %\)/);
  });

  it('ask for a country only where such a phone is in a row without one', async () => {
    const rows = (land: (n: number) => string) =>
      Array.from({ length: 40 }, (_, n) => `${n};Ada${n};a${n}@example.com;${phone(n)};${land(n)}`);
    const head = 'ID;First Name;Email;Mobile;Land';
    const all = await mappingOf([head, ...rows((n) => (n % 11 === 4 ? '' : 'Deutschland'))]);
    expect(all.mapping.contact.phone.country).toEqual({ from: 'Land' });
    const some = await mappingOf([head, ...rows((n) => (n < 20 ? '' : 'Deutschland'))]);
    expect(some.made.draft.todos.map(({ question }) => question)).toEqual([
      'which country are phones from that have no country code, in a row without a country (2 rows, e.g. line 5)? Give its code, for example US, GB or DE',
    ]);
  });

  it('have the country of any column of countries, and no column is lost', async () => {
    const rows = [
      '1;Resi;0664 1234567;;Österreich;resi@example.at',
      '2;Urs;044 668 18 00;Schweiz;Österreich;urs@example.ch',
      '3;Anja;0171 2120946;;;anja@example.de',
    ];
    const head = 'ID;First Name;Mobile Phone;Business Country/Region;Home Country/Region;E-mail Address';
    const { mapping, made } = await mappingOf([head, ...rows]);
    const from = ['Business Country/Region', 'Home Country/Region'];
    expect(mapping.contact.phone.country).toMatchObject({ from });
    expect(mapping.contact.countryCode).toEqual({ from });
    expect(mapping.customFields).toHaveProperty('Home Country/Region');
    expect(made.draft.todos.map(({ question }) => question)).toEqual([
      expect.stringContaining('in a row without a country (1 row, e.g. line 4)'),
    ]);
    expect((await checked(made, { 'which country': 'DE' })).wrong).toEqual([]);
  });
});

describe('phones behind the apostrophe of a spreadsheet', () => {
  it('are phones that lack a country as the others do', async () => {
    const rows = Array.from(
      { length: 9 },
      (_, n) => `${n};Ada${n};a${n}@example.com;+49 171 12345${10 + n};Germany`,
    );
    const { made, text } = await mappingOf([
      'ID;First Name;Email;Mobile;Land',
      ...rows,
      "9;Bob;b@example.com;'0171 1234599;",
    ]);
    expect(text).toContain('1 of 10 has no country code, e.g. line 11');
    expect(made.draft.todos[0]?.question).toContain('in a row without a country (1 row, e.g. line 11)');
  });
});

describe('values behind the apostrophe of a spreadsheet', () => {
  const head = 'ID;First Name;Email;Phone;Other Phone;Zip;Code;Song';
  const rows = [
    "1;Ada;a@example.com;'+14042441274;'+13032371137;'02101;'15;'90s hits",
    "2;Bob;b@example.com;'+14042441275;'+13032371138;'02102;'16;'Til dawn",
    "3;Cleo;c@example.com;'+14042441276;'+13032371139;'02103;'17;Yesterday",
  ];

  it('are imported without it, as texts', async () => {
    const { mapping, made } = await mappingOf([head, ...rows]);
    const replace = { pattern: "^'([-+=@0-9])", with: '$1' };
    expect(mapping.contact.phone.from).toEqual(['Phone', 'Other Phone']);
    for (const name of ['Other Phone', 'Zip', 'Code'])
      expect(mapping.customFields[name]).toMatchObject({ type: 'text', replace });
    expect(mapping.customFields.Song).not.toHaveProperty('replace');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const read = compileDraftWithProblems(pipeline.import.mapping);
    const cells = new Map([
      ['Zip', "'02101"],
      ['Song', "'90s hits"],
    ]);
    expect(read(createLazyRow(2, () => cells)).draft.values.customFields).toEqual({
      Zip: '02101',
      Song: "'90s hits",
    });
    // A further phone is not reported as left out: its custom field keeps it.
    const phones = new Map([
      ['Phone', "'+14042441274"],
      ['Other Phone', "'+13032371137"],
      ['Email', 'a@example.com'],
    ]);
    const { draft } = read(createLazyRow(2, () => phones));
    expect([draft.values.customFields, draft.dropped]).toEqual([{ 'Other Phone': '+13032371137' }, []]);
  });
});

describe('cells with two phones', () => {
  const two = (n: number): string => `01 42 68 53 ${10 + n} / 06 12 34 56 ${10 + n}`;

  it('make no less of a phone column, and each of their numbers counts', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => {
      const phone = n % 5 === 0 ? `+33 6 12 34 56 ${10 + n}` : two(n);
      return `${n};Ada${n};a${n}@example.com;${phone};${n === 1 ? '' : 'France'}`;
    });
    const { mapping, made, text } = await mappingOf(['ID;First Name;Email;Phone;Land', ...rows]);
    expect(mapping.contact.phone.from).toBe('Phone');
    expect(text).toContain('32 of 36 have no country code, e.g. line 3');
    expect(made.draft.todos.map(({ question }) => question)).toEqual([
      expect.stringContaining('in a row without a country (1 row, e.g. line 3)'),
    ]);
  });

  it('are offered the country of their numbers', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `${n};Ada${n};a${n}@example.com;${two(n)}`);
    const { made } = await mappingOf(['ID;First Name;Email;Phone', ...rows]);
    expect(made.draft.todos[0]?.question).toMatch(/^which country .*FR \(right for 100 %\)/);
  });
});

describe('the owner', () => {
  it('is who is named, where another column has ids of the old system', async () => {
    const { mapping, made } = await mappingOf([
      'ID;Name;E-Mail;Contact Owner.id;Contact Owner',
      '1;Ada Byron;ada@example.com;zcrm_5546;Kim Desk',
      '2;Bob Marsh;bob@example.com;zcrm_5547;',
      '3;Cleo Hart;cleo@example.com;zcrm_5546;Kim Desk',
    ]);
    expect(mapping.assignee).toMatchObject({ from: 'Contact Owner' });
    expect(made.draft.leftOut).toEqual([{ column: 'Contact Owner.id', why: 'ids of other records' }]);
  });
});

describe('tags', () => {
  const people = (cells: readonly string[]) => [
    'ID;Name;E-Mail;tags',
    ...cells.map((cell, at) => `${at + 1};Ada Byron ${at};ada${at}@example.com;${cell}`),
  ];
  /** The tags that the drafted mapping reads of each cell. */
  const tagsOf = async (cells: readonly string[]) => {
    const { made } = await mappingOf(people(cells.map((cell) => `"${cell.replaceAll('"', '""')}"`)));
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const read = compileDraftWithProblems(pipeline.import.mapping);
    return cells.map((cell) => read(createLazyRow(2, () => new Map([['tags', cell]]))).draft.tags ?? []);
  };

  it.each([
    {
      words: 'blanks, where the same words come in other combinations',
      cells: ['VIP B2B', 'Event VIP', 'B2B Partner', 'Partner', '', 'Event B2B', 'Partner Event'],
      read: [['VIP', 'B2B'], ['Event', 'VIP'], ['B2B', 'Partner'], ['Partner'], [], ['Event', 'B2B']],
    },
    {
      words: 'blanks, where the words are in order',
      cells: ['a b c', 'b c', 'a c d', 'c d', 'a b', 'b d'],
      read: [
        ['a', 'b', 'c'],
        ['b', 'c'],
        ['a', 'c', 'd'],
      ],
    },
    {
      words: 'nothing, where a tag has several words',
      cells: ['New customer', 'Regular customer', 'Hot lead', 'Cold lead', 'Customer', 'Lead', 'Hot lead'],
      read: [['New customer'], ['Regular customer'], ['Hot lead']],
    },
    {
      words: 'nothing, where a word of several tags always stands at one place',
      cells: ['New customer', 'Old customer', 'New lead', 'Old lead'],
      read: [['New customer'], ['Old customer'], ['New lead'], ['Old lead']],
    },
    {
      words: 'commas, where the tags have blanks',
      cells: ['New customer, VIP', 'VIP', 'VIP, Event', 'Event'],
      read: [['New customer', 'VIP'], ['VIP'], ['VIP', 'Event']],
    },
    {
      words: 'quotes and commas, which are no part of the tags',
      cells: ['"VIP","B2B, France"', '"VIP"', '', '"Event","Partner","VIP"'],
      read: [['VIP', 'B2B, France'], ['VIP'], [], ['Event', 'Partner', 'VIP']],
    },
  ])('are parted by $words', async ({ cells, read }) => {
    expect((await tagsOf(cells)).slice(0, read.length)).toEqual(read);
  });

  it('of Zendesk are parted by blanks, also where the cells do not show it', async () => {
    const lines = [
      'id;name;email;tags;user_fields.city',
      '1;Ada Byron;ada@example.com;Event Wholesale VIP;Rome',
    ];
    const { made } = await mappingOf(lines);
    expect((await checked(made)).pipeline.import.mapping.mapping.tags).toMatchObject({ split: ' ' });
  });
});
