import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { InputSettings } from '../../../src/app/draft/input/stated.ts';
import { zip } from '../../sources/archive/packing.ts';
import { workbook } from '../../sources/builders/xlsx.ts';
import { itemsFrom, open } from '../../sources/reading.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

const header = 'Kd-Nr.;Vorname;Nachname;E-Mail;Umsatz;Kunde seit';
const rows = [
  'K-1;Ada;Muster;ada@example.com;1.156,09 €;31.12.2023 14:05',
  'K-2;Bob;Beispiel;bob@example.com;12,50 €;1.2.2024 09:00',
  'K-3;Cleo;Probe;cleo@example.com;980,00 €;28.2.2024 17:30',
];

/** The source of a drafted pipeline. */
async function sourceOf(content: string | Uint8Array, name?: string, stated?: InputSettings) {
  const made = await drafted(content, name, stated);
  return {
    made,
    source: parse(made.draft.pipeline.text).import.source,
    mapping: parse(made.draft.mapping.text),
  };
}

describe('a draft of a table with something around it', () => {
  it('finds the header below a title and groups, and states it', async () => {
    const { made, source, mapping } = await sourceOf(
      ['Kundenliste', '', 'Kunde;;;Kontakt;Vertrag;', header, ...rows].join('\n'),
    );
    expect(source).toMatchObject({ header: 4, delimiter: ';', encoding: 'utf-8' });
    expect(made.draft).toMatchObject({ rows: 3, broken: 0 });
    expect(mapping).toMatchObject({ key: 'Kd-Nr.', contact: { email: { from: 'E-Mail' } } });
  });

  it.each([
    ['a line of keys and values each', ['Report: Contacts', 'Date: 2024-05-01', '']],
    [
      'keys and values in cells of their own',
      ['Report;Contacts', 'Date;2024-05-01', 'By;jane@example.com', ''],
    ],
    [
      'a title, its firm and a filter',
      ['Kontakte', 'Muster GmbH', 'Tel: 0711 901820', 'Filter;Land = DE', ';;;;;'],
    ],
    [
      'more of them than there are rows',
      ['Firma: Muster', 'Von: Erika', 'Tel: 0711 901820', 'Stand: 1.5.2024', 'Seite: 1', ''],
    ],
  ])('finds the header below %s, and leaves out totals, in a file and in a sheet', async (_what, above) => {
    const lines = [...above, header, ...rows, ';;;;;', 'Summe;;;;2.148,59 €;'];
    const { made, source, mapping } = await sourceOf(lines.join('\n'));
    expect(source).toMatchObject({ header: above.length + 1, delimiter: ';' });
    expect(source.where).toEqual({ 'Kd-Nr.': { not: 'Summe' } });
    expect(made.draft).toMatchObject({ rows: 3, broken: 0 });
    expect(mapping).toMatchObject({ key: 'Kd-Nr.', contact: { email: { from: 'E-Mail' } } });
    const sheet = lines.map((line) => (line === '' ? undefined : line.split(';')));
    const inSheet = await sourceOf(workbook({ sheets: { Kunden: sheet } }), 'kunden.xlsx');
    expect(inSheet.source).toMatchObject({
      headerRow: above.length + 1,
      where: { 'Kd-Nr.': { not: 'Summe' } },
    });
    expect(inSheet.made.draft).toMatchObject({ rows: 3, broken: 0 });
  });

  it('states that there is no header, so that an import loses no first row', async () => {
    const { source } = await sourceOf(rows.join('\n'));
    expect(source).toMatchObject({ header: false });
  });

  it('finds sheet and header row of a workbook, and states them', async () => {
    const table = [['Kundenliste'], [], header.split(';'), ...rows.map((row) => row.split(';'))];
    const content = workbook({ sheets: { Deckblatt: [['Bericht'], ['Stand', '1.3.2024']], Kunden: table } });
    const { made, source } = await sourceOf(content, 'kunden.xlsx');
    expect(source).toMatchObject({ format: 'xlsx', sheet: 'Kunden', headerRow: 3 });
    expect(made.draft.rows).toBe(3);
  });

  it('leaves out blank rows and totals, says so, and rejects none of them', async () => {
    const text = [header, rows[0], ';;;;;', rows[1], ';;', rows[2], ';;;;;', 'Summe;;;;2.148,59 €;', ''].join(
      '\n',
    );
    const { made, source } = await sourceOf(text);
    expect(source).toMatchObject({ skipEmpty: true, where: { 'Kd-Nr.': { not: 'Summe' } } });
    expect(made.draft).toMatchObject({ rows: 3, broken: 0 });
    expect(made.draft.notes).toEqual([
      expect.stringMatching(/^3 rows are blank: left out by "skipEmpty"/),
      expect.stringMatching(/^Line 8 holds totals \("Summe"\): left out by "where"/),
    ]);
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    const { path, format, options } = pipeline.import.source;
    const items = await itemsFrom(open(path ?? '', options, format));
    expect(items.map(({ kind }) => kind)).toEqual([
      'row',
      'filtered',
      'row',
      'filtered',
      'row',
      'filtered',
      'filtered',
    ]);
  });

  it('fills up totals that lack cells, so that they can be left out', async () => {
    const { source } = await sourceOf([header, ...rows, 'Total: 3'].join('\n'));
    expect(source).toMatchObject({ ragged: 'pad', where: { 'Kd-Nr.': { not: 'Total: 3' } } });
  });

  it('takes nobody for totals', async () => {
    const { made, source } = await sourceOf(
      [
        'Name;Ort;E-Mail;Notiz',
        'Total;Ulm;total@example.com;',
        'Summer;;;',
        'Sum Lee;;lee@example.com;',
      ].join('\n'),
    );
    expect(source).not.toHaveProperty('where');
    expect(made.draft.rows).toBe(3);
  });

  it('takes what is stated in place of what it would find', async () => {
    const text = ['Kundenliste', header, ...rows].join('\n');
    const { source, mapping } = await sourceOf(text, 'a.csv', { header: 2, delimiter: ';', key: 'E-Mail' });
    expect(source).toMatchObject({ header: 2, delimiter: ';' });
    expect(mapping.key).toBe('E-Mail');
    const none = await sourceOf(text, 'a.csv', { header: false, key: false });
    expect(none.source.header).toBe(false);
    expect(none.mapping.key).toBe(false);
    await expect(sourceOf(text, 'a.csv', { key: 'Kd-Nr' })).rejects.toThrow(
      /no column "Kd-Nr".*did you mean "Kd-Nr\."/,
    );
    await expect(sourceOf(text, 'a.csv', { sheet: 'A' })).rejects.toThrow('--sheet cannot be used with');
  });
});

