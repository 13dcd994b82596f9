import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { extractNamePart } from '../../../src/datatypes/index.ts';
import { compileDraftWithProblems } from '../../../src/mapping/compile/index.ts';
import { createLazyRow } from '../../../src/sources/rows.ts';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** A draft of a CSV, its mapping, and what its rows become. */
async function draftOfRows(head: string, ...lines: readonly string[]) {
  const made = await drafted(`${[head, ...lines].join('\n')}\n`);
  const { pipeline, wrong } = await checked(made);
  const compiled = compileDraftWithProblems(pipeline.import.mapping);
  const rowOf = (cells: Readonly<Record<string, string>>) =>
    compiled(createLazyRow(2, () => new Map(Object.entries(cells))));
  return { made, wrong, mapping: parse(made.draft.mapping.text), rowOf };
}

describe('phones', () => {
  it('of several countries with their code and no plus get a plus, and no country is asked', async () => {
    const { mapping, made, wrong } = await draftOfRows(
      'ID,Name,Email,Phone',
      '1,Ann Alt,a@example.com,14155552671',
      '2,Bob Neu,b@example.com,491712345678',
      '3,Cyd Ost,c@example.com,60123456789',
    );
    expect(mapping.contact.phone).toEqual({
      from: 'Phone',
      replace: { pattern: '^([1-9][0-9]{10,14})$', with: '+$1' },
      onInvalid: 'drop',
    });
    expect(made.draft.todos).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Chinese mobiles', ['13812345678', '13912345678', '18612345678']],
    ['numbers of ten digits', ['4155552671', '4155552672', '2125552673']],
  ])('of one country get no plus: %s', async (_, numbers) => {
    const { mapping } = await draftOfRows(
      'ID,Name,Email,Phone',
      ...numbers.map((number, n) => `${n},Ann Alt,a${n}@example.com,${number}`),
    );
    expect(mapping.contact.phone).not.toHaveProperty('replace');
  });

  it('that a spreadsheet has rounded are named, left out, and not taken for those of a country', async () => {
    const { mapping, made, wrong, rowOf } = await draftOfRows(
      'ID,Name,Email,Phone',
      '1,Ann Alt,a@example.com,491710000000',
      '2,Bob Neu,b@example.com,491710000000',
      '3,Cyd Ost,c@example.com,4.91711E+11',
      '4,Dan Old,d@example.com,01712345678',
    );
    expect(mapping.contact.phone).toEqual({
      from: 'Phone',
      country: expect.stringContaining('DE (right for 100 %)'),
      onInvalid: 'drop',
    });
    expect(made.draft.mapping.text).toContain('; 3 rounded by a spreadsheet: export the column as text');
    expect(wrong).toEqual([]);
    expect(rowOf({ ID: '1', Name: 'Ann Alt', Email: 'a@example.com', Phone: '491710000000' })).toMatchObject({
      draft: {
        values: { contact: { email: 'a@example.com' } },
        dropped: [{ code: 'phone.invalid', reason: expect.stringContaining('ends in zeros') }],
      },
    });
  });

  it('that are rounded get no plus beside others that do', async () => {
    const { rowOf, wrong } = await draftOfRows(
      'ID,Name,Email,Phone',
      '1,Ann Alt,a@example.com,14155552671',
      '2,Bob Neu,b@example.com,491712345678',
      '3,Cyd Ost,c@example.com,60123456789',
      '4,Dan Old,d@example.com,491711000000',
    );
    const phoneOf = (Phone: string) => rowOf({ ID: '1', Name: 'Ann Alt', Email: 'a@example.com', Phone });
    expect(wrong).toEqual([]);
    expect(phoneOf('60123456789')).toMatchObject({
      draft: { values: { contact: { phone: '+60123456789' } } },
    });
    expect(phoneOf('491711000000')).toMatchObject({ draft: { dropped: [{ code: 'phone.invalid' }] } });
  });

  it('of a list of leads of Facebook are read behind their p:', async () => {
    const { rowOf, mapping } = await draftOfRows(
      'id,full_name,email,phone_number',
      'l:1,Ann Alt,a@example.com,p:+4915123456701',
      'l:2,Bob Neu,b@example.com,p:+4915123456702',
    );
    expect(mapping.contact.phone).toMatchObject({ from: 'phone_number' });
    expect(rowOf({ id: 'l:1', full_name: 'A', email: '', phone_number: 'p:+4915123456701' })).toMatchObject({
      draft: { values: { contact: { phone: '+4915123456701' } } },
    });
  });
});

