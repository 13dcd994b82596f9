import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/model/row.ts';
import { never, open, readingOf, refusal } from '../reading.ts';
import { openDump } from './folders.ts';

const crm = {
  'contacts.csv': 'id,name,account_id\n1,Ada,a1\n2,Bob,\n3,Cleo,a9\n',
  'accounts.csv': 'id,name,owner_id\na1,Engines,u1\na2,Looms,u2\n',
  'users.csv': 'id,email\nu1,una@example.com\nu2,udo@example.com\n',
  'notes.csv': 'id,parent,author,body\nn1,1,u2,First\nn2,2,u1,Other\nn3,1,,Second\n',
  'emails.csv': 'id,address,primary,kind\ne1,ada@example.com,0,work\ne2,ada@example.test,0,home\n',
  'rel.csv': 'bean,email,primary,deleted\n1,e1,0,0\n1,e2,1,0\n2,e1,1,1\n',
};
const accounts = { table: 'accounts', on: { account_id: 'id' } };
const users = { table: 'users', on: { author: 'id' } };
const notes = { table: 'notes', on: { id: 'parent' }, many: true };
const email = {
  table: 'emails',
  via: { table: 'rel', on: { id: 'bean' }, to: { email: 'id' } },
};

const reading = (join: object, files: Readonly<Record<string, string>> = crm, options: object = {}) =>
  readingOf(openDump(files, { table: 'contacts', join, ...options }));
const column = (rows: readonly Row[], name: string) => rows.map((row) => row.cell(name));
const listed = (rows: readonly Row[], list: string, name: string) =>
  rows.map((row) => row.list?.(list)?.map((each) => each.cell(name)));

describe('an optional join', () => {
  const { 'accounts.csv': _, ...without } = crm;

  test('is empty where its table is not there, and that is said', async () => {
    const { rows, facts } = await reading(
      { company: { ...accounts, optional: true }, tags: { ...notes, table: 'tags', optional: true } },
      without,
    );
    expect(facts.columns).toEqual(['id', 'name', 'account_id']);
    expect([facts.lists, facts.absent]).toEqual([undefined, ['company', 'tags']]);
    expect(facts.notes.join(' ')).toContain(
      'are missing or have an empty file, taken as empty: "company", "tags"',
    );
    expect(column(rows, 'company.name')).toEqual([undefined, undefined, undefined]);
    expect(rows.map((row) => row.list?.('tags'))).toEqual([undefined, undefined, undefined]);
  });

  test('is joined where its table is there', async () => {
    const { rows, facts } = await reading({ company: { ...accounts, optional: true } });
    expect(column(rows, 'company.name')).toEqual(['Engines', null, null]);
    expect([facts.absent, facts.notes]).toEqual([undefined, []]);
  });

  test('may lack its link table, and is left out of the rows of another join', async () => {
    const { 'rel.csv': _rel, 'users.csv': _users, ...less } = crm;
    const inner = { ...notes, join: { author: { ...users, optional: true } } };
    const { facts, rows } = await reading({ email: { ...email, optional: true }, notes: inner }, less);
    expect(facts.absent).toEqual(['email', 'notes.author']);
    expect(listed(rows, 'notes', 'body')).toEqual([['First', 'Second'], ['Other'], []]);
  });

  test('takes the first row where the column of pick is not there, and none where its own column is not', async () => {
    const pick = { nosuch: '1' };
    const picked = await reading({ email: { ...email, pick, optional: true } });
    expect(column(picked.rows, 'email.address')[0]).toBe('ada@example.com');
    const on = { nosuch: 'id' };
    const none = await reading({ company: { ...accounts, on, optional: true } });
    expect(column(none.rows, 'company.name')).toEqual([null, null, null]);
    expect(none.facts.notes.join(' ')).toContain('"nosuch"');
  });

  test('does not make another join optional that needs the same table', async () => {
    const both = { company: { ...accounts, optional: true }, other: accounts };
    expect(await refusal(openDump(without, { table: 'contacts', join: both }).inspect(never))).toMatchObject({
      message: expect.stringContaining('no table "accounts"'),
    });
  });

  test('may have a stated file that is not there', async () => {
    const tables = { accounts: { file: ['a.csv', 'b*.csv'] } };
    const company = { ...accounts, optional: true };
    expect((await reading({ company }, without, { tables })).facts.absent).toEqual(['company']);
    expect(
      await refusal(
        openDump(without, { table: 'contacts', join: { company: accounts }, tables }).inspect(never),
      ),
    ).toMatchObject({
      message: expect.stringContaining('has no file a.csv or b*.csv'),
    });
  });

  test('may have an empty file, as an export of an account without such rows has, and that is said', async () => {
    const files = { ...without, 'accounts.csv': '' };
    const company = { ...accounts, optional: true };
    for (const tables of [{}, { accounts: { file: 'accounts.csv' } }]) {
      const { rows, facts } = await reading({ company }, files, { tables });
      expect([column(rows, 'name'), facts.absent]).toEqual([['Ada', 'Bob', 'Cleo'], ['company']]);
    }
  });

  test('is the advice where the file of a joined table is missing or empty, not the files of other tables', async () => {
    const tables = { contacts: { file: 'contacts.csv' }, accounts: { file: 'a.csv' } };
    const joins = { company: accounts, boss: { ...accounts, join: { owner: accounts } } };
    const only = { 'contacts.csv': crm['contacts.csv'] };
    const fix = async (files: Readonly<Record<string, string>>) =>
      (await refusal(openDump(files, { table: 'contacts', join: joins, tables }).inspect(never))).next;
    const absent =
      'If there are no such rows, add "optional: true" to the joins that read it: "company", "boss", "boss.owner".';
    expect(await fix(only)).toBe(`Add the file. ${absent}`);
    expect(await fix({ ...only, 'a.csv': '' })).toBe(`Export it again. ${absent}`);
    expect(await fix({ ...only, 'b.csv': 'id\n1\n' })).toBe(
      `Set its file: tables: { "accounts": { file: "…" } }, with one of these: b.csv. ${absent}`,
    );
  });
});

