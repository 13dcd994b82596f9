import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TableUse, TableUseSummary, UnjoinedRow } from '../../../src/model/table-use.ts';
import { file, readingOf } from '../reading.ts';
import { openDump } from './folders.ts';

interface Account extends TableUseSummary {
  readonly listed: readonly UnjoinedRow[];
  readonly rows: Awaited<ReturnType<typeof readingOf>>['rows'];
}

/** Reads a dump to its end, and what became of the rows of its tables. */
async function account(
  dump: string | Readonly<Record<string, string>>,
  join: object,
  options: object = {},
): Promise<Account> {
  const source = openDump(dump, { table: 'contacts', join, ...options });
  const { rows } = await readingOf(source);
  const pages = source.tables?.();
  if (pages === undefined) throw new Error('a dump says what became of its tables');
  const listed: UnjoinedRow[] = [];
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return { ...page.value, listed, rows };
    listed.push(...page.value);
  }
}

function useOf({ named }: Account, table: string): TableUse & Readonly<Record<string, unknown>> {
  const found = named.find((each) => each.table === table);
  if (found === undefined) throw new Error(`${table} is not named`);
  return { ...found };
}

/** Why rows of a table belong to nothing: how many, by reason. */
const reasons = (all: Account, table: string) =>
  Object.fromEntries(useOf(all, table).unjoined.map(({ reason, rows }) => [reason, rows]));

const lines = ({ listed }: Account, table: string) =>
  listed.flatMap((row) => (row.table === table ? [[row.line, row.parent, row.reason]] : []));

const contacts = 'id,name,account,deleted\n1,Ada,a1,0\n2,Bob,,0\n3,Cleo,a1,1\n';
const notes = { table: 'notes', on: { id: 'parent_id' }, many: true };
const email = {
  table: 'emails',
  via: { table: 'rel', on: { id: 'bean_id' }, to: { email_id: 'id' } },
};

