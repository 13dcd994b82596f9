import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workbook } from '../../sources/builders/xlsx.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

type Sheets = Parameters<typeof workbook>[0]['sheets'];

async function sourceOf(sheets: Sheets, hidden: readonly string[] = []) {
  const made = await drafted(workbook({ sheets, hidden }), 'kunden.xlsx');
  return {
    made,
    source: parse(made.draft.pipeline.text).import.source,
    mapping: parse(made.draft.mapping.text),
  };
}

const head = ['Kd-Nr.', 'Vorname', 'Nachname', 'E-Mail', 'Geburtstag'];
const people = (place: string, rows: number, day: (n: number) => string) => [
  head,
  ...Array.from({ length: rows }, (_, n) => [
    `${n + 1}`,
    'Ada',
    `${place}${n}`,
    `${place}${n}@example.com`,
    day(n),
  ]),
];
const german = (n: number) => `${13 + (n % 10)}.02.19${70 + (n % 20)}`;

describe('a draft of a workbook', () => {
  it('takes the sheet with the people, not a cover with one row under a title', async () => {
    const cover = [
      ['Kundenexport Muster GmbH'],
      ['Ansprechpartner', 'E-Mail', 'Telefon', 'Stand'],
      ['Erika Muster', 'erika@example.com', '+49 30 901820', '01.02.2024'],
    ];
    const { made, source } = await sourceOf({ Deckblatt: cover, Kunden: people('a', 256, german) });
    expect(source).toMatchObject({ sheet: 'Kunden', headerRow: 1 });
    expect(made.draft.rows).toBe(256);
    expect(made.draft.notes.slice(0, 2)).toEqual([
      'The people are in the sheet "Kunden"; not read: "Deckblatt". Choose another with --sheet.',
      'Sheets that belong together, such as people and their notes, are imported together from a folder: save each sheet as a CSV file in it.',
    ]);
  });

  it.each([
    [
      'a sheet of companies',
      [
        ['Firma', 'Telefon', 'Ort'],
        ...Array.from({ length: 400 }, (_, n) => [`Muster ${n} AG`, `+49 30 ${901820 + n}`, 'Ulm']),
      ],
    ],
    [
      'a list of countries',
      [['Land', 'Anzahl'], ...Array.from({ length: 90 }, (_, n) => [`Land ${n}`, `${n}`])],
    ],
    ['an empty sheet', []],
  ])('takes the sheet with the people, not %s', async (_what, rows) => {
    const { source } = await sourceOf({ Erstes: rows, Kunden: people('a', 40, german) });
    expect(source).toMatchObject({ sheet: 'Kunden' });
  });

  it('reads sheets with the same columns as one, and dates as each of them writes them', async () => {
    const iso = (n: number) => `19${70 + (n % 20)}-02-${13 + (n % 10)}`;
    const titled = [['Süd'], [], ...people('s', 20, iso)];
    const { made, source, mapping } = await sourceOf({
      Info: [['Export']],
      Nord: people('n', 30, german),
      Süd: titled,
    });
    expect(source).toMatchObject({ sheets: ['Nord', 'Süd'] });
    expect(source).not.toHaveProperty('headerRow');
    expect(made.draft.rows).toBe(50);
    expect(mapping.customFields.Geburtstag).toMatchObject({
      type: 'date',
      formats: ['d.M.yyyy', 'yyyy-MM-dd'],
    });
    expect(mapping.key).toBe('Kd-Nr.');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.source.options).toMatchObject({ sheets: ['Nord', 'Süd'] });
  });

  it('takes the sheet that is stated, and no hidden one by itself', async () => {
    const sheets = { Alt: people('a', 90, german), Neu: people('n', 20, german) };
    expect((await sourceOf(sheets, ['Alt'])).source).toMatchObject({ sheet: 'Neu' });
    const stated = await drafted(workbook({ sheets }), 'kunden.xlsx', { sheet: 'Neu' });
    expect(parse(stated.draft.pipeline.text).import.source).toMatchObject({ sheet: 'Neu' });
  });
});