test('a stated file is the first of several names that is there; * stands for anything', async () => {
  const { 'contacts.csv': contacts, 'accounts.csv': companies, ...others } = crm;
  const files = {
    ...others,
    'all-Contacts-2025.csv': contacts,
    'x.csv': companies,
    'all-companies.csv': companies,
  };
  const tables = {
    contacts: { file: ['contacts.csv', 'all-contacts*.csv'] },
    accounts: { file: ['x.csv', 'all-*'] },
  };
  const { rows } = await reading({ company: accounts }, files, { tables });
  expect(column(rows, 'company.name')).toEqual(['Engines', null, null]);
});

describe('a join to one', () => {
  test('gives the columns of its row, null where there is none', async () => {
    const { rows, facts } = await reading({ company: accounts });
    expect(facts.columns).toEqual([
      ...['id', 'name', 'account_id'],
      ...['company.id', 'company.name', 'company.owner_id'],
    ]);
    expect(column(rows, 'company.name')).toEqual(['Engines', null, null]);
    expect(column(rows, 'company.nosuch')).toEqual([undefined, undefined, undefined]);
    expect(column(rows, 'nosuch.name')).toEqual([undefined, undefined, undefined]);
    expect(rows.map((row) => Object.fromEntries(row.entries()))).toMatchObject([
      { name: 'Ada', 'company.name': 'Engines' },
      { name: 'Bob', 'company.name': null },
      { name: 'Cleo', 'company.name': null },
    ]);
  });

  test('goes on from a column of an earlier one, or from its own row', async () => {
    const owner = { table: 'users', on: { 'company.owner_id': 'id' } };
    const earlier = await reading({ company: accounts, owner });
    expect(column(earlier.rows, 'owner.email')).toEqual(['una@example.com', null, null]);
    const inner = { ...accounts, join: { owner: { table: 'users', on: { owner_id: 'id' } } } };
    const own = await reading({ company: inner });
    expect(own.facts.columns).toContain('company.owner.email');
    expect(column(own.rows, 'company.owner.email')).toEqual(['una@example.com', null, null]);
  });

  test('through a link table takes what pick says, of the link or of the target, else the first', async () => {
    const picked = async (pick: object | undefined) =>
      column((await reading({ email: { ...email, ...(pick && { pick }) } })).rows, 'email.address');
    const [first, second] = ['ada@example.com', 'ada@example.test'];
    expect(await picked(undefined)).toEqual([first, first, null]);
    // Both have a column "primary": the link's counts.
    expect(await picked({ primary: 1 })).toEqual([second, first, null]);
    expect(await picked({ kind: 'home' })).toEqual([second, first, null]);
    expect(await picked({ kind: 'nosuch' })).toEqual([first, first, null]);
    const via = { ...email.via, where: { deleted: '0' } };
    const rows = (await reading({ email: { ...email, via } })).rows;
    expect(column(rows, 'email.address')).toEqual([first, null, null]);
  });

  test('takes only rows that its where lets through', async () => {
    const { rows } = await reading({ email: { ...email, where: { kind: ['home', 'fax'] } } });
    expect(column(rows, 'email.address')).toEqual(['ada@example.test', null, null]);
  });

  test('takes the first of several, and says how many it passes over; with pick or many it does not', async () => {
    const join = { note: { ...notes, many: false } };
    const { rows, facts } = await reading(join);
    expect(column(rows, 'note.body')).toEqual(['First', 'Other', null]);
    expect(facts.notes).toEqual([
      'The join "note" takes one row, but 1 value of parent in notes has several (2 in all, for example "1"): the first of each is taken. Set "pick", or "many: true".',
    ]);
    expect((await reading({ notes })).facts.notes).toEqual([]);
    const pick = { note: { ...notes, many: false, pick: { author: null } } };
    expect((await reading(pick)).facts.notes).toEqual([]);
  });

  test('has keys of several columns, and empty ones join nothing', async () => {
    const files = {
      'contacts.csv': 'id,a,b\n1,x,y\n2,x y,\n3,,\n4, x ,y\n',
      'others.csv': 'p,q,name\nx,y,both\nx y,,none\n,,empty\n',
    };
    const { rows } = await reading({ other: { table: 'others', on: { a: 'p', b: 'q' } } }, files);
    expect(column(rows, 'other.name')).toEqual(['both', null, null, 'both']);
  });

  test('leaves a column alone that really has its name', async () => {
    const files = { ...crm, 'contacts.csv': 'id,account_id,company.name\n1,a1,Own\n' };
    const { rows } = await reading({ company: accounts }, files);
    expect(column(rows, 'company.name')).toEqual(['Own']);
    expect(rows[0]?.entries().filter(([name]) => name === 'company.name')).toEqual([['company.name', 'Own']]);
  });
});

