import { afterAll, describe, expect, it } from 'vitest';
import { checked, type Drafting, drafted, removeFolders, sqliteOf } from './drafting.ts';

afterAll(removeFolders);

/** What the drafted pipeline says of its source, and the mapping. */
async function read(made: Drafting) {
  const { pipeline, wrong } = await checked(made);
  expect(wrong).toEqual([]);
  const { source, mapping } = pipeline.import;
  return { source, mapping: mapping.mapping };
}

describe('a draft of several tables', () => {
  it('names what it does not read with all columns and the number of rows', async () => {
    const { draft } = await drafted(
      {
        'export/contacts.csv': 'id,first_name,email\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n',
        'export/prices.csv': 'sku,price,currency\nA-1,12.00,EUR\n',
        'export/nothing.csv': 'sku,left\n',
      },
      'export',
    );
    expect(draft.pipeline.text).toContain('# Not read:\n#   prices, 1 row: sku, price, currency\npipeline:');
  });

  it('says which tables it does not read also beside the profile', async () => {
    const { draft } = await drafted(
      {
        'export/contacts.csv': 'id,first_name,email\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n',
        'export/prices.csv': 'sku,price,currency\nA-1,12.00,EUR\n',
        'export/stores.csv': 'code,city\nB-1,Bath\nB-2,York\n',
      },
      'export',
    );
    expect(draft.notes).toContain(
      'Not read, because no join was found: the tables prices (1 row), stores (2 rows).',
    );
  });

  it('names a further table of people, and how to import them', async () => {
    const { draft } = await drafted(
      {
        'export/contacts.csv':
          'id,first_name,last_name,email\n1,Ada,Lee,ada@example.com\n2,Bob,Ott,bob@example.com\n',
        'export/leads.csv': 'id,first_name,last_name,email,status\n7,Cyd,Uhl,cyd@example.com,New\n',
        'export/users.csv': 'id,first_name,last_name,email\n9,Jane,Doe,jane@example.com\n',
      },
      'export',
    );
    expect(draft.notes.filter((note) => note.includes('has people'))).toEqual([
      'The table leads has people, too (1 row). Its rows are not imported. To import them, draft again with --table leads and another --out.',
    ]);
  });

  it('joins notes of a kind of parent of files whose names end with a number, as Zoho writes them', async () => {
    const made = await drafted(
      {
        'export/Contacts_001.csv':
          'Record Id,First Name,Email\nzcrm_551000110,Ada,ada@example.com\nzcrm_551000111,Bo,bo@example.com\n',
        'export/Notes_001.csv':
          'Note Id,Parent ID,$se_module,Note Content\nn1,zcrm_551000110,Contacts,First\nn2,zcrm_551000111,Contacts,Second\nn3,zcrm_449000001,Accounts,Third\n',
      },
      'export',
    );
    const { source } = await read(made);
    expect(source.options).toMatchObject({
      join: { notes: { table: 'Notes_001', where: { $se_module: 'Contacts' }, many: true } },
    });
  });

  it('joins notes and companies by cells with several ids, of files whose names end with a date', async () => {
    const made = await drafted(
      {
        'export/hubspot-crm-exports-all-contacts-2025-07-01.csv':
          'Record ID,First Name,Email,Associated Company IDs\n101,Ada,ada@example.com,9001;9002\n102,Bo,bo@example.com,9002\n103,Cem,cem@example.com,\n',
        'export/hubspot-crm-exports-all-companies-2025-07-01.csv':
          'Record ID,Company name,Industry\n9001,Harbour,Food\n9002,Nordlicht,Retail\n',
        'export/hubspot-crm-exports-all-notes-2025-07-01.csv':
          'Record ID,Activity date,Note body,Associated Contact IDs\n5001,2024-05-03 16:20,First,101;102\n5002,2024-05-04 16:20,Second,102\n5003,2024-05-05 16:20,Third,103\n',
      },
      'export',
    );
    const { source, mapping } = await read(made);
    expect(source).toMatchObject({
      options: {
        join: {
          company: {
            table: 'hubspot-crm-exports-all-companies-2025-07-01',
            on: { 'Associated Company IDs': 'Record ID' },
            split: ';',
          },
          notes: {
            table: 'hubspot-crm-exports-all-notes-2025-07-01',
            on: { 'Record ID': 'Associated Contact IDs' },
            split: ';',
            many: true,
          },
        },
      },
    });
    expect(mapping).toMatchObject({ comments: [{ each: 'notes', key: 'Record ID' }] });
  });

  it('joins owners, companies and activities of a folder of CSV files', async () => {
    const made = await drafted(
      {
        'export/Contact.csv':
          'Id,IsDeleted,AccountId,FirstName,LastName,Email,MobilePhone,OwnerId,HasOptedOutOfEmail\n003000000000001AAA,0,001000000000001AAA,Ada,Lovelace,ada@example.com,+12025550143,005000000000001AAA,1\n003000000000002AAA,1,001000000000001AAA,Bob,Byrne,bob@example.com,,005000000000002AAA,0\n',
        'export/Account.csv': 'Id,Name,Phone\n001000000000001AAA,Acme,+12025550199\n',
        'export/User.csv':
          'Id,FirstName,LastName,Email\n005000000000001AAA,Jane,Doe,jane@example.test\n005000000000002AAA,Max,Roe,max@example.test\n',
        'export/Task.csv':
          'Id,WhoId,OwnerId,Subject,Description,CreatedDate\n00T000000000001AAA,003000000000001AAA,005000000000001AAA,Call,Long call,2020-01-02 10:00:00\n',
      },
      'export',
    );
    const { source, mapping } = await read(made);
    expect(source).toMatchObject({
      format: 'dump',
      options: {
        table: 'Contact',
        where: { IsDeleted: { not: '1' } },
        join: {
          company: { table: 'Account', on: { AccountId: 'Id' } },
          owner: { table: 'User', on: { OwnerId: 'Id' } },
          tasks: {
            table: 'Task',
            on: { Id: 'WhoId' },
            many: true,
            join: { author: { table: 'User', on: { OwnerId: 'Id' } } },
          },
        },
      },
    });
    expect(mapping).toMatchObject({
      key: 'Id',
      contact: { firstName: { from: 'FirstName' }, email: { from: 'Email' }, phone: { from: 'MobilePhone' } },
      customFields: {
        Company: { from: 'company.Name', type: 'text' },
        HasOptedOutOfEmail: { type: 'checkbox' },
      },
      assignee: { from: 'owner.Email' },
      comments: [
        {
          each: 'tasks',
          key: 'Id',
          order: 'CreatedDate',
          text: '{CreatedDate} {author.FirstName} {author.LastName}: {Subject}\n{Description}',
        },
      ],
    });
    expect(made.draft.todos).toEqual([]);
    expect(made.draft.leftOut).toEqual(
      expect.arrayContaining([
        { column: 'IsDeleted', why: 'decides which rows are left out' },
        { column: 'company.Id', why: 'connects the tables' },
        { column: 'company.Phone', why: 'in a joined table, and read for nothing' },
        { column: 'owner.FirstName', why: 'in a joined table, and read for nothing' },
        { column: 'tasks.WhoId', why: 'connects the tables' },
        { column: 'tasks.author.Email', why: 'in a joined table, and read for nothing' },
      ]),
    );
    expect(made.draft.mapping.text).toMatch(
      /# Left out:\n(?:# .*\n)*# {3}connects the tables: .*company\.Id/,
    );
  });

  it('says of each column of each table what it is imported as, or why it is left out', async () => {
    const tables = {
      'crm/contacts.csv':
        'id,first_name,email,company_id\n1,Ada,ada@example.com,7\n2,Bob,bob@example.com,8\n',
      'crm/companies.csv': 'id,name,city\n7,Acme,Ulm\n8,Muster,Bonn\n',
      'crm/notes.csv': 'id,contact_id,body,pinned\n1,1,Long ago,0\n2,1,Today,1\n',
    };
    const { draft } = await drafted(tables, 'crm');
    const read = draft.columns.flatMap(({ name, field }) => (field === null ? [] : [name]));
    const columns = [
      ...['id', 'first_name', 'email', 'company_id'],
      ...['company.id', 'company.name', 'company.city'],
    ];
    expect([...read, ...draft.leftOut.map(({ column }) => column)].sort()).toEqual(
      [...columns, 'notes.contact_id', 'notes.pinned'].sort(),
    );
    expect(draft.mapping.text).toContain('each: notes');
  });

  const notesDated = (...dates: readonly string[]) => ({
    'crm/contacts.csv': 'id,first_name,email\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n',
    'crm/notes.csv': `id,contact_id,body,created_at\n${dates.map((date, n) => `${n},1,Note ${n},"${date}"\n`).join('')}`,
  });

  it('asks about ambiguous dates of notes, and writes the answer where the notes are ordered', async () => {
    const made = await drafted(notesDated('03/04/2021', '01/05/2021 9:30', '02/06/2021 10:15'), 'crm');
    expect(made.draft.todos.map(({ question }) => question)).toEqual([
      '03/04 could be a day in March or in April; write [M/d/yyyy, M/d/yyyy H:mm] if the month comes first, [d/M/yyyy, d/M/yyyy H:mm] if the day does',
    ]);
    const answer = { 'in March or in April': '[d/M/yyyy, d/M/yyyy H:mm]' };
    const { pipeline, wrong } = await checked(made, answer);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping.comments).toMatchObject([
      { order: 'created_at', dates: { created_at: ['d/M/yyyy', 'd/M/yyyy H:mm'] } },
    ]);
  });

  it.each<[string, readonly string[], unknown]>([
    ['a day after the 12th', ['03/04/2021', '25/05/2021'], ['d/M/yyyy']],
    ['a month in the middle', ['03/04/2021', '05/25/2021'], ['M/d/yyyy']],
    ['dots and seconds', ['03.04.2021 10:00:00', '25.05.2020 9:00:00'], ['d.M.yyyy H:mm:ss']],
    ['noon', ['4/13/2021 3:05 PM', '5/25/2021 11:00 AM'], ['M/d/yyyy h:mm a']],
    ['two ways to write dates', ['2021-04-03 10:00:00', '13/05/2021', '2021-04-05'], ['iso', 'd/M/yyyy']],
    ['seconds since 1970', ['1617400000', '1617500000'], ['epoch']],
    ['ISO', ['2021-04-03 10:00:00', '2021-04-04 10:00:00'], undefined],
  ])('decides how the dates of notes are written: %s', async (_, written, formats) => {
    const made = await drafted(notesDated(...written), 'crm');
    expect(made.draft.todos).toEqual([]);
    const dates = formats === undefined ? {} : { dates: { created_at: formats } };
    expect((await read(made)).mapping).toMatchObject({ comments: [{ each: 'notes', ...dates }] });
    expect(made.draft.mapping.text.includes('dates:')).toBe(formats !== undefined);
  });

  it('imports the notes of a table in which one of many ids is there twice', async () => {
    const note = (n: number) => `${n === 40 ? 39 : n},${n % 2 === 0 ? 1 : 2},2024-01-02,Note ${n}`;
    const tables = {
      'crm/contacts.csv': 'id,first_name,email\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n',
      'crm/notes.csv': `note_id,contact_id,created,body\n${Array.from({ length: 40 }, (_, n) => note(n + 1)).join('\n')}\n`,
    };
    const made = await drafted(tables, 'crm');
    const { mapping } = await read(made);
    expect(mapping.comments).toMatchObject([{ each: 'notes', key: 'note_id' }]);
  });

  it('keeps all e-mails of people who have several in a table of their own', async () => {
    const tables = {
      'crm/contacts.csv': 'id,first_name,last_name\n1,Ada,Lee\n2,Bob,Byrne\n',
      'crm/emails.csv':
        'id,contact_id,address,is_primary\n1,1,ada@example.com,1\n2,1,ada@home.example,0\n3,2,bob@example.com,1\n',
    };
    const made = await drafted(tables, 'crm');
    const { source, mapping } = await read(made);
    expect(source.options).toMatchObject({
      join: {
        email: { table: 'emails', pick: { is_primary: '1' } },
        emails: { table: 'emails', on: { id: 'contact_id' }, many: true },
      },
    });
    expect(mapping.contact.email).toMatchObject({ from: 'email.address' });
    expect(mapping.customFields).toMatchObject({
      'All emails': { from: 'emails.address', type: 'text', join: ', ', create: true },
    });
  });

  it('finds addresses behind a link table with a primary and a deleted flag, and notes of several kinds of records', async () => {
    const id = (n: number) => `'${'abcdef12-0000-4000-8000-'}${String(n).padStart(12, '0')}'`;
    const sql = `-- a dump
CREATE TABLE contacts (id char(36), deleted tinyint, first_name varchar(100), last_name varchar(100), phone_mobile varchar(100), assigned_user_id char(36), created_by char(36));
INSERT INTO contacts VALUES (${id(1)},0,'Ada','Lovelace','+12025550143',${id(91)},${id(91)}),(${id(2)},0,'Bob','Byrne',NULL,${id(91)},${id(91)});
CREATE TABLE contacts_cstm (id_c char(36), plan_c varchar(20));
INSERT INTO contacts_cstm VALUES (${id(1)},'gold'),(${id(2)},'silver');
CREATE TABLE email_addresses (id char(36), email_address varchar(255), deleted tinyint);
INSERT INTO email_addresses VALUES (${id(11)},'ada@example.com',0),(${id(12)},'old@example.com',0),(${id(13)},'bob@example.com',0);
CREATE TABLE email_addr_bean_rel (id char(36), email_address_id char(36), bean_id char(36), bean_module varchar(100), primary_address tinyint, deleted tinyint);
INSERT INTO email_addr_bean_rel VALUES (${id(21)},${id(11)},${id(1)},'Contacts',1,0),(${id(22)},${id(12)},${id(1)},'Contacts',0,0),(${id(23)},${id(13)},${id(2)},'Contacts',1,0),(${id(24)},${id(12)},${id(91)},'Users',1,0);
CREATE TABLE notes (id char(36), parent_type varchar(255), parent_id char(36), name varchar(255), description text, date_entered datetime, deleted tinyint);
INSERT INTO notes VALUES (${id(31)},'Contacts',${id(1)},'Call','Long call','2020-01-02 10:00:00',0),(${id(32)},'Accounts',${id(77)},'Other','Of a company','2020-01-02 10:00:00',0);
CREATE TABLE users (id char(36), user_name varchar(60), first_name varchar(30), last_name varchar(30), email1 varchar(100));
INSERT INTO users VALUES (${id(91)},'jane','Jane','Doe','jane@example.test');
`;
    const { source, mapping } = await read(await drafted(sql, 'crm.sql'));
    expect(source).toMatchObject({
      format: 'dump',
      options: {
        table: 'contacts',
        where: { deleted: { not: '1' } },
        join: {
          owner: { table: 'users', on: { assigned_user_id: 'id' } },
          email: {
            table: 'email_addresses',
            via: {
              table: 'email_addr_bean_rel',
              on: { id: 'bean_id' },
              to: { email_address_id: 'id' },
              where: { bean_module: 'Contacts', deleted: { not: '1' } },
            },
            pick: { primary_address: '1' },
          },
          cstm: { table: 'contacts_cstm', on: { id: 'id_c' } },
          notes: {
            table: 'notes',
            on: { id: 'parent_id' },
            where: { parent_type: 'Contacts', deleted: { not: '1' } },
            many: true,
          },
        },
      },
    });
    expect(mapping).toMatchObject({
      key: 'id',
      contact: {
        email: { from: 'email.email_address' },
        phone: { from: 'phone_mobile' },
        lastName: { from: 'last_name' },
      },
      customFields: { 'cstm.plan_c': { from: 'cstm.plan_c' } },
      assignee: { from: 'owner.email1' },
      comments: [
        { each: 'notes', key: 'id', order: 'date_entered', text: '{date_entered}: {name}\n{description}' },
      ],
    });
  });

  it.each([
    [
      'as the table without its prefix',
      'Contact',
      'Account',
      1,
      { parent_type: 'Contact', deleted: { not: '1' } },
    ],
    [
      'as the table is',
      'crm_contacts',
      'crm_accounts',
      1,
      { parent_type: 'crm_contacts', deleted: { not: '1' } },
    ],
    ['by one code, and no other table has such ids', 'P', 'P', 2, { deleted: { not: '1' } }],
    // Account 1 is not contact 1: without knowing which is which, no person gets the notes of an account.
    ['by one code, and another table has such ids', 'P', 'P', 1, undefined],
    ['by codes that name no table', 'P', 'F', 501, undefined],
  ])('takes the notes of people alone, where their kind is named %s', async (_, ours, other, id, where) => {
    const sql = `-- a dump
CREATE TABLE crm_contacts (id int, first_name varchar(100), last_name varchar(100), email varchar(100));
INSERT INTO crm_contacts VALUES (1,'Ada','Lovelace','ada@example.com'),(2,'Bob','Byrne','bob@example.com');
CREATE TABLE crm_accounts (id int, name varchar(100), city varchar(100));
INSERT INTO crm_accounts VALUES (${id === 2 ? 501 : id},'Acme','Ulm'),(999,'Muster','Bonn');
CREATE TABLE crm_notes (id int, parent_type varchar(255), parent_id int, description text, date_entered datetime, deleted tinyint);
INSERT INTO crm_notes VALUES (31,'${ours}',1,'Of Ada','2020-01-02 10:00:00',0),(32,'${other}',${id},'Of Acme','2020-01-02 10:00:00',0);
`;
    const made = await drafted(sql, 'crm.sql');
    const { source } = await read(made);
    const joins = { notes: expect.objectContaining({ table: 'crm_notes', on: { id: 'parent_id' }, where }) };
    expect(source.options.join ?? {}).toEqual(where === undefined ? {} : joins);
    if (where === undefined) expect(made.draft.pipeline.text).toContain('#   crm_notes, 2 rows: ');
  });

  it('takes a note that names its contact, and one that is filed under a contact, each once', async () => {
    const sql = `-- a dump
CREATE TABLE contacts (id int, first_name varchar(100), last_name varchar(100), email varchar(100));
INSERT INTO contacts VALUES (1,'Ada','Lovelace','ada@example.com'),(2,'Bob','Byrne','bob@example.com');
CREATE TABLE accounts (id int, name varchar(100), city varchar(100));
INSERT INTO accounts VALUES (1,'Acme','Ulm'),(2,'Muster','Bonn');
CREATE TABLE notes (id int, parent_type varchar(255), parent_id int, contact_id int, description text, date_entered datetime, deleted tinyint);
INSERT INTO notes VALUES (31,'Accounts',2,1,'Of Ada','2020-01-02 10:00:00',0),(32,'Contacts',2,NULL,'Filed under Bob','2020-01-02 10:00:00',0),(33,'Contacts',2,1,'Both','2020-01-02 10:00:00',0);
`;
    const { source, mapping } = await read(await drafted(sql, 'crm.sql'));
    expect(source.options.join).toMatchObject({
      notes: { table: 'notes', on: { id: 'contact_id' }, where: { deleted: { not: '1' } } },
      filed_notes: {
        table: 'notes',
        on: { id: 'parent_id' },
        where: { parent_type: 'Contacts', contact_id: null, deleted: { not: '1' } },
      },
    });
    expect(mapping.comments).toEqual(
      ['notes', 'filed_notes'].map((each) => ({
        ...{ each, key: 'id', order: 'date_entered', needs: 'description' },
        text: '{date_entered}: {description}',
      })),
    );
  });

  it('takes tags through a link table, and the table of people rather than that of employees', async () => {
    const file = sqliteOf(`
      CREATE TABLE Customer (CustomerId INTEGER PRIMARY KEY, FirstName, LastName, Email, SupportRepId INTEGER);
      INSERT INTO Customer VALUES (1,'Ada','Lovelace','ada@example.com',3),(2,'Bob','Byrne','bob@example.com',4),(3,'Cleo','Cruz','cleo@example.com',3);
      CREATE TABLE Employee (EmployeeId INTEGER PRIMARY KEY, FirstName, LastName, Email, Phone);
      INSERT INTO Employee VALUES (3,'Jane','Doe','jane@example.test','+12025550143'),(4,'Max','Roe','max@example.test','+12025550144');
      CREATE TABLE Tag (TagId INTEGER PRIMARY KEY, Name); INSERT INTO Tag VALUES (1,'vip'),(2,'blog');
      CREATE TABLE CustomerTag (CustomerId INTEGER, TagId INTEGER); INSERT INTO CustomerTag VALUES (1,1),(1,2),(3,2);
      CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name); INSERT INTO Genre VALUES (1,'Rock'),(2,'Jazz');
    `);
    const { source, mapping } = await read(await drafted(file, 'shop.db'));
    expect(source.options).toMatchObject({
      table: 'Customer',
      join: {
        owner: { table: 'Employee', on: { SupportRepId: 'EmployeeId' }, many: false },
        tags: {
          table: 'Tag',
          via: { table: 'CustomerTag', on: { CustomerId: 'CustomerId' }, to: { TagId: 'TagId' } },
          many: true,
        },
      },
    });
    expect(mapping).toMatchObject({ tags: { from: 'tags.Name' }, assignee: { from: 'owner.Email' } });
  });

  it('joins nothing by values alone, and what a name says where the values are keys', async () => {
    const id = (n: number) => `aaaa-bbbb-cccc-${n}`;
    const { source } = await read(
      await drafted(
        {
          'crm/contacts.csv': `id,first_name,last_name,email,company_id,shop,city_id\n${id(1)},Ada,Lovelace,ada@example.com,${id(7)},${id(8)},${id(99)}\n`,
          'crm/companies.csv': `id,name\n${id(7)},Acme\n`,
          'crm/branches.csv': `id,name\n${id(8)},Hull\n`,
          'crm/cities.csv': `id,name\n${id(9)},Ulm\n`,
        },
        'crm',
      ),
    );
    expect(source.options).toMatchObject({ table: 'contacts' });
    expect(Object.keys(Object(source.options).join)).toEqual(['company']);
  });

  it('joins tables with German names, where the plural of a noun is not its name and an s', async () => {
    const made = await drafted(
      {
        'alt/personen.csv':
          'id,firma_id,vorname,nachname,email,status_id,betreuer_id\n51,11,Ada,Lee,ada@example.com,1,7\n52,12,Bo,Ott,bo@example.com,2,8\n',
        'alt/firmen.csv': 'id,name,ort\n11,Autohaus,Ulm\n12,Spedition,Bonn\n',
        'alt/benutzer.csv': 'id,name,email\n7,Jane Doe,jane@example.test\n8,Max Roe,max@example.test\n',
        'alt/status.csv': 'id,bezeichnung\n1,Interessent\n2,Kunde\n',
        'alt/notizen.csv':
          'id,person_id,benutzer_id,erstellt_am,text\n901,51,7,2024-05-03 16:20,Erste\n902,51,8,2024-05-04 16:20,Zweite\n',
      },
      'alt',
    );
    const { source, mapping } = await read(made);
    expect(source.options).toMatchObject({
      table: 'personen',
      join: {
        company: { table: 'firmen', on: { firma_id: 'id' } },
        owner: { table: 'benutzer', on: { betreuer_id: 'id' } },
        status: { table: 'status', on: { status_id: 'id' } },
        notizen: { table: 'notizen', on: { id: 'person_id' }, many: true },
      },
    });
    expect(mapping).toMatchObject({
      customFields: { Company: { from: 'company.name' } },
      lifecycle: { from: 'status.bezeichnung' },
      assignee: { from: 'owner.email' },
      comments: [{ each: 'notizen', text: '{erstellt_am} {author.name}: {text}' }],
    });
  });

  it('makes a comment of each deal of a person, with every column that has something to say', async () => {
    const { source, mapping } = await read(
      await drafted(
        {
          'crm/people.csv': 'id,first_name,email\n51,Ada,ada@example.com\n52,Bo,bo@example.com\n',
          'crm/deals.csv':
            'id,person_id,title,amount,state,closed_on\n901,51,Car,1200.50,won,2024-05-03\n902,51,Van,90.00,lost,2024-06-03\n',
        },
        'crm',
      ),
    );
    expect(source.options).toMatchObject({
      join: { deals: { table: 'deals', on: { id: 'person_id' }, many: true } },
    });
    expect(mapping).toMatchObject({
      comments: [
        {
          each: 'deals',
          key: 'id',
          order: 'closed_on',
          text: 'title: {title}\namount: {amount}\nstate: {state}\nclosed_on: {closed_on}',
        },
      ],
    });
  });

  it.each(['sessions', 'login_tokens', 'audit_log', 'user_preferences'])(
    'makes no comments of what the old system notes of itself: %s',
    async (table) => {
      const rows = 'id,person_id,browser,started_on\n901,51,Firefox,2024-05-03\n902,51,Chrome,2024-06-03\n';
      const people = 'id,first_name,email\n51,Ada,ada@example.com\n52,Bo,bo@example.com\n';
      const { mapping } = await read(
        await drafted({ 'crm/people.csv': people, [`crm/${table}.csv`]: rows }, 'crm'),
      );
      expect(mapping).not.toHaveProperty('comments');
    },
  );

  it('says which tables there are where none holds people', async () => {
    const file = sqliteOf(
      'CREATE TABLE a (x); INSERT INTO a VALUES (1); CREATE TABLE b (y); INSERT INTO b VALUES (2);',
    );
    await expect(drafted(file, 'things.db')).rejects.toThrow(
      /no table that looks like people; it has a \(1\), b \(1\)/,
    );
  });
});