describe('every row of a joined table has an outcome', () => {
  test.each([
    ['id', 'parent_id,body,ID', 'c-99,x,n1'],
    ['<table>_id', 'parent_id,note_id', 'c-99,n1'],
    ['Record ID', 'parent_id,Record ID', 'c-99,n1'],
    ['the first column where none has such a name', 'number,parent_id', 'n1,c-99'],
  ])('is listed by its own id, of the column %s, and by what it is joined by', async (_, header, cells) => {
    const all = await account({ 'contacts.csv': contacts, 'notes.csv': `${header}\n${cells}\n` }, { notes });
    const row = { table: 'notes', line: 2, id: 'n1', parent: 'c-99', reason: 'unknownId' };
    expect(all.listed).toEqual([row]);
  });

  test('also where it is not joined at all, because its id is empty', async () => {
    const all = await account({ 'contacts.csv': contacts, 'notes.csv': 'parent_id,id\n,n1\n' }, { notes });
    expect(all.listed).toEqual([{ table: 'notes', line: 2, id: 'n1', parent: null, reason: 'emptyId' }]);
  });

  test('notes of organizations only are of another kind of parent', async () => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'notes.csv':
          'id,parent_type,parent_id,deleted\nn1,Contacts,1,0\nn2,Accounts,1,0\nn3,Accounts,,0\nn4,Accounts,1,1\n',
      },
      { notes: { ...notes, where: { parent_type: 'Contacts', deleted: '0' } } },
    );
    expect(useOf(all, 'notes')).toMatchObject({ rows: 4, used: 1, people: 1, filtered: 1 });
    expect(lines(all, 'notes')).toEqual([
      [3, '1', 'otherKind'],
      [4, null, 'otherKind'],
    ]);
    expect(useOf(all, 'notes').unjoined).toEqual([
      {
        reason: 'otherKind',
        rows: 2,
        examples: [
          { line: 3, id: '1' },
          { line: 4, id: null },
        ],
      },
    ]);
  });

  test.each([
    ['parent_type', 'parent_id', true],
    ['ParentType', 'ParentId', true],
    ['entity_type', 'entity_id', true],
    ['bean_module', 'bean_id', true],
    ['Commentable Type', 'Commentable Id', true],
    ['parent_type', 'contact', true],
    ['activity_type', 'contact_id', false],
    ['type', 'contact_id', false],
    ['status', 'status_id', false],
  ])('where { %s } beside %s tells the kind of its parent: %s', async (column, id, isKind) => {
    const all = await account(
      { 'contacts.csv': contacts, 'notes.csv': `${column},${id}\nContacts,1\nAccounts,1\n` },
      { notes: { ...notes, on: { id }, where: { [column]: 'Contacts' } } },
    );
    expect(useOf(all, 'notes').filtered).toBe(isKind ? 0 : 1);
    expect(reasons(all, 'notes')).toEqual(isKind ? { otherKind: 1 } : {});
  });

  test('notes of an unknown person, and with an empty id', async () => {
    const all = await account(
      { 'contacts.csv': contacts, 'notes.csv': 'id,parent_id\nn1,1\nn2,1\nn3,2\nn4,99\nn5,\nn6,98\n' },
      { notes },
    );
    expect(useOf(all, 'notes')).toMatchObject({ rows: 6, used: 3, people: 2, filtered: 0 });
    expect(lines(all, 'notes')).toEqual([
      [5, '99', 'unknownId'],
      [6, null, 'emptyId'],
      [7, '98', 'unknownId'],
    ]);
  });

  test('notes of a person whom where leaves out, and a company that only such a person has', async () => {
    const all = await account(
      {
        'contacts.csv': contacts.replace('3,Cleo,a1', '3,Cleo,a2'),
        'notes.csv': 'id,parent_id\nn1,3\nn2,1\n',
        'accounts.csv': 'id,name\na1,Engines\na2,Looms\na3,Unused\n',
      },
      { notes, company: { table: 'accounts', on: { account: 'id' } } },
      { where: { deleted: '0' } },
    );
    expect(useOf(all, 'contacts')).toMatchObject({ role: 'main', rows: 3, used: 2, filtered: 1 });
    expect(lines(all, 'notes')).toEqual([[2, '3', 'parentLeftOut']]);
    expect(lines(all, 'accounts')).toEqual([
      [3, 'a2', 'parentLeftOut'],
      [4, 'a3', 'unknownId'],
    ]);
  });

  test('notes of a person with too many of them', async () => {
    const many = Array.from({ length: 10_001 }, (_, n) => `n${n},1`).join('\n');
    const all = await account(
      {
        'contacts.csv': contacts,
        'notes.csv': `id,parent_id\n${many}\nx,2\n`,
        'calls.csv': 'id,parent_id\nc1,1\nc2,1\n',
      },
      { notes, calls: { ...notes, table: 'calls' } },
    );
    expect(reasons(all, 'notes')).toEqual({ parentLeftOut: 10_001 });
    expect(reasons(all, 'calls')).toEqual({ parentLeftOut: 2 });
    expect(useOf(all, 'contacts')).toMatchObject({ rows: 3, used: 2 });
    expect(reasons(all, 'contacts')).toEqual({ broken: 1 });
  });

  test('e-mail addresses of which another one was picked, with their rows of the link table', async () => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'emails.csv': 'id,address\ne1,old@example.com\ne2,new@example.com\ne3,bob@example.com\n',
        'rel.csv': 'bean_id,email_id,main\n1,e1,0\n1,e2,1\n2,e3,0\n',
      },
      { email: { ...email, pick: { main: '1' } } },
    );
    expect(useOf(all, 'emails')).toMatchObject({ rows: 3, used: 2, people: 2 });
    expect(lines(all, 'emails')).toEqual([[2, 'e1', 'notPicked']]);
    expect(lines(all, 'rel')).toEqual([[2, '1', 'notPicked']]);
  });

  test.each([
    ['without pick', {}],
    ['with pick', { pick: { main: '1' } }],
  ])('rows that a join to one passes over, %s', async (_, pick) => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'phones.csv':
          'contact,number,main\n1,+491,1\n1,+492,0\n1,+493,0\n2,+494,0\n9,+495,0\n9,+496,0\n3,+497,1\n3,+498,1\n',
      },
      { phone: { table: 'phones', on: { id: 'contact' }, ...pick } },
      { where: { deleted: '0' } },
    );
    expect(lines(all, 'phones')).toEqual([
      [3, '1', 'notPicked'],
      [4, '1', 'notPicked'],
      [6, '9', 'unknownId'],
      [7, '9', 'unknownId'],
      [8, '3', 'parentLeftOut'],
      [9, '3', 'parentLeftOut'],
    ]);
  });

  test('link rows to nothing, to a row that is left out, and with an empty end', async () => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'emails.csv': 'id,address,deleted\ne1,ada@example.com,0\ne2,old@example.com,1\n',
        'rel.csv': 'bean_id,email_id,deleted\n1,e1,0\n1,e9,0\n1,e2,0\n1,,0\n,e1,0\n9,e1,0\n2,e1,1\n',
      },
      {
        email: {
          ...email,
          many: true,
          where: { deleted: '0' },
          via: { ...email.via, where: { deleted: '0' } },
        },
      },
    );
    expect(useOf(all, 'rel')).toMatchObject({ rows: 7, used: 1, people: 1, filtered: 1 });
    expect(lines(all, 'rel')).toEqual([
      [3, '1', 'linksToNothing'],
      [4, '1', 'linksToNothing'],
      [5, '1', 'emptyId'],
      [6, null, 'emptyId'],
      [7, '9', 'unknownId'],
    ]);
    expect(useOf(all, 'emails')).toMatchObject({ rows: 2, used: 1, filtered: 1, unjoined: [] });
  });

  test('authors of joined notes, of notes of unknown people, and of none', async () => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'notes.csv': 'id,parent_id,author\nn1,1,u1\nn2,2,u1\nn3,99,u2\n',
        'users.csv': 'id,name\nu1,Una\nu2,Udo\nu3,Uwe\n',
      },
      { notes: { ...notes, join: { author: { table: 'users', on: { author: 'id' } } } } },
    );
    expect(useOf(all, 'users')).toMatchObject({ rows: 3, used: 1, people: 2 });
    expect(lines(all, 'users')).toEqual([
      [3, 'u2', 'unknownId'],
      [4, 'u3', 'unknownId'],
    ]);
  });

  test('a row that one join filters and another one uses is used', async () => {
    const all = await account(
      {
        'contacts.csv': contacts,
        'mails.csv': 'contact,address,main\n1,a@example.com,1\n1,b@example.com,0\n9,c@example.com,0\n',
      },
      {
        first: { table: 'mails', on: { id: 'contact' }, where: { main: '1' } },
        others: { table: 'mails', on: { id: 'contact' }, where: { main: '0' }, many: true },
      },
    );
    expect(useOf(all, 'mails')).toMatchObject({ rows: 3, used: 2, people: 1, filtered: 0 });
    expect(reasons(all, 'mails')).toEqual({ unknownId: 1 });
  });

  test('rows that cannot be read', async () => {
    const all = await account(
      { 'contacts.csv': `${contacts}4\n`, 'notes.csv': 'id,parent_id\nn1,1\nn2\n' },
      { notes },
    );
    expect(lines(all, 'notes')).toEqual([[3, null, 'broken']]);
    expect(useOf(all, 'contacts')).toMatchObject({ rows: 4, used: 3 });
  });

  test('the rows of a main table that is joined to itself are all imported, and not listed', async () => {
    const all = await account(
      { 'contacts.csv': 'id,boss\n1,\n2,1\n3,9\n' },
      { boss: { table: 'contacts', on: { boss: 'id' } } },
    );
    expect(all.named).toHaveLength(1);
    expect(all.listed).toEqual([]);
  });

  test('rows beneath several keys of a list', async () => {
    const all = await account(
      {
        'contacts.ndjson': '{"id":1,"tags":["a","b"]}\n{"id":2,"tags":["b"]}\n',
        'tags.csv': 'id,name\na,A\nb,B\nb,B2\nc,C\n',
      },
      { tag: { table: 'tags', on: { 'tags[]': 'id' } } },
    );
    expect(useOf(all, 'tags')).toMatchObject({ rows: 4, used: 2, people: 2 });
    expect(lines(all, 'tags')).toEqual([
      [4, 'b', 'notPicked'],
      [5, 'c', 'unknownId'],
    ]);
  });
});

