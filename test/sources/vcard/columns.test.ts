import { expect, test } from 'vitest';
import type { Row } from '../../../src/model/row.ts';
import { reading } from '../reading.ts';

/** The columns of the only card with these properties. */
async function columns(
  version: string,
  ...lines: readonly (string | Buffer)[]
): Promise<Record<string, string | null>> {
  return Object.fromEntries((await card(version, ...lines)).entries());
}

/** The only card with these properties. */
async function card(version: string, ...lines: readonly (string | Buffer)[]): Promise<Row> {
  const end = Buffer.from('\r\n');
  const all = ['BEGIN:VCARD', `VERSION:${version}`, ...lines, 'END:VCARD'];
  const { rows, broken } = await reading(
    Buffer.concat(all.flatMap((line) => [Buffer.from(line), end])),
    {},
    'vcard',
  );
  expect(broken).toEqual([]);
  const [row, ...others] = rows;
  if (row === undefined || others.length > 0) throw new Error(`${rows.length} cards in place of one`);
  return row;
}

test('names and addresses have a column for each part', async () => {
  expect(
    await columns(
      '3.0',
      'N:Doe;Jane;Mary\\, Ann,Lou;Dr.;Jr.;too much',
      'ADR;TYPE=home:;Flat 2;1 High\\; Street;Town;;12345;UK',
    ),
  ).toEqual({
    'N.family': 'Doe',
    'N.given': 'Jane',
    'N.middle': 'Mary, Ann,Lou',
    'N.prefix': 'Dr.',
    'N.suffix': 'Jr.',
    'ADR.pobox': '',
    'ADR.extended': 'Flat 2',
    'ADR.street': '1 High; Street',
    'ADR.city': 'Town',
    'ADR.region': '',
    'ADR.code': '12345',
    'ADR.country': 'UK',
    'ADR.home.extended': 'Flat 2',
    'ADR.home.street': '1 High; Street',
    'ADR.home.city': 'Town',
    'ADR.home.code': '12345',
    'ADR.home.country': 'UK',
  });
});

test.each([
  ['2.1', ['TEL;HOME:1', 'TEL;CELL:2', 'TEL;PREF;WORK:3', 'TEL;CELL:4']],
  [
    '3.0',
    ['TEL;TYPE=HOME,VOICE:1', 'TEL;TYPE=cell;TYPE=voice:2', 'TEL;TYPE="pref,work":3', 'TEL;TYPE=CELL:4'],
  ],
  [
    '4.0',
    [
      'TEL;TYPE=home;PREF=50:1',
      'TEL;TYPE="cell,voice";VALUE=uri:tel:2',
      'TEL;PREF=1;TYPE=work:3',
      'TEL;TYPE=cell:4',
    ],
  ],
])('version %s: the preferred phone comes first, and each again by its type', async (version, lines) => {
  const found = await columns(version, ...lines);
  expect(found).toMatchObject({ TEL: '3', 'TEL.2': '1', 'TEL.3': '2', 'TEL.4': '4' });
  expect(found).toMatchObject({ 'TEL.home': '1', 'TEL.cell': '2', 'TEL.cell.2': '4', 'TEL.work': '3' });
});

test('a fax or a pager is no phone, wherever it stands', async () => {
  expect(await columns('3.0', 'TEL;TYPE=WORK,FAX,pref:1', 'TEL;TYPE=PAGER:2', 'TEL;TYPE=WORK:3')).toEqual({
    'TEL.fax': '1',
    'TEL.pager': '2',
    TEL: '3',
    'TEL.work': '3',
  });
});

test('groups and the labels that Apple gives them are types', async () => {
  expect(
    await columns(
      '3.0',
      'item1.TEL:1',
      'item1.X-ABLabel:_$!<Mobile>!$_',
      'item2.EMAIL;type=INTERNET:a@example.test',
      'ITEM2.X-ABLabel:Summer House',
      'item3.X-ABDATE:2001-02-03',
      'item3.X-ABLabel:_$!<Anniversary>!$_',
    ),
  ).toEqual({
    TEL: '1',
    'TEL.cell': '1',
    EMAIL: 'a@example.test',
    'EMAIL.summer house': 'a@example.test',
    'X-ABDATE': '2001-02-03',
    'X-ABDATE.anniversary': '2001-02-03',
  });
});

