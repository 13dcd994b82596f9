import { afterAll, describe, expect, it } from 'vitest';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

/** The contact's rules of the draft of a CSV, and the text of its mapping. */
async function contactOf(...lines: readonly string[]) {
  const made = await drafted(`${lines.join('\n')}\n`);
  const { pipeline, wrong } = await checked(made);
  return {
    contact: pipeline.import.mapping.mapping.contact,
    wrong,
    text: made.draft.mapping.text,
    notes: made.draft.notes,
  };
}

describe('first and last names of several people', () => {
  it('are never mixed: those of the contact, and not of who pays', async () => {
    const { contact, wrong } = await contactOf(
      'id,email,first_name,last_name,billing_first_name,billing_last_name,shipping_first_name',
      '1,marta@example.com,Marta,,Juan,Ruiz,Eva',
      '2,rui@example.com,Rui,Costa,Rui,Costa,Eva',
      '3,leo@example.com,,Ruiz,Juan,Ruiz,Eva',
    );
    expect(contact).toMatchObject({ firstName: { from: 'first_name' }, lastName: { from: 'last_name' } });
    expect(wrong).toEqual([]);
  });

  it('are those of who pays where the contact has neither part, and no row would get parts of two names', async () => {
    const { contact, text, wrong } = await contactOf(
      'id,email,first_name,last_name,billing_first_name,billing_last_name',
      '1,marta@example.com,Marta,Ruiz,Juan,Costa',
      '2,jose@example.com,,,José,Pérez',
    );
    expect(contact).toMatchObject({
      firstName: { from: ['first_name', 'billing_first_name'], default: 'Unknown' },
      lastName: { from: ['last_name', 'billing_last_name'] },
    });
    expect(text).toContain('billing_first_name counts where both parts of the name are empty');
    expect(wrong).toEqual([]);
  });

  it('are the full name where a row has no parts', async () => {
    const { contact } = await contactOf(
      'Id,First Name,Last Name,Name,Work Phone',
      '1,Kai,Kern,Kai Kern,+14155552671',
      '2,,,Front Desk,+14155552671',
    );
    expect(contact).toMatchObject({
      firstName: { from: ['First Name', 'Name'] },
      lastName: { from: 'Last Name' },
    });
  });

  it('are not the full name where a row has only its last name, which would be there twice', async () => {
    const { contact } = await contactOf(
      'Id,First Name,Last Name,Name,Email',
      '1,Kai,Kern,Kai Kern,kai@example.com',
      '2,,Kern,Kern,kern@example.com',
      '3,,,Front Desk,desk@example.com',
    );
    expect(contact.firstName).toMatchObject({ from: 'First Name' });
  });
});

describe('a row with a company and without a name', () => {
  it('is named in a note, with how its contact is called by the company', async () => {
    const { notes, wrong } = await contactOf(
      'Record ID,First Name,Last Name,Company Name,Email',
      '1,Ada,Lovelace,Analytical Ltd,ada@example.com',
      '2,,,Globex Ltd,office@example.org',
      '3,,,Umbrella SpA,info@example.it',
      '4,,,,nobody@example.com',
    );
    expect(notes).toEqual([
      'Rows that have a company and no name: 2. A new contact is called Unknown. To call it by its company, add "Company Name" after the names in `from` of firstName.',
    ]);
    expect(wrong).toEqual([]);
  });

  it('is none where each row has a name', async () => {
    const { notes } = await contactOf(
      'Id,Name,Company,Email',
      '1,Ada Lovelace,Analytical Ltd,ada@example.com',
      '2,Bob Stone,,bob@example.com',
    );
    expect(notes).toEqual([]);
  });
});

describe('the questions of a form', () => {
  it('are known by what they ask for', async () => {
    const { contact } = await contactOf(
      "What's your first name?,And your last name?,What's your email address?,What is your child's name?",
      'Rita,Lang,rita@example.com,Tom Lang',
      'Sam,Otto,sam@example.com,Eva Otto',
    );
    expect(contact).toMatchObject({
      firstName: { from: "What's your first name?" },
      lastName: { from: 'And your last name?' },
    });
  });
});