describe('rows of cells with several ids', () => {
  const crm = {
    'contacts.csv': 'id,companies\n1,c1;c2\n2,c9;c1\n',
    'companies.csv': 'id,name\nc1,Engines\nc2,Looms\nc3,Quay\n',
    'notes.csv': 'id,people\nn1,1;2\nn2,9;2\nn3,8;9\nn4,;\n',
  };
  const company = { table: 'companies', on: { companies: 'id' }, split: ';' };

  test('are used where one of the ids is there, and listed by all their ids where none is', async () => {
    const all = await account(crm, { notes: { ...notes, on: { id: 'people' }, split: ';' } });
    expect(useOf(all, 'notes')).toMatchObject({ rows: 4, used: 2, people: 2 });
    expect(lines(all, 'notes')).toEqual([
      [4, '8;9', 'unknownId'],
      [5, ';', 'emptyId'],
    ]);
  });

  test('name a row that is not there by the first id only, and the rows of the others are not picked', async () => {
    const all = await account(crm, { company });
    expect(useOf(all, 'companies')).toMatchObject({
      ...{ rows: 3, used: 1, people: 1 },
      unresolved: { rows: 1, examples: [{ line: 3, id: 'c9' }] },
    });
    expect(lines(all, 'companies')).toEqual([
      [3, 'c2', 'notPicked'],
      [4, 'c3', 'unknownId'],
    ]);
  });
});