describe('tags', () => {
  it.each([
    ['PostgreSQL', '{vip,"new customer"}'],
    ['Python', "['vip', 'new customer']"],
  ])('in the notation of %s are parted without its brackets and quotes', async (_, cell) => {
    const quoted = `"${cell.replaceAll('"', '""')}"`;
    const { mapping, rowOf, wrong } = await draftOfRows(
      'ID,Name,Email,Tags',
      `1,Ann Alt,a@example.com,${quoted}`,
      '2,Bob Neu,b@example.com,{}',
      `3,Cyd Ost,c@example.com,${quoted}`,
    );
    expect(mapping.tags).toMatchObject({ from: 'Tags', split: ',' });
    const row = rowOf({ ID: '1', Name: 'Ann Alt', Email: 'a@example.com', Tags: cell });
    expect(JSON.stringify(row)).toContain('["vip","new customer"]');
    expect(wrong).toEqual([]);
  });

  it('of the row are a field where a table of tags is joined, and do not vanish', async () => {
    const made = await drafted(
      {
        'd/contacts.csv': 'id,name,email,tags\n1,Ann Alt,a@example.com,old\n2,Bob Neu,b@example.com,vip\n',
        'd/tags.csv': 'id,name\n1,press\n2,vip\n',
        'd/taggings.csv': 'id,tag_id,contact_id\n1,1,1\n2,2,2\n',
      },
      'd',
    );
    const { tags, customFields } = parse(made.draft.mapping.text);
    expect(tags.from).toBe('tags.name');
    expect(customFields.tags).toMatchObject({ from: 'tags' });
  });
});

describe('columns of a system that names records by their ids', () => {
  it('are kept where they have names, and left out where they have ids', async () => {
    const { mapping, made } = await draftOfRows(
      'id,name,email,is_company,parent_id,country_id,category_id,region_id',
      '1,Ann Alt,a@example.com,False,Azur SARL,Germany,VIP,17',
      '2,Azur SARL,b@example.com,True,,France,Vendor,18',
      '3,Cyd Ost,c@example.com,False,Azur SARL,Germany,VIP,17',
    );
    expect(mapping.contact.countryCode).toMatchObject({ from: 'country_id' });
    expect(mapping.customFields).toMatchObject({
      is_company: { type: 'checkbox' },
      parent_id: { from: 'parent_id' },
      category_id: { from: 'category_id' },
    });
    expect(mapping.customFields).not.toHaveProperty('Company');
    expect(made.draft.leftOut).toContainEqual({ column: 'region_id', why: 'ids of other records' });
  });
});

describe('rows that are no longer in use', () => {
  it.each([
    ['active', 'true', 'false', '"active" is "false"'],
    ['Is Active', 'Yes', 'No', '"Is Active" is "No"'],
    ['Status', 'Active', 'Inactive', '"Status" is "Inactive"'],
    ['Aktiv', 'ja', 'nein', '"Aktiv" is "nein"'],
  ])('are named by %s', async (column, yes, no, words) => {
    const { made } = await draftOfRows(
      `ID,Name,Email,${column}`,
      `1,Ann Alt,a@example.com,${yes}`,
      `2,Bob Neu,b@example.com,${no}`,
      `3,Cyd Ost,c@example.com,${yes}`,
    );
    expect(made.draft.notes.join()).toContain(
      `1 of 3 rows may be deleted, archived, merged or inactive, and is imported: ${words}.`,
    );
  });
});