describe('dial codes in a column of their own', () => {
  it('are those of the phones, also where they are a number of another country', async () => {
    const { contact, wrong, text } = await contactOf(
      'Name,CountryCode,Phone',
      'Ravi Kumar,91,9876543210',
      'Siti Aminah,62,81234567890',
      'Tom Lee,1,4155552671',
      'Ann Byrne,44,7400123456',
    );
    expect(contact.phone).toMatchObject({
      from: 'Phone',
      country: { from: 'CountryCode', values: { 44: 'GB' } },
    });
    expect(contact.phone?.country).not.toHaveProperty('default');
    expect(text).not.toContain('which country are');
    expect(wrong).toEqual([]);
  });

  it('come before the country of the address, which is that of rows without one', async () => {
    const { contact } = await contactOf(
      'Name,Dial Code,Country,Phone',
      'Ravi Kumar,91,Germany,9876543210',
      'Jo Alt,,Germany,030 901820',
    );
    expect(contact.phone).toMatchObject({ country: { from: ['Dial Code', 'Country'] } });
  });

  it('are no numbers of countries', async () => {
    const { contact } = await contactOf(
      'Name,Country code,Phone',
      'Ravi Kumar,356,9876543210',
      'Jo Alt,276,030 901820',
    );
    expect(contact.phone).toMatchObject({ country: 'US' });
  });
});

