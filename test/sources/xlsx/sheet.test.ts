import { expect, test } from 'vitest';
import { type Value, workbook } from '../builders/xlsx.ts';
import { file, open, readingOf, refusal } from '../reading.ts';

function reading(content: Buffer, options: object = {}) {
  return readingOf(open(file(content, 'people.xlsx'), options, 'xlsx'));
}

/** The texts of one column of these cells, as they are read. */
async function texts(cells: readonly Value[], styles: readonly (number | string)[] = [], from1904 = false) {
  const rows = cells.map((value, at) => [`r${at}`, value]);
  const found = await reading(workbook({ sheets: { A: [['key', 'value'], ...rows] }, styles, from1904 }));
  return { texts: found.rows.map((row) => row.cell('value')), notes: found.facts.notes };
}

function styled(value: number | string, style: number): Value {
  return { xml: `<c s="${style}"><v>${value}</v></c>` };
}

test('dates come by their format, built in or own, and numbers stay numbers', async () => {
  const cells = [
    styled(45000, 1),
    styled(45000.5, 2),
    styled(45000, 3),
    styled(45000, 4),
    styled(501, 5),
    45000,
  ];
  const found = await texts(cells, [14, 'd.m.yy h:mm', '0.00', 'mmm "of" yyyy', '00000']);
  expect(found.texts).toEqual(['2023-03-15', '2023-03-15 12:00:00', '45000', '2023-03-15', '00501', '45000']);
});

test('a workbook of 1904 counts its days from there', async () => {
  expect((await texts([styled(43538, 1)], [14], true)).texts).toEqual(['2023-03-15']);
});

test('text, booleans, formulas, rich text and texts within the cell are read by their value', async () => {
  const found = await texts([
    'plain',
    { xml: '<c t="b"><v>1</v></c>' },
    { xml: '<c t="b"><v>0</v></c>' },
    { xml: '<c><f>1+1</f><v>2</v></c>' },
    { xml: '<c t="str"><f>A1&amp;"x"</f><v>r_x0041_x</v></c>' },
    { xml: '<c t="str"><f>""</f><v></v></c>' },
    { xml: '<c t="inlineStr"><is><t>in</t></is></c>' },
    {
      xml: '<c t="inlineStr"><is><r><t>one </t></r><r><rPr><b/></rPr><t>two</t></r><rPh sb="0" eb="1"><t>wan</t></rPh></is></c>',
    },
    { xml: '<c t="d"><v>2024-01-31T09:30:00Z</v></c>' },
    { xml: '<c><v><![CDATA[7]]></v></c>' },
  ]);
  expect(found.texts).toEqual([
    'plain',
    'true',
    'false',
    '2',
    'rAx',
    '',
    'in',
    'one two',
    '2024-01-31 09:30:00',
    '7',
  ]);
  expect(found.notes).toEqual([]);
});

test('shared texts are joined from their runs, keep their blanks and lose what XML cannot hold', async () => {
  const strings = [
    '<si><r><t xml:space="preserve">Zo</t></r><r><t>ë </t></r><rPh sb="0" eb="1"><t>x</t></rPh></si>',
    '<si><t>a_x000D_\nb _x005F_x0041_ c_x0000_</t></si>',
    '<si/>',
  ];
  const rows = [0, 1, 2].map((at) => [`r${at}`, { xml: `<c t="s"><v>${at}</v></c>` }]);
  const { rows: found } = await reading(
    workbook({ sheets: { A: [['key', 'value'], ...rows] }, strings: strings }),
  );
  expect(found.map((row) => row.cell('value'))).toEqual(['Zoë ', 'a\r\nb _x0041_ c', '']);
});