describe('rows that repeat the header', () => {
  it('are left out and said, and its columns keep the type of the others', async () => {
    const { made, mapping, wrong } = await draftOfRows(
      'ID,Name,Email,Birthday',
      '1,Ann Alt,a@example.com,1980-03-04',
      'ID,Name,Email,Birthday',
      '2,Bob Neu,b@example.com,1981-04-05',
      'ID,Name,Email,Birthday',
      '3,Cyd Ost,c@example.com,',
    );
    expect(mapping.customFields.Birthday).toMatchObject({ type: 'date' });
    expect(parse(made.draft.pipeline.text).import.source.where).toEqual({ ID: { not: 'ID' } });
    expect(made.draft.notes).toContain(
      '2 rows, the first in line 3, repeat the header: left out by "where", and counted as filtered.',
    );
    expect(made.draft.rows).toBe(3);
    expect(wrong).toEqual([]);
  });

  it('are no row of somebody called like a column', async () => {
    const { made } = await draftOfRows('ID,Name,Email', '1,Name,a@example.com', '2,Bob Neu,b@example.com');
    expect(made.draft.rows).toBe(2);
  });
});

it('lists of a JSON document that are not read are named', async () => {
  const document = {
    contacts: {
      list: [{ id: 1, first_name: 'Ann', phone_number: '+4915123456701', notes: [{ text: 'x' }] }],
    },
    companies: { c1: { name: 'Nord' }, c2: { name: 'Ost' } },
    chats: { list: [{ id: 1 }] },
  };
  const made = await drafted(JSON.stringify(document), 'result.json');
  expect(made.draft.notes).toEqual([
    'The rows are the records in "contacts.list". Not read: "chats.list", "companies.*".',
  ]);
});

it('the number in a messenger comes after the phone', async () => {
  const { mapping } = await draftOfRows(
    'ID,Name,WhatsApp Phone,Phone',
    '1,Ann Alt,+4915123456702,+4915123456701',
    '2,Bob Neu,+4915123456703,',
  );
  expect(mapping.contact.phone.from).toEqual(['Phone', 'WhatsApp Phone']);
});

it('no elements and no properties are nothing', async () => {
  const { mapping, wrong } = await draftOfRows(
    'ID,Name,Email,attributes',
    '1,Ann Alt,a@example.com,{}',
    '2,Bob Neu,b@example.com,[]',
    '3,Cyd Ost,c@example.com,gold',
  );
  expect(mapping.empty.toSorted()).toEqual(['[]', '{}']);
  expect(wrong).toEqual([]);
});

it('the comment of a key says how many rows have it: an export may write further tags in rows of their own', async () => {
  const { made } = await draftOfRows(
    'ID,Name,Email,Tags/Name',
    '1,Ann Alt,a@example.com,VIP',
    ',,,Press',
    '3,Cyd Ost,c@example.com,',
    '4,Dora Ahn,d@example.com,',
  );
  expect(made.draft.mapping.text).toContain('key: ID # 75 % filled, and different in every row checked');
});

it.each([
  ['Acme, Inc.', 'Acme', 'Inc.'],
  ['Harbour Foods, Ltd.', 'Harbour', 'Foods, Ltd.'],
  ['Stone, Emma', 'Emma', 'Stone'],
  ['Madonna, Jr.', 'Madonna', 'Jr.'],
])('a company is no person with the last name first: %s', (name, given, family) => {
  expect([extractNamePart(name, 'given'), extractNamePart(name, 'family')]).toEqual([given, family]);
});

it('e-mails and phones in a list are read from its elements alone, and marks beside them are no question', async () => {
  const people = [1, 2, 3].map((n) => ({
    id: n,
    name: { first: 'Ann', last: `Alt${'abc'[n]}` },
    emails: [{ address: `a${n}@example.com`, primary: true }],
    phones: [`+4915123456${700 + n}`],
  }));
  const made = await drafted(JSON.stringify(people), 'people.json');
  expect(parse(made.draft.mapping.text).contact.phone).toMatchObject({ from: 'phones[0]' });
  expect(made.draft.leftOut).toContainEqual({
    column: 'phones',
    why: 'a list, of which the elements are read',
  });
  expect(made.draft.todos).toEqual([]);
});