describe('several people in a row', () => {
  const twoContacts = [
    'Company,Contact 1 Name,Contact 1 Email,Contact 1 Phone,Contact 2 Name,Contact 2 Email,Contact 2 Phone',
    'Alt GmbH,Anna Alt,,+4930555120,Bernd Neu,bernd@example.com,+4930555121',
    'Ost GmbH,Carla Ost,carla@example.com,,Dirk West,,+4930555122',
  ];

  it('are not mixed: the contact is the first one, and has no e-mail and no phone of another', async () => {
    const { contact, text, wrong, notes } = await contactOf(...twoContacts);
    expect(contact).toMatchObject({
      firstName: { from: 'Contact 1 Name', part: 'given' },
      email: { from: 'Contact 1 Email' },
      phone: { from: 'Contact 1 Phone' },
    });
    expect(text).toContain('Contact 2 Phone: { from: Contact 2 Phone');
    expect(text).not.toContain('please verify');
    expect(notes.join()).toContain(
      'The contact is Contact 1; these get no contact of their own: Contact 2. To import them, too,',
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Mother', 'Father', 'Pupil,Mother,Mother phone,Mother email,Father,Father phone,Father email'],
    [
      'Tenant 1',
      'Tenant 2',
      'Unit,Tenant 1,Tenant 1 Phone,Tenant 1 Email,Tenant 2,Tenant 2 Phone,Tenant 2 Email',
    ],
    [
      'Ansprechpartner 1',
      'Ansprechpartner 2',
      'Firma,Ansprechpartner 1,Telefon 1,E-Mail 1,Ansprechpartner 2,Telefon 2,E-Mail 2',
    ],
    ['Name 1', 'Name 2', 'Firm,Name 1,Phone 1,Email 1,Name 2,Phone 2,Email 2'],
    ['Contact', 'Contact 2', 'Firm,Contact,Phone,Email,Contact 2,Phone 2,Email 2'],
    [
      'Head of Household',
      'Spouse',
      'Unit,Head of Household,Head Cell,Head Email,Spouse,Spouse Cell,Spouse Email',
    ],
    [
      'Mutter',
      'Vater',
      'Kind,Name Mutter,Telefon Mutter,E-Mail Mutter,Name Vater,Telefon Vater,E-Mail Vater',
    ],
    [
      'Tenant 1',
      'Tenant 2',
      'Unit,Tenant Name 1,Tenant Phone 1,Tenant Email 1,Tenant Name 2,Tenant Phone 2,Tenant Email 2',
    ],
  ])('are found by the names of their columns: %s and %s', async (one, other, head) => {
    const { contact, notes } = await contactOf(
      head,
      'A,Maria Berg,+491715551201,m@example.com,Jens Berg,+491715551301,j@example.com',
      'B,Eva Kurz,+491715551202,e@example.com,,,',
      'C,Ida Lang,,,Tom Lang,+491715551303,t@example.com',
    );
    const [, name, phone, email] = head.split(',');
    expect(contact).toMatchObject({
      firstName: { from: name },
      phone: { from: phone },
      email: { from: email },
    });
    expect(notes.join()).toContain(`The contact is ${one}; these get no contact of their own: ${other}.`);
  });

  it('get a draft each, whose keys are not those of the others', async () => {
    const lines = twoContacts.map((line, n) => `${n === 0 ? 'Id' : n},${line}`).join('\n');
    const first = await drafted(lines);
    expect(first.draft.notes.join()).toContain('draft again for each of them: --person "Contact 2".');
    const made = await drafted(lines, 'contacts.csv', { person: 'contact 2' });
    expect(made.draft.notes.join()).toContain('The contact of this draft is Contact 2;');
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping).toMatchObject({
      mapping: 'contacts-contact-2',
      key: 'Id',
      contact: {
        firstName: { from: 'Contact 2 Name', part: 'given' },
        email: { from: 'Contact 2 Email' },
        phone: { from: 'Contact 2 Phone' },
      },
    });
    expect(made.draft.pipeline.file).toMatch(/import-contacts-contact-2\.yaml$/);
    expect(pipeline.import.source.system).toMatch(/-contact-2$/);
  });

  it('are named where another one is asked for', async () => {
    await expect(
      drafted(twoContacts.join('\n'), 'contacts.csv', { person: 'Contact 3' }),
    ).rejects.toMatchObject({
      message: '--person: no person "Contact 3" in the columns.',
      next: 'Choose one of these: Contact 1, Contact 2.',
    });
  });

  it('beside the contact are named, and give it no e-mail and no phone', async () => {
    const { contact, notes } = await contactOf(
      'Order,First Name,Last Name,Email,Phone,Buyer First Name,Buyer Last Name,Buyer Email,Buyer Phone',
      '1,Anna,Alt,anna@example.com,,Bernd,Neu,bernd@example.com,+491715551201',
      '2,Carla,Ost,,+491715551202,Bernd,Neu,bernd@example.com,+491715551201',
    );
    expect(contact).toMatchObject({
      firstName: { from: 'First Name' },
      email: { from: 'Email' },
      phone: { from: 'Phone' },
    });
    expect(notes.join()).toContain('further people, who get no contact of their own: Buyer.');
  });

  it.each([
    [
      'who pays or receives',
      'first_name,last_name,email,phone,billing_first_name,billing_last_name,billing_email,shipping_phone',
    ],
    ['an owner', 'First Name,Last Name,Email,Phone,Owner Name,Owner Last Name,Owner Email,Owner Phone'],
    ['a company', 'First Name,Last Name,Email,Phone,Company Name,Firma Name 2,Company Email,Company Phone'],
    ['a second line of a name', 'Name,Name 2,E-Mail,Telefon,Strasse,Ort,E-Mail 2,Telefon 2'],
    ['a staff member', 'First Name,Last Name,Email,Phone,Agent Name,Agent Last Name,Agent Email,Agent Phone'],
  ])('are not found where there is only %s', async (_, head) => {
    const { notes } = await contactOf(
      head,
      'Anna,Alt,anna@example.com,+491715551201,Bernd,Neu Stadt,b@example.com,+491715551301',
      'Carla,Ost,c@example.com,+491715551202,Dirk,West Stadt,d@example.com,+491715551302',
    );
    expect(notes.join()).not.toContain('Each row');
  });
});

it('takes the phone of a form from a question that is answered with phones', async () => {
  const { contact } = await contactOf(
    'Email Address,What is your full name?,What is your phone number (WhatsApp)?,Parent phone',
    'anna@example.com,Anna Alt,0803 123 4567,0803 123 4568',
    'bernd@example.com,Bernd Neu,0803 123 4569,0803 123 4560',
  );
  expect(contact.phone).toMatchObject({ from: 'What is your phone number (WhatsApp)?' });
});