test('categories are a list, too, in which one may have a comma', async () => {
  const row = await card('3.0', 'CATEGORIES:Friends\\, old,VIP', 'CATEGORIES: VIP ,News');
  expect(row.list?.('CATEGORIES')?.map((each) => each.cell(''))).toEqual(['Friends, old', 'VIP', 'News']);
  expect((await card('3.0', 'NOTE:none')).list?.('CATEGORIES')).toBeUndefined();
  expect(row.list?.('NOTE')).toBeUndefined();
});

test('categories are one cell; organisations have their units apart', async () => {
  expect(
    await columns(
      '3.0',
      'CATEGORIES:Friends,VIP',
      'CATEGORIES: VIP , News',
      'ORG:Acme\\, Inc.;Sales;;East',
      'ORG:Other',
    ),
  ).toEqual({
    CATEGORIES: 'Friends,VIP,News',
    ORG: 'Acme, Inc.',
    'ORG.unit': 'Sales, East',
    'ORG.2': 'Other',
  });
});

test.each([
  ['BDAY:19960415', '1996-04-15'],
  ['BDAY;VALUE=date:1996-04-15', '1996-04-15'],
  ['BDAY:1996-04-15T00:00:00Z', '1996-04-15'],
  ['BDAY:--0415', '--0415'],
  ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-15', '--04-15'],
  ['BDAY;VALUE=text:circa 1800', 'circa 1800'],
])('%s is %s', async (line, day) => {
  expect(await columns('4.0', line)).toEqual({ BDAY: day });
});

test('everything else is a column of its name', async () => {
  expect(
    await columns(
      '4.0',
      'fn:Ada',
      'EMAIL:MAILTO:ada@example.test',
      'URL:https://example.test/a\\,b?c:d',
      'X-SKYPE;X-PARAM="a:b;c":ada.l',
      'X-SKYPE:ada.2',
      'REV:20240101T000000Z',
      'UID:urn:uuid:1',
      'NOTE:',
      'PHOTO;VALUE=uri:https://example.test/p.jpg',
    ),
  ).toEqual({
    FN: 'Ada',
    EMAIL: 'ada@example.test',
    URL: 'https://example.test/a,b?c:d',
    'X-SKYPE': 'ada.l',
    'X-SKYPE.2': 'ada.2',
    REV: '20240101T000000Z',
    UID: 'urn:uuid:1',
    NOTE: '',
    PHOTO: 'https://example.test/p.jpg',
  });
});

test('quoted-printable: a coded semicolon is text, one that is not parts', async () => {
  expect(await columns('2.1', 'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=91a=3B;b\\;c;;')).toMatchObject({
    'N.family': 'Ña;',
    'N.given': 'b;c',
  });
});

test('each property of version 2.1 may have an encoding of its own; without one it is UTF-8 or Western', async () => {
  expect(
    await columns(
      '2.1',
      Buffer.concat([Buffer.from('FN;CHARSET=SHIFT_JIS:'), Buffer.from('955c8e86', 'hex')]),
      Buffer.from('TITLE;CHARSET=ISO-8859-1:Café', 'latin1'),
      Buffer.from('ROLE:Zoë'),
      'X-A;QUOTED-PRINTABLE:Caf=E9',
      'X-B;QUOTED-PRINTABLE:Caf=C3=A9',
      'X-C;CHARSET=NOSUCH;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9',
      Buffer.concat([Buffer.from('X-D;CHARSET=ISO-2022-JP:'), Buffer.from('1b2442467c1b2842', 'hex')]),
    ),
  ).toEqual({
    FN: '表紙',
    TITLE: 'Café',
    ROLE: 'Zoë',
    'X-A': 'Café',
    'X-B': 'Café',
    'X-C': 'Café',
    'X-D': '日',
  });
});

test('version 2.1 folds where a blank was, later ones within words', async () => {
  expect(await columns('2.1', 'NOTE:one', ' two')).toEqual({ NOTE: 'one two' });
  expect(await columns('3.0', 'NOTE:on', ' e', '\ttwo')).toEqual({ NOTE: 'onetwo' });
  expect(await columns('4.0', 'NOTE;LANGUAGE=en', ' ;X-A=b', ' :one')).toEqual({ NOTE: 'one' });
});

test('text in base64 is read', async () => {
  const coded = Buffer.from('Zoë, hello; world').toString('base64');
  expect(await columns('3.0', `NOTE;ENCODING=b:${coded.slice(0, 8)}`, ` ${coded.slice(8)}`)).toEqual({
    NOTE: 'Zoë, hello; world',
  });
});