describe('a join to many', () => {
  test('gives the rows as a list in their order, each with its own joins', async () => {
    const { rows, facts } = await reading({ notes: { ...notes, join: { author: users } } });
    expect(facts.columns).toEqual(['id', 'name', 'account_id']);
    expect(facts.lists).toEqual([
      { name: 'notes', columns: ['id', 'parent', 'author', 'body', 'author.id', 'author.email'] },
    ]);
    expect(listed(rows, 'notes', 'body')).toEqual([['First', 'Second'], ['Other'], []]);
    expect(listed(rows, 'notes', 'author.email')).toEqual([
      ['udo@example.com', null],
      ['una@example.com'],
      [],
    ]);
    expect(rows[0]?.list?.('notes')?.[0]?.entries()).toContainEqual(['author.email', 'udo@example.com']);
    expect(rows[0]?.list?.('nosuch')).toBeUndefined();
  });

  test('goes through a link table, in the order of the links', async () => {
    const rel = 'bean,email,primary,deleted\n1,e2,0,0\n1,e1,0,0\n1,e9,0,0\n1,,0,0\n';
    const { rows } = await reading({ emails: { ...email, many: true } }, { ...crm, 'rel.csv': rel });
    expect(listed(rows, 'emails', 'id')).toEqual([['e2', 'e1'], [], []]);
  });

  test('within one to one is a list by its path', async () => {
    const staff = { table: 'users', on: { owner_id: 'id' }, many: true };
    const { rows, facts } = await reading({ company: { ...accounts, join: { staff } } });
    expect(facts.lists).toEqual([{ name: 'company.staff', columns: ['id', 'email'] }]);
    expect(listed(rows, 'company.staff', 'id')).toEqual([['u1'], [], []]);
  });

  test('of a table to itself, and of columns that are JSON arrays', async () => {
    const files = {
      'contacts.ndjson': '{"id":"1","boss":"2","tags":["a","b"]}\n{"id":"2","tags":["c"]}\n',
    };
    const { rows } = await reading(
      {
        team: { table: 'contacts', on: { id: 'boss' }, many: true },
        boss: { table: 'contacts', on: { boss: 'id' } },
      },
      files,
    );
    expect(listed(rows, 'team', 'id')).toEqual([[], ['1']]);
    expect(listed(rows, 'tags', '')).toEqual([['a', 'b'], ['c']]);
    expect(listed(rows, 'boss.tags', '')[0]).toEqual(['c']);
  });

  test.each([
    ['rows', Array.from({ length: 10_001 }, () => '1,x'), {}, 'more than 10000 rows', '"where"'],
    [
      'bytes',
      Array.from({ length: 20 }, () => `1,${'x'.repeat(100)}`),
      { maxRowBytes: 1500 },
      'more than 1500 bytes',
      '"maxRowBytes"',
    ],
  ])(
    'that is too long in %s is a broken row, and the others are whole',
    async (_, lines, options, words, next) => {
      const files = { 'contacts.csv': 'id\n1\n2\n', 'calls.csv': `contact,text\n${lines.join('\n')}\n2,y\n` };
      const calls = { table: 'calls', on: { id: 'contact' }, many: true };
      const { rows, broken } = await reading({ calls }, files, options);
      expect(listed(rows, 'calls', 'text')).toEqual([['y']]);
      expect(broken).toMatchObject([{ line: 2, raw: '{"id":"1"}', problem: { code: 'row.tooLarge' } }]);
      expect(broken[0]?.problem.reason).toContain(words);
      expect(broken[0]?.problem.reason).toContain(next);
    },
  );
});