test('errors and formulas that were never calculated are absent, and are reported', async () => {
  const found = await texts([
    { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
    { xml: '<c t="e"><v>#N/A</v></c>' },
    { xml: '<c><f>SUM(A1:A2)</f><v></v></c>' },
    { xml: '<c><v>1234567890123456789</v></c>' },
  ]);
  expect(found.texts).toEqual([null, null, null, '1234567890123456789']);
  expect(found.notes).toHaveLength(3);
  expect(found.notes[0]).toMatch(/^2 cells have errors such as #N\/A \(the first in B2\)/);
  expect(found.notes[1]).toMatch(/^1 formula has no stored value \(B4\)/);
  expect(found.notes[2]).toMatch(/^1 whole number has more than 15 digits \(B5\)/);
});

test('empty rows are skipped, rows keep their number, and those that are hidden count', async () => {
  const sheet =
    '<worksheet><sheetData>' +
    '<row r="2"><c r="A2" t="inlineStr"><is><t>a</t></is></c><c r="B2" t="inlineStr"><is><t>b</t></is></c></row>' +
    '<row r="5" hidden="1"><c r="B5"><v>1</v></c></row>' +
    '<row r="6"><c r="A6" s="1"/><c r="B6" t="str"><f>""</f><v></v></c><c r="C6" t="str"><v></v></c></row>' +
    '<row><c><v>2</v></c><c><v>3</v></c></row>' +
    '</sheetData><mergeCells><mergeCell ref="A5:B5"/></mergeCells><controls><anchor><row>9</row></anchor></controls></worksheet>';
  const content = workbook({ sheets: { A: [] }, parts: { 'xl/worksheets/sheet1.xml': sheet } });
  const { rows } = await reading(content, { headerRow: 2 });
  expect(rows.map((row) => [row.line, ...row.entries()])).toEqual([
    [5, ['a', ''], ['b', '1']],
    [7, ['a', '2'], ['b', '3']],
  ]);
});

test('XML with other prefixes, of the strict edition, and in UTF-16 is read, too', async () => {
  const sheet = `<?xml version="1.0" encoding="UTF-16"?><x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>é</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
  const parts = {
    'xl/worksheets/sheet1.xml': Buffer.from(`\ufeff${sheet}`, 'utf16le'),
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/worksheet" Target="../xl/./Worksheets/Sheet1.xml"/></Relationships>',
  };
  expect((await reading(workbook({ sheets: { A: [] }, parts }))).rows.map((row) => row.cell('é'))).toEqual([
    '1',
  ]);
});

test('row.ragged: a cell beyond the header; an empty one there does no harm', async () => {
  const { rows, broken } = await reading(
    workbook({ sheets: { A: [['a', 'b'], ['1', '2', null, 'x'], ['3', '4', ''], ['5']] } }),
  );
  expect(rows.map((row) => row.entries().map(([, cell]) => cell))).toEqual([
    ['3', '4'],
    ['5', ''],
  ]);
  expect(broken).toMatchObject([{ line: 2, raw: '1\t2\tx', problem: { code: 'row.ragged' } }]);
  expect(broken[0]?.problem.reason).toContain('D2');
});

test('an error in a row that is broken anyway is counted once', async () => {
  const { facts } = await reading(
    workbook({ sheets: { A: [['a'], [{ xml: '<c t="e"><v>#N/A</v></c>' }, 'x']] } }),
  );
  expect(facts.notes).toEqual([expect.stringMatching(/^1 cell has an error/)]);
});

test('row.tooLarge and row.damaged: such a row is rejected, its neighbours stay', async () => {
  const large = { xml: `<c t="inlineStr"><is><t>${'x'.repeat(300)}</t></is></c>` };
  const nowhere = { xml: '<c t="s"><v>999</v></c>' };
  const { rows, broken } = await reading(
    workbook({
      sheets: {
        A: [
          ['a', 'b'],
          ['1', large],
          ['2', nowhere],
          ['3', 'x'],
          ['4', 'y'.repeat(300)],
        ],
      },
    }),
    { maxRowBytes: 256 },
  );
  expect(rows.map((row) => row.cell('a'))).toEqual(['3']);
  expect(broken.map(({ line, problem }) => [line, problem.code])).toEqual([
    [2, 'row.tooLarge'],
    [3, 'row.damaged'],
    [5, 'row.tooLarge'],
  ]);
});

test('nulls: exactly these texts are null', async () => {
  const content = workbook({
    sheets: {
      A: [
        ['a', 'b'],
        ['NULL', 'null'],
      ],
    },
  });
  expect((await reading(content, { nulls: ['NULL'] })).rows[0]?.entries()).toEqual([
    ['a', null],
    ['b', 'null'],
  ]);
});

test('duplicateHeaders: two columns of one name are refused, or numbered', async () => {
  const content = workbook({
    sheets: {
      A: [
        ['a', 'a'],
        ['1', '2'],
      ],
    },
  });
  expect((await refusal(reading(content))).message).toContain('"a" (columns 1, 2)');
  expect((await reading(content, { duplicateHeaders: 'number' })).facts.columns).toEqual(['a', 'a.2']);
});

test('headerRow: what stands above it is no row, and an empty one is refused with the right number', async () => {
  const content = workbook({ sheets: { A: [undefined, ['Our contacts'], ['a', 'b'], ['1', '2']] } });
  const error = await refusal(reading(content, { headerRow: 1 }));
  expect(error.message).toContain('has nothing in row 1 of the sheet "A"');
  expect(error.next).toContain('headerRow: 2');
  const found = await reading(content, { headerRow: 3 });
  expect(found.facts.columns).toEqual(['a', 'b']);
  expect(found.rows.map(({ line }) => line)).toEqual([4]);
});

test('sheet: the first visible one, one by name or number, and a list where there is no such one', async () => {
  const sheets = { Secret: [['s'], ['0']], 'Q&A': [['q'], ['1']], Third: [['t'], ['2']] };
  const content = workbook({ sheets, hidden: ['Secret'] });
  const columns = async (options: object) => (await reading(content, options)).facts;
  const usual = await columns({});
  expect(usual.columns).toEqual(['q']);
  expect(usual.notes[0]).toContain('"Secret" (hidden), "Q&A", "Third". "Q&A" is read');
  expect((await columns({ sheet: 'Secret' })).columns).toEqual(['s']);
  expect((await columns({ sheet: 'third' })).columns).toEqual(['t']);
  expect((await columns({ sheet: 3 })).notes).toEqual([]);
  expect((await columns({ sheet: 3 })).columns).toEqual(['t']);
  for (const [sheet, words] of [
    [4, 'no sheet 4'],
    ['Fourth', 'no sheet named "Fourth"'],
  ]) {
    const error = await refusal(reading(content, { sheet }));
    expect(error.message).toContain(words);
    expect(error.next).toContain('"Secret" (hidden), "Q&A", "Third"');
  }
});

const people = [
  ['Nr', 'Name', 'E-Mail'],
  ['K-1', 'Ada', 'ada@example.com'],
  ['K-2', 'Bob', 'bob@example.com'],
];

test('headerRow left out: the row that names the columns, below titles and groups, which is said', async () => {
  const above = [['Kundenliste'], undefined, ['Kunde', null, 'Kontakt']];
  const found = await reading(workbook({ sheets: { A: [...above, ...people] } }));
  expect(found.facts.columns).toEqual(['Nr', 'Name', 'E-Mail']);
  expect(found.rows.map(({ line }) => line)).toEqual([5, 6]);
  expect(found.facts.notes.join()).toContain('header is in row 4');
  expect(found.facts.detected).toEqual({ headerRow: 4 });
});

test('headerRow false, or left out where the first row is a person: columns by number, and no row is lost', async () => {
  const content = workbook({ sheets: { A: people.slice(1) } });
  for (const options of [{}, { headerRow: false }]) {
    const found = await reading(content, options);
    expect(found.facts.columns).toEqual(['Column 1', 'Column 2', 'Column 3']);
    expect(found.cells).toEqual(people.slice(1));
    expect(found.facts.detected).toEqual({ headerRow: false });
  }
  expect((await reading(content)).facts.notes.join()).toContain('no header');
});

test('a header further down than the rows that are looked at at once, and rows after them', async () => {
  const rows = Array.from({ length: 250 }, (_, at) => [`K-${at}`, 'Ada', `ada${at}@example.com`]);
  const found = await reading(workbook({ sheets: { A: [['Liste'], ['Nr', 'Name', 'E-Mail'], ...rows] } }));
  expect(found.cells).toEqual(rows);
});

test('sheet left out: the first visible one with a table, not a title page, which is said', async () => {
  const title = [['Bericht'], ['Erstellt am', '01.02.2024'], ['Von', 'Abteilung 7'], ['Version', 3]];
  const sheets = { Deckblatt: title, Geheim: people, Leer: [], Kunden: people, Alt: people };
  const found = await reading(workbook({ sheets, hidden: ['Geheim'] }));
  expect(found.rows).toHaveLength(2);
  expect(found.facts.detected).toEqual({ sheet: 'Kunden', headerRow: 1 });
  expect(found.facts.notes.join()).toContain('"Kunden" is read');
  const two = await reading(workbook({ sheets: { Kunden: people, Alt: people } }));
  expect(two.facts.detected).toMatchObject({ sheet: 'Kunden' });
});

test('sheets: their rows one after the other, each with its sheet, its row there and its own order of columns', async () => {
  const south = [
    ['South'],
    ['E-Mail', 'Nr', 'Name', 'City'],
    ['cleo@example.com', 'K-1', 'Cleo', 'Oslo'],
    ['dan@example.com', 'K-2', 'Dan', 'Rome', 'too much'],
  ];
  const content = workbook({ sheets: { Cover: [['Customers']], North: people, South: south } });
  const { facts, rows, broken } = await reading(content, { sheets: ['North', 'south'] });
  expect(
    rows.map((row) => [row.sheet, row.line, row.cell('Nr'), row.cell('Name'), row.cell('City')]),
  ).toEqual([
    ['North', 2, 'K-1', 'Ada', undefined],
    ['North', 3, 'K-2', 'Bob', undefined],
    ['South', 3, 'K-1', 'Cleo', 'Oslo'],
  ]);
  expect(broken.map(({ sheet, line, problem }) => [sheet, line, problem.code, problem.reason])).toEqual([
    ['South', 4, 'row.ragged', expect.stringMatching(/^Sheet "South": The row has a cell in E4/)],
  ]);
  expect(facts).toMatchObject({
    items: 4,
    columns: ['Nr', 'Name', 'E-Mail', 'City'],
    sheets: ['Cover', 'North', 'South'],
    detected: {},
  });
  expect(facts.notes.join()).toContain('Sheet "South": The header is in row 2');
});

test('sheets: one is read as "sheet" reads it; an unknown one, and "sheet" beside it, are refused', async () => {
  const content = workbook({ sheets: { North: people, South: people } });
  const one = await reading(content, { sheets: ['South'] });
  expect(one.rows.map(({ sheet }) => sheet)).toEqual([undefined, undefined]);
  expect((await refusal(reading(content, { sheets: ['North', 'East'] }))).message).toContain(
    'no sheet named "East"',
  );
  expect((await refusal(reading(content, { sheet: 'North', sheets: ['South'] }))).message).toContain(
    'both "sheet"',
  );
});