describe('a table that is there, whose optional join lacks another table', () => {
  const crm = {
    'contacts.csv': contacts,
    'notes.csv': 'id,author,old\nn1,u1,0\nn2,u1,0\nn3,u1,1\n',
    'users.csv': 'id\nu1\n',
  };
  const via = { table: 'links', on: { id: 'contact' }, to: { note: 'id' } };
  const linked = { table: 'notes', via, where: { old: '0' }, many: true, optional: true };
  const author = { table: 'users', on: { author: 'id' } };

  test('has all its rows listed, and so have the tables that are joined to it', async () => {
    const all = await account(crm, { notes: { ...linked, join: { author } } });
    expect(useOf(all, 'notes')).toMatchObject({ role: 'joined', rows: 3, used: 0, people: 0, filtered: 1 });
    expect(all.listed).toEqual([
      { table: 'notes', line: 2, id: 'n1', parent: null, reason: 'missingTable' },
      { table: 'notes', line: 3, id: 'n2', parent: null, reason: 'missingTable' },
      { table: 'users', line: 2, id: 'u1', parent: null, reason: 'missingTable' },
    ]);
  });

  test('is named with the missing table', async () => {
    const { facts } = await readingOf(openDump(crm, { table: 'contacts', join: { notes: linked } }));
    expect(facts.notes).toContain(
      'The 3 rows of notes are not imported: the join "notes" reads them with the table links, which is missing.',
    );
  });

  test('is a link table without the table that it leads to', async () => {
    const { 'notes.csv': _, ...less } = crm;
    const all = await account({ ...less, 'links.csv': 'contact,note\n1,n1\n' }, { notes: linked });
    expect(all.listed.map(({ table, line, reason }) => [table, line, reason])).toEqual([
      ['links', 2, 'missingTable'],
    ]);
  });

  test('is not listed where another join reads it, and where it has no rows', async () => {
    const direct = { table: 'notes', on: { id: 'author' }, many: true };
    const all = await account(crm, { direct, notes: linked });
    expect(reasons(all, 'notes')).toEqual({ unknownId: 3 });
    const empty = await account({ ...crm, 'notes.csv': 'id,author,old\n' }, { notes: linked });
    expect([empty.listed, empty.named.map(({ table }) => table)]).toEqual([[], ['contacts']]);
  });
});

describe('tables that nothing names', () => {
  test('are given by their rows, those of a folder as long as they are small', async () => {
    const big = `id,text\n${`1,${'x'.repeat(1000)}\n`.repeat(1500)}`;
    const { others } = await account(
      { 'contacts.csv': contacts, 'tasks.csv': 'id\n1\n2\n', 'big.csv': big, 'bad.xlsx': 'no workbook' },
      {},
    );
    expect(others).toEqual([
      { table: 'bad', rows: null },
      { table: 'big', rows: null },
      { table: 'tasks', rows: 2 },
    ]);
  });

  test('are given by their rows out of a SQL dump, and the file of a stated table is none', async () => {
    const sql = `-- MySQL dump
CREATE TABLE contacts (id int);
INSERT INTO contacts VALUES (1),(2);
CREATE TABLE deals (id int);
INSERT INTO deals VALUES (1),(2),(3);
-- Dump completed
`;
    expect((await account(file(sql, 'dump.sql'), {})).others).toEqual([{ table: 'deals', rows: 3 }]);
    const stated = { tables: { contacts: { file: 'People 2024.csv' } } };
    expect((await account({ 'People 2024.csv': contacts }, {}, stated)).others).toEqual([]);
  });
});

const id = fc.constantFrom('1', '2', '3', '9', '');
/** A cell of one id, or of several. */
const ids = fc.oneof(
  id,
  fc.array(id, { maxLength: 3 }).map((some) => some.join(';')),
);
const flag = fc.constantFrom('0', '1');
const kind = fc.constantFrom('Contacts', 'Accounts');
const csv = (header: string, rows: readonly (readonly string[])[]) =>
  `${[header, ...rows.map((cells) => cells.join(','))].join('\n')}\n`;
const rowsOf = (...cells: fc.Arbitrary<string>[]) => fc.array(fc.tuple(...cells), { maxLength: 8 });