test('broken rows of a joined table are counted, with their places', async () => {
  const files = { ...crm, 'notes.csv': 'id,parent\nn1,1\nx\nn2,2\ny\nz\nw\n' };
  const { rows, facts } = await reading({ notes }, files);
  expect(listed(rows, 'notes', 'id')).toEqual([['n1'], ['n2'], []]);
  expect(facts.notes).toEqual([
    '4 rows of notes cannot be read, and are not joined: line 3 (row.ragged), line 5 (row.ragged), line 6 (row.ragged) ….',
  ]);
});

test('where looks at joined columns, too', async () => {
  const source = openDump(crm, {
    table: 'contacts',
    where: { 'company.name': 'Engines' },
    join: { company: accounts },
  });
  expect((await source.inspect(never)).items).toBe(3);
  const kinds: string[] = [];
  for await (const batch of source.read(0, never)) kinds.push(...batch.map(({ kind }) => kind));
  expect(kinds).toEqual(['row', 'filtered', 'filtered']);
});

describe('refused with the columns that there are', () => {
  test.each<[string, object, string, string]>([
    [
      'on, of the row',
      { ...accounts, on: { acount_id: 'id' } },
      'no column "acount_id" in contacts, which the join "x" ("on")',
      'Did you mean "account_id"? There are: id, name, account_id.',
    ],
    [
      'on, of the other',
      { ...accounts, on: { account_id: 'Id' } },
      'no column "Id" in accounts',
      'Did you mean "id"?',
    ],
    [
      'on, of a later join',
      { table: 'users', on: { 'y.owner_id': 'id' } },
      'no column "y.owner_id" in contacts',
      'There are',
    ],
    ['where', { ...accounts, where: { nam: 'x' } }, '("where")', 'Did you mean "name"?'],
    [
      'pick',
      { ...email, pick: { primry: 1 } },
      'in rel or emails, which the join "x" ("pick")',
      'Did you mean "primary"?',
    ],
    [
      'via.on',
      { ...email, via: { ...email.via, on: { id: 'been' } } },
      'in rel, which the join "x" ("via.on")',
      'Did you mean "bean"?',
    ],
    [
      'via.to',
      { ...email, via: { ...email.via, to: { mail: 'id' } } },
      'in rel, which the join "x" ("via.to")',
      'There are: bean',
    ],
    [
      'via.where',
      { ...email, via: { ...email.via, where: { gone: 1 } } },
      '("via.where")',
      'There are: bean',
    ],
    [
      'a join of a join',
      { ...notes, join: { author: { table: 'users', on: { autor: 'id' } } } },
      '"autor" in notes, which the join "x.author"',
      'Did you mean "author"?',
    ],
  ])('a column in %s', async (_, x, what, next) => {
    const error = await refusal(
      openDump(crm, { table: 'contacts', join: { x, y: accounts } }).inspect(never),
    );
    expect(error.reason).toBe('input');
    expect(error.message).toContain(what);
    expect(error.next).toContain(next);
  });

  test('a table', async () => {
    const join = { x: { ...accounts, table: 'acounts' } };
    const error = await refusal(openDump(crm, { table: 'contacts', join }).inspect(never));
    expect(error.message).toContain('no table "acounts"');
    expect(error.next).toBe('Did you mean "accounts"?');
  });

  test.each<[string, object]>([
    ['is expected here', { x: { table: 'accounts' } }],
    ['of one column', { x: { ...accounts, on: { account_id: 'id', id: 'name' }, split: ';' } }],
    ['of one column', { x: { ...email, split: ';' } }],
    ['one word', { 'x.y': accounts }],
    ['for one row', { x: { ...notes, pick: { id: 1 } } }],
    ['a list cannot hold a list', { x: { ...notes, join: { y: { ...users, join: { z: notes } } } } }],
    ['at least one column', { x: { table: 'accounts', on: {} } }],
  ])('options that make no sense (%s) before anything is read', (words, join) => {
    expect(() => open('/x', { table: 'contacts', join }, 'dump')).toThrow(words);
  });
});