describe('staff of the old system beside the contact', () => {
  it('are not the contact of a booking, whose columns come after theirs', async () => {
    const { contact, notes, wrong } = await contactOf(
      'User Name,User Email,Invitee Name,Invitee First Name,Invitee Last Name,Invitee Email,Text Reminder Number',
      'Sally Agent,sally@example.net,Anna Alt,Anna,Alt,anna@example.com,+491715551201',
      'Sally Agent,sally@example.net,Bernd Neu,Bernd,Neu,bernd@example.com,',
      'Tom Agent,tom@example.net,Carla Ost,Carla,Ost,carla@example.com,+447400123456',
    );
    expect(contact).toMatchObject({
      firstName: { from: 'Invitee First Name' },
      lastName: { from: 'Invitee Last Name' },
      email: { from: 'Invitee Email' },
    });
    expect(notes.join()).toContain('The contact is Invitee; these get no contact of their own: User.');
    expect(wrong).toEqual([]);
  });

  it('are the teammate, and not the user, where no other customer has an e-mail', async () => {
    const { contact } = await contactOf(
      'Conversation,Teammate name,Teammate email,User name,User email',
      '71,Sally Agent,sally@example.net,Anna Alt,anna@example.com',
      '72,Sally Agent,sally@example.net,Bernd Neu,bernd@example.com',
    );
    expect(contact).toMatchObject({
      firstName: { from: 'User name', part: 'given' },
      email: { from: 'User email' },
    });
  });

  it('give a customer no second e-mail', async () => {
    const { contact } = await contactOf(
      'Conversation,Customer Name,Customer Email,User Name,User Email',
      '71,Anna Alt,anna@example.com,Sally Agent,sally@example.net',
      '72,Bernd Neu,bernd@example.com,Sally Agent,sally@example.net',
    );
    expect(contact).toMatchObject({
      firstName: { from: 'Customer Name', part: 'given' },
      email: { from: 'Customer Email' },
    });
  });

  it.each(['Agent Email', 'operator id', 'Last Email From', 'Modified By'])(
    'of %s do not become the e-mail and the phone of customers who have none',
    async (staff) => {
      const { contact } = await contactOf(
        `Date,${staff},Agent Phone,Customer Name,Customer Phone`,
        '1,sally@example.net,+493012345678,Anna Alt,+491715551201',
        '2,sally@example.net,+493012345678,,+491715551202',
      );
      expect(contact).not.toHaveProperty('email');
      expect(contact.phone).toMatchObject({ from: 'Customer Phone' });
    },
  );

  it.each(['Visitor', 'Attendee', 'Requester', 'Participant'])(
    'are no reason to ask who %s is',
    async (who) => {
      const { contact } = await contactOf(
        `${who} name,${who} email,Agent Email`,
        'Anna Alt,anna@example.com,sally@example.net',
        'Bernd Neu,bernd@example.com,sally@example.net',
      );
      expect(contact).toMatchObject({ firstName: { from: `${who} name` }, email: { from: `${who} email` } });
    },
  );

  it('are the contacts where each row is one of them', async () => {
    const { contact } = await contactOf(
      'Employee,Employee Email,Phone',
      'Anna Alt,anna@example.com,+491715551201',
      'Bernd Neu,bernd@example.com,+491715551202',
    );
    expect(contact.email).toMatchObject({ from: 'Employee Email' });
  });

  it('a column of several e-mails is that of the contact, whatever its name', async () => {
    const { contact } = await contactOf(
      'name,handle: email,handle: phone',
      'Anna Alt,"anna@example.com, anna.alt@example.org",+491715551201',
      'Bernd Neu,bernd@example.com,',
    );
    expect(contact.email).toMatchObject({ from: 'handle: email' });
  });
});

it('takes the phone of who pays, and not that of who receives a present', async () => {
  const { contact, text } = await contactOf(
    'Email,Full Name,Billing Phone,Shipping Name,Shipping Phone',
    'anna@example.com,Anna Alt,,Berta West,+16175550199',
    'bob@example.com,Bob Byrne,+15125550147,Bob Byrne,+15125550147',
  );
  expect(contact.phone).toMatchObject({ from: 'Billing Phone' });
  expect(text).toContain('Shipping Phone: { from: Shipping Phone');
});