describe('what a draft makes of', () => {
  it.each([
    [
      '€ behind',
      ['1.156,09 €', '12,50 €'],
      { replace: { pattern: '\\s*€\\s*', with: '' }, decimal: ',', thousands: '.' },
    ],
    [
      '$ before',
      ['$1,234.50', '$12.00', '-$5.00'],
      { replace: { pattern: '\\s*\\$\\s*', with: '' }, thousands: ',' },
    ],
    [
      'Swiss francs',
      ["CHF 1'200.–", 'CHF 80.50'],
      { replace: { pattern: '\\s*CHF\\s*|[.,][-–—]+', with: '' }, thousands: "'" },
    ],
    [
      'złoty',
      ['1 234,50 zł', '99,00 zł'],
      { replace: { pattern: '\\s*zł\\s*', with: '' }, decimal: ',', thousands: ' ' },
    ],
  ])('money: %s', async (_what, cells, rule) => {
    const made = await drafted(
      `Vorname;Email;Betrag\n${cells.map((cell, n) => `Ada;${n}@example.com;${cell}`).join('\n')}\n`,
    );
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping.customFields?.Betrag).toMatchObject({ type: 'number', ...rule });
  });

  it.each([
    ['two currencies', ['5,00 €', '$7']],
    ['codes that look like money', ['ABC 123', 'ABC 124']],
  ])('no money: %s', async (_what, cells) => {
    const { draft } = await drafted(
      `Email;Wert\n${cells.map((cell, n) => `${n}@example.com;${cell}`).join('\n')}\n`,
    );
    expect(parse(draft.mapping.text).customFields.Wert.type).toBe('text');
  });

  it.each([
    ['31.12.2023 14:05', 'd.M.yyyy'],
    ['31.12.2023, 14:05 Uhr', 'd.M.yyyy'],
    ['12/31/2023, 2:05:09 PM', 'M/d/yyyy'],
    ['2023-12-31 14:05:00+01', undefined],
  ])('a date with a time: %s', async (cell, format) => {
    const { draft } = await drafted(`Email;Seen\na@example.com;"${cell}"\n`);
    const rule = parse(draft.mapping.text).customFields.Seen;
    expect([rule.type, rule.formats?.[0]]).toEqual(['date', format]);
  });

  it('a Status of stages, and one that is none', async () => {
    const text = (values: readonly string[]) =>
      `Email;Status\n${values.map((value, n) => `${n}@example.com;${value}`).join('\n')}\n`;
    const stages = parse(
      (await drafted(text(['Interessent', 'Bestandskunde', 'Neukunde', 'gesperrt']))).draft.mapping.text,
    );
    expect(stages.lifecycle).toMatchObject({ from: 'Status' });
    expect(Object.keys(stages.lifecycle.values)).toHaveLength(4);
    const others = parse((await drafted(text(['offen', 'bezahlt', 'offen', 'bezahlt']))).draft.mapping.text);
    expect(others).not.toHaveProperty('lifecycle');
    expect(others.customFields.Status.type).toBe('list');
  });

  it('few values are text where the name of the column says of no closed set: the next file has others', async () => {
    const titles = ['Buyer', 'CEO', 'Sales'].flatMap((title) => Array.from({ length: 9 }, () => title));
    const rows = titles.map((title, n) => `${n}@example.com;${title};${title}`).join('\n');
    const drafts = await drafted(`Email;Job Title;Kundenkategorie (Kategorie)\n${rows}\n`);
    const { customFields } = parse(drafts.draft.mapping.text);
    expect(customFields['Job Title'].type).toBe('text');
    expect(customFields['Kundenkategorie (Kategorie)'].type).toBe('list');
  });

  it('days with two slips among thirty are days', async () => {
    const days = [...Array.from({ length: 28 }, (_, n) => `${n + 1}/04/1980`), '32/12/1989', '32/01/1974'];
    const { draft } = await drafted(
      `Email;Birthday\n${days.map((day, n) => `${n}@example.com;${day}`).join('\n')}\n`,
    );
    expect(parse(draft.mapping.text).customFields.Birthday).toMatchObject({
      ...{ type: 'date', formats: ['d/M/yyyy'], onInvalid: 'drop' },
    });
  });

  it('an input without a key: it asks, with the columns that could be it', async () => {
    const { draft } = await drafted('Name;Code 2;E-Mail\nAda;x1;ada@example.com\nBob;x2;bob@example.com\n');
    expect(draft.todos.map(({ question }) => question)).toContainEqual(
      'which column identifies a row in the old system and never changes? Give its name, or false if there is none (filled and different in every row: Code 2, E-Mail)',
    );
    const { pipeline } = await checked({ folder: '', draft }, { 'identifies a row': 'Code 2' });
    expect(pipeline.import.mapping.mapping.key).toBe('Code 2');
  });

  it('phones without a country code: it offers the country of the numbers beside them first', async () => {
    const phones = ['06 12 34 56 78', '06.12.34.56.79', '+33 (0)6 12 34 56 80'];
    const { draft } = await drafted(
      `N° client;Prénom;Portable\n${phones.map((phone, n) => `C${n};Ada;${phone}`).join('\n')}\n`,
    );
    expect(draft.todos[0]?.question).toContain('Give its code: FR (right for 100 %)');
  });

  it('phones without a country code: it offers the country of the e-mail addresses first', async () => {
    const row = (n: number) => `${n},Piet,p${n}@voorbeeld${n % 3}.nl,06-1234567${n}`;
    const lines = [1, 2, 3, 4].map(row).join('\n');
    const { draft } = await drafted(
      `Lidnr,Voornaam,E-mail,Telefoon\n${lines}\n5,An,an@example.com,06-12345675\n`,
    );
    expect(draft.todos[0]?.question).toContain('Give its code: NL (right for 100 %)');
  });

  it('a name that begins with "import": it is not doubled', async () => {
    const { draft } = await drafted(`${header}\n${rows.join('\n')}\n`, 'Import Kunden.csv');
    expect(draft.pipeline.file).toMatch(/pipelines\/import-kunden\.yaml$/);
    expect(parse(draft.pipeline.text).pipeline).toBe('import-kunden');
  });
});