describe('a join over columns that no record has', () => {
  const json = {
    'contacts.json': '[{"id":"1","account":"a1"},{"id":"2"}]',
    'accounts.json': '[{"id":"a1","name":"Engines"}]',
    'links.json': '[{"contact":"1","account":"a1"}]',
  };
  const account = { table: 'accounts', on: { account: 'id' } };

  test('takes them for empty in JSON, whose records leave out what is empty, and says so', async () => {
    const where = await reading({ company: { ...account, where: { deleted: { not: true } } } }, json);
    expect(column(where.rows, 'company.name')).toEqual(['Engines', null]);
    expect(where.facts.notes).toEqual([
      'The join "company" ("where") uses the column "deleted", which no row of accounts has: it counts as empty.',
    ]);
    const never = await reading({ company: { ...account, where: { nam: 'Engines' } } }, json);
    expect(column(never.rows, 'company.name')).toEqual([null, null]);
    expect(never.facts.notes).toEqual([expect.stringMatching(/counts as empty\. Did you mean "name"\?$/)]);
    const on = await reading({ parent: { table: 'accounts', on: { account: 'parent_id' } } }, json);
    expect(column(on.rows, 'parent.name')).toEqual([null, null]);
    expect(on.facts.notes).toEqual([expect.stringContaining('no row of accounts has')]);
    const left = await reading({ owner: { table: 'accounts', on: { owner_id: 'id' } } }, json);
    expect(column(left.rows, 'owner.name')).toEqual([null, null]);
    const via = { table: 'links', on: { id: 'contact' }, to: { account: 'id' }, where: { gone: null } };
    const linked = await reading({ company: { table: 'accounts', via, pick: { primary: true } } }, json);
    expect(column(linked.rows, 'company.name')).toEqual(['Engines', null]);
    expect(linked.facts.notes).toEqual([
      expect.stringContaining('("via.where") uses the column "gone"'),
      expect.stringContaining('("pick") uses the column "primary", which no row of links or accounts has'),
    ]);
  });

  test('refuses them in a table with a header, but for a condition that a missing cell fulfils', async () => {
    const { rows, facts } = await reading({ company: { ...accounts, where: { gone: { not: '1' } } } });
    expect(column(rows, 'company.name')).toEqual(['Engines', null, null]);
    expect(facts.notes).toEqual([
      expect.stringContaining('which no row of accounts has: it counts as empty'),
    ]);
    const asked = { ...accounts, where: { gone: '1' } };
    const error = await refusal(
      openDump(crm, { table: 'contacts', join: { company: asked } }).inspect(never),
    );
    expect(error.message).toContain('has no column "gone" in accounts');
  });
});