test('the sums add up for any dump, every row that is not used is listed, and what is used is what is joined', async () => {
  const dumps = fc.record({
    contacts: fc.uniqueArray(fc.tuple(fc.constantFrom('1', '2', '3'), ids, flag), {
      selector: ([key]) => key,
    }),
    notes: rowsOf(ids, kind, id, flag),
    rel: rowsOf(id, id, flag, flag),
    emails: rowsOf(id, flag),
    users: rowsOf(id, flag),
    many: fc.boolean(),
    pick: fc.boolean(),
    split: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(dumps, async ({ many, pick, split, ...tables }) => {
      const notesNumbered = tables.notes.map((cells, n) => [`n${n}`, ...cells]);
      const all = await account(
        {
          'contacts.csv': csv('id,owner,deleted', tables.contacts),
          'notes.csv': csv('no,parent_id,parent_type,author,deleted', notesNumbered),
          'rel.csv': csv('bean_id,email_id,main,deleted', tables.rel),
          'emails.csv': csv('id,deleted', tables.emails),
          'users.csv': csv('id,away', tables.users),
        },
        {
          owner: { table: 'users', on: { owner: 'id' }, ...(split && { split: ';' }) },
          email: {
            ...{ ...email, many, where: { deleted: '0' } },
            via: { ...email.via, where: { deleted: '0' } },
            ...(pick && !many && { pick: { main: '1' } }),
          },
          notes: {
            ...{ ...notes, ...(split && { split: ';' }) },
            where: { parent_type: 'Contacts', deleted: '0' },
            join: { author: { table: 'users', on: { author: 'id' } } },
          },
        },
        { where: { deleted: '0' } },
      );
      for (const { table, role, rows, used, filtered, unjoined } of all.named) {
        const left = unjoined.reduce((sum, each) => sum + each.rows, 0);
        expect(used + filtered + left, table).toBe(rows);
        expect(lines(all, table)).toHaveLength(role === 'main' ? 0 : left);
        expect(rows).toBe(tables[table as keyof typeof tables].length);
      }
      const taken = all.rows.filter((row) => row.cell('deleted') === '0');
      const joined = taken.flatMap((row) => row.list?.('notes')?.map((note) => note.cell('no')) ?? []);
      expect(useOf(all, 'notes').used).toBe(new Set(joined).size);
      const parents = new Set(
        taken.flatMap((row) => ((row.list?.('notes') ?? []).length > 0 ? row.line : [])),
      );
      expect(useOf(all, 'notes').people).toBe(parents.size);
      const listed = new Set(lines(all, 'notes').map(([line]) => line));
      for (const [n] of notesNumbered.entries())
        expect(joined.includes(`n${n}`) && listed.has(n + 2), `n${n}`).toBe(false);
    }),
    { numRuns: 60 },
  );
});

describe('a row that names a row of another table by its id', () => {
  const of = (accounts: string) => ({
    'contacts.csv': 'id,name,account\n1,Ada,a1\n2,Bob,a9\n3,Cleo,\n4,Dee,0\n5,Eve,a9\n',
    'accounts.csv': accounts,
  });
  const company = { company: { table: 'accounts', on: { account: 'id' } } };

  test('that is not there is counted, with the first of them; an empty id and 0 name none', async () => {
    const all = await account(of('id,name\na1,Harbour\n'), company);
    expect(useOf(all, 'accounts')).toMatchObject({
      ...{ rows: 1, used: 1, people: 1, unjoined: [] },
      unresolved: {
        rows: 2,
        examples: [
          { line: 3, id: 'a9' },
          { line: 6, id: 'a9' },
        ],
      },
    });
  });

  test('is not counted where the row itself is left out, and where every one is there', async () => {
    const where = { where: { name: ['Ada', 'Cleo', 'Dee'] } };
    const filtered = await account(of('id,name\na1,Harbour\n'), company, where);
    expect(useOf(filtered, 'accounts').unresolved).toBeUndefined();
    const all = await account(of('id,name\na1,Harbour\na9,Quay\n'), company);
    expect(useOf(all, 'accounts').unresolved).toBeUndefined();
  });

  test('a row that another table may have something about names none', async () => {
    const details = { details: { table: 'accounts', on: { id: 'contact' } } };
    const all = await account(of('id,contact\nx,1\n'), details);
    expect(useOf(all, 'accounts').unresolved).toBeUndefined();
  });

  test('is not counted where a condition leaves rows of that table out', async () => {
    const live = { company: { ...company.company, where: { deleted: '0' } } };
    const all = await account(of('id,deleted\na1,0\na9,1\n'), live);
    expect(useOf(all, 'accounts').unresolved).toBeUndefined();
  });
});