it('a table of notes in German is joined by its own key', async () => {
  const made = await drafted(
    {
      'd/Kunden.csv': 'KundenID,Vorname,Nachname,EMail\n1,Ute,Weg,u@example.com\n2,Jan,Alt,j@example.com\n',
      'd/Notizen.csv': 'NotizID,KundenID,Text,Datum\n1,1,Rief an,2024-03-04\n2,2,Schrieb,2024-03-05\n',
    },
    'd',
  );
  expect(parse(made.draft.mapping.text).comments).toMatchObject([
    { key: 'NotizID', text: '{Datum}: {Text}' },
  ]);
});

it.each(['json', 'ndjson'])('a list of notes in each record is comments: %s', async (format) => {
  const records = [
    {
      id: 1,
      name: 'Ann Alt',
      email: 'a@example.com',
      notes: [{ id: 'n1', text: 'Called', at: '2024-03-04T10:15:00Z' }],
    },
    {
      id: 2,
      name: 'Bob Neu',
      email: 'b@example.com',
      notes: [
        { id: 'n2', text: 'Wrote', at: '2024-03-05T10:15:00Z' },
        { id: 'n3', text: '', at: '2024-03-06T10:15:00Z' },
      ],
    },
    { id: 3, name: 'Cyd Ost', email: 'c@example.com', orders: [{ id: 9, total: 12 }] },
  ];
  const text =
    format === 'json' ? JSON.stringify(records) : records.map((each) => JSON.stringify(each)).join('\n');
  const made = await drafted(text, `people.${format}`);
  expect(parse(made.draft.mapping.text).comments).toEqual([
    { each: 'notes', key: 'id', text: '{at}: {text}', needs: 'text', order: 'at' },
  ]);
  expect(made.draft.columns.find(({ name }) => name === 'notes')).toMatchObject({ field: 'comments' });
  expect(made.draft.leftOut).toContainEqual({ column: 'orders', why: 'a list of records' });
  const { pipeline, wrong } = await checked(made);
  const compiled = compileDraftWithProblems(pipeline.import.mapping);
  const cells = new Map([
    ['id', '2'],
    ['email', 'b@example.com'],
    ['notes', JSON.stringify(records[1]?.notes)],
  ]);
  expect(compiled(createLazyRow(2, () => cells)).draft.comments).toMatchObject([
    { text: '2024-03-05T10:15:00Z: Wrote' },
  ]);
  expect(wrong).toEqual([]);
});

it('a cell with several e-mails or phones is kept whole in a field, and none of them is left out', async () => {
  const { mapping, rowOf, wrong } = await draftOfRows(
    'ID,Name,Email,Phone',
    '1,Ann Alt,a@example.com; ann@example.org,+4915123456701 / +49301234567',
    '2,Bob Neu,b@example.com,+4915123456702',
  );
  expect(mapping.customFields).toEqual({
    Email: { from: 'Email', type: 'text', create: true, slug: 'email' },
    Phone: { from: 'Phone', type: 'text', create: true, slug: 'phone' },
  });
  const row = {
    Name: 'Ann Alt',
    Email: 'a@example.com; ann@example.org',
    Phone: '+4915123456701 / +49301234567',
  };
  expect(rowOf({ ID: '1', ...row }).draft).toMatchObject({
    values: {
      contact: { email: 'a@example.com', phone: '+4915123456701' },
      customFields: { Email: row.Email, Phone: row.Phone },
    },
    dropped: [],
  });
  expect(wrong).toEqual([]);
});

describe('a date of birth', () => {
  const head = 'Nr;Vorname;E-Mail;Geburtsdatum;Geburtsdatum Kind';
  const rows = ['K1;Karl;karl@x.test;03.02.1960;01.02.1999', 'K2;Eva;eva@x.test;19.12.1971;25.06.2001'];

  it('is marked, and that of a child is not', async () => {
    const { mapping } = await draftOfRows(head, ...rows);
    expect(mapping.customFields).toMatchObject({
      Geburtsdatum: { type: 'date', birthDate: true },
      'Geburtsdatum Kind': { type: 'date' },
    });
    expect(mapping.customFields['Geburtsdatum Kind']).not.toHaveProperty('birthDate');
  });
});