describe('a join by the keys of a list', () => {
  const files = {
    'contacts.json': JSON.stringify([
      { id: 1, tags: { data: [{ id: 't2' }, { id: 't1' }, { id: 't2' }, { id: null }, { id: 't9' }] } },
      { id: 2, tags: { data: [] } },
      { id: 3, groups: ['t1'] },
    ]),
    'tags.csv': 'id,name\nt1,vip\nt2,press\n',
    'extra.csv': 'tag,word\nt1,x1\nt2,x2\n',
  };

  test('gives the rows of each of them once, in the order of the list', async () => {
    const tags = { table: 'tags', on: { 'tags.data[].id': 'id' }, many: true };
    const groups = { table: 'tags', on: { 'groups[]': 'id' }, many: true };
    const { rows, facts } = await reading({ tag: tags, group: groups }, files);
    expect(listed(rows, 'tag', 'name')).toEqual([['press', 'vip'], [], []]);
    expect(listed(rows, 'group', 'name')).toEqual([[], [], ['vip']]);
    expect(facts.notes).toEqual([]);
  });

  test('takes the first that is there to one, and goes through a link table and from a joined list', async () => {
    const one = { table: 'tags', on: { 'tags.data[].id': 'id' } };
    expect(column((await reading({ tag: one }, files)).rows, 'tag.name')).toEqual(['press', null, null]);
    const via = { table: 'extra', on: { 'tags.data[].id': 'tag' }, to: { tag: 'id' } };
    const linked = await reading({ tag: { table: 'tags', via, many: true } }, files);
    expect(listed(linked.rows, 'tag', 'name')).toEqual([['press', 'vip'], [], []]);
    const tags = { table: 'tags', on: { 'tags.data[].id': 'id' }, many: true };
    const words = { table: 'extra', on: { 'tag[].id': 'tag' }, many: true };
    expect(listed((await reading({ tag: tags, words }, files)).rows, 'words', 'word')[0]).toEqual([
      'x2',
      'x1',
    ]);
  });

  test('is refused for two lists, and for a list that a table with a header does not have', async () => {
    const both = { table: 'tags', on: { 'tags.data[].id': 'id', 'groups[]': 'name' } };
    const said = async (table: string, join: object) =>
      (await refusal(openDump(files, { table, join: { tag: join } }).inspect(never))).message;
    expect(await said('contacts', both)).toContain('columns of several lists');
    const none = { table: 'extra', on: { 'words[].id': 'tag' } };
    expect(await said('tags', none)).toContain('has no column "words" in tags');
  });
});

describe('a join by cells that hold several ids', () => {
  const files = {
    'contacts.csv': 'id,companies\n1,c1;c2\n2,c9; c2\n3,;c2\n4,\n',
    'companies.csv': 'id,name,main\nc1,Engines,0\nc2,Looms,1\n',
    'notes.csv': 'id,people,body\nn1,1;2,Both\nn2, 2 ;,Bob\nn3,2;2;1,Twice\nn4,;,None\n',
  };
  const company = { table: 'companies', on: { companies: 'id' }, split: ';' };

  test('gives a row to each of them, once', async () => {
    const list = { notes: { table: 'notes', on: { id: 'people' }, split: ';', many: true } };
    const { rows } = await reading(list, files);
    expect(listed(rows, 'notes', 'body')).toEqual([['Both', 'Twice'], ['Both', 'Bob', 'Twice'], [], []]);
  });

  test('takes the row of the first id to one, and of no other id in its place', async () => {
    const { rows, facts } = await reading({ company }, files);
    expect(column(rows, 'company.name')).toEqual(['Engines', null, 'Looms', null]);
    expect(facts.notes).toEqual([]);
  });

  test('takes the row of any of the ids that pick chooses', async () => {
    const { rows } = await reading({ company: { ...company, pick: { main: '1' } } }, files);
    expect(column(rows, 'company.name')).toEqual(['Looms', 'Looms', 'Looms', null]);
  });

  test('gives all rows of the ids to many, in their order', async () => {
    const { rows } = await reading({ company: { ...company, many: true } }, files);
    expect(listed(rows, 'company', 'name')).toEqual([['Engines', 'Looms'], ['Looms'], ['Looms'], []]);
  });
});

describe('a join with a link table and "on"', () => {
  const files = {
    'contacts.csv': 'id\n1\n2\n',
    'notes.csv': 'id,people,body\nn1,1,First\nn2,2,Second\n',
  };
  const link = { table: 'links', on: { id: 'person' }, to: { note: 'id' } };
  const all = { notes: { table: 'notes', on: { id: 'people' }, via: link, many: true } };

  test('reads the link table where it is there', async () => {
    const { rows } = await reading(all, { ...files, 'links.csv': 'person,note\n1,n2\n' });
    expect(listed(rows, 'notes', 'body')).toEqual([['Second'], []]);
  });

  test('goes by "on" where the link table is missing', async () => {
    const { rows, facts } = await reading(all, files);
    expect(listed(rows, 'notes', 'body')).toEqual([['First'], ['Second']]);
    expect([facts.absent, facts.notes]).toEqual([undefined, []]);
  });

  test('is refused where neither the link table nor the column of "on" is there', async () => {
    const less = { ...files, 'notes.csv': 'id,body\nn1,First\n' };
    const optional = { notes: { ...all.notes, optional: true } };
    expect(await refusal(openDump(less, { table: 'contacts', join: optional }).inspect(never))).toMatchObject(
      {
        message: expect.stringContaining(
          'has no column "people" in notes, which the join "notes" ("on", because the table links is missing) uses',
        ),
      },
    );
  });
});