describe('a draft of ragged rows', () => {
  const question = async (text: string) =>
    (await drafted(text)).draft.todos.find(({ question: each }) => each.includes('cells than'));

  it('is made from all rows, and offers to fill up those that end early', async () => {
    const text =
      'ID;Name;Email;Note\n1;Ada;ada@example.com\n2;Bob;bob@example.com\n3;Cleo;cleo@example.com;x\n';
    expect((await drafted(text)).draft).toMatchObject({ rows: 3, broken: 0 });
    expect((await question(text))?.question).toMatch(/^2 of 3 rows .*; write pad to fill short rows/);
  });

  it('does not offer what would move values into wrong columns', async () => {
    const fine = [1, 2, 3, 4].map((n) => `${n};Ada;Ulm;a${n}@example.com;2024-01-0${n}`).join('\n');
    const text = `ID;Name;City;Email;Joined\n${fine}\n5;Eve;e5@example.com;2024-01-05\n`;
    const asked = (await question(text))?.question;
    expect(asked).toMatch(/^1 of 5 rows .* wrong columns \("City", "Email"\); write reject/);
    expect(asked).not.toContain('write pad');
  });
});

describe('a draft of address books with a card each', () => {
  const card = (n: number) =>
    `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u${n}\r\nN:Muster${n};Ada;;;\r\nFN:Ada Muster${n}\r\nEMAIL:ada${n}@example.com\r\nEND:VCARD`;
  const cards = Object.fromEntries(
    [1, 2, 3, 4, 5].map((n) => [`card ${n}.vcf`, n === 2 ? `\ufeff${card(n)}` : card(n)]),
  );

  it('is one of a folder', async () => {
    const inFolder = Object.fromEntries(Object.entries(cards).map(([name, text]) => [`cards/${name}`, text]));
    const made = await drafted({ ...inFolder, 'cards/read me.txt': 'Five contacts, one, two' }, 'cards');
    expect(made.draft).toMatchObject({ format: 'vcard', rows: 5, broken: 0 });
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.source.path).toBe(`${made.folder}/cards`);
    expect(made.draft.notes.join()).toContain('5 files are read as one');
  });

  it('is one of an archive', async () => {
    const content = zip(...Object.entries(cards).map(([name, text]) => ({ name, content: text })));
    const made = await drafted(content, 'cards.zip');
    expect(made.draft).toMatchObject({ format: 'vcard', rows: 5, broken: 0 });
    expect((await checked(made)).wrong).toEqual([]);
  });
});
