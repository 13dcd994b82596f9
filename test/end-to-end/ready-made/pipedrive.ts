import { describeReadyMade } from './ready-made.ts';

/** What people of the fixture have who were not created or asked in a way of their own. */
const usual = { Created: '2024-02-03', 'Opted out': 'false', 'Marketing status': 'No consent' };
const jane = 'jane@example.com';

describeReadyMade('pipedrive', {
  examples: 5,
  rows: { read: 16, created: 12, folded: 1, rejected: 3 },
  // Dot has nothing but a company, Eve a status that may be an opt-out, Jo only the phone of the whole reception.
  rejects: ['7 identity.missing', '8 customFields.Opted out.invalid', '12 identity.missing'],
  dropped: [
    '2 phone.countryAssumed Person - Phone - Work',
    '2 phone.extension Person - Phone - Work',
    '5 firstName.default Person - First name',
    '6 assignee.unknown Person - Owner',
    '6 phone.invalid Person - Phone - Home',
    '6 phone.invalid Person - Phone - Mobile',
    '9 phone.countryAssumed Person - Phone - Mobile',
    '10 phone.countryAssumed Person - Phone - Work',
    '11 phone.countryAssumed Person - Phone - Work',
    '14 assignee.folded',
    '14 customFields.Marketing status.folded',
    '14 identity.folded',
    '14 lastName.folded',
    '15 phone.countryAssumed Person - Phone - Mobile',
    '16 customFields.Birthday.invalid Person - Birthday',
  ],
  customFields: {
    Company: 'text',
    Created: 'date',
    Birthday: 'date',
    'Opted out': 'checkbox',
    'Marketing status': 'text',
    'E-mails': 'text',
    Phones: 'text',
  },
  tags: ['Hot lead', 'Customer', 'VIP ✨'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Quill',
      email: 'ada.quill@example.com',
      phone: '+12025550101',
      customFields: {
        Company: 'Harbour, Ltd',
        Created: '2023-11-30',
        Birthday: '1985-02-28',
        'Opted out': 'false',
        'Marketing status': 'Subscribed',
        'E-mails': 'ada.quill@example.com; ada@harbour.test; ada@example.org',
        Phones: '(202) 555-0101 x427; +1 202-555-0102',
      },
      tags: ['Hot lead', 'Customer'],
      assignee: jane,
    },
    {
      firstName: 'Björn',
      lastName: 'von Söderqvist',
      phone: '+46701740605',
      customFields: {
        ...usual,
        'Opted out': 'true',
        'Marketing status': 'Unsubscribed',
        Phones: '+46 70 174 06 05',
      },
      tags: ['Customer'],
      assignee: jane,
    },
    {
      firstName: 'Bo',
      phone: '+493023125014',
      customFields: { ...usual, Phones: '+49 (0)30 23125-014' },
      assignee: 'max@example.com',
    },
    {
      firstName: 'Unknown',
      email: 'nameless@example.com',
      customFields: { ...usual, 'E-mails': 'nameless@example.com' },
    },
    // The owner has left: nobody is assigned.
    {
      firstName: 'Cy',
      lastName: 'Marlow',
      email: 'cy@example.com',
      customFields: {
        ...usual,
        'Opted out': 'true',
        'Marketing status': 'Bounced',
        'E-mails': 'cy(at)example.com; cy@example.com',
        Phones: 'ask him; 12345',
      },
    },
    // A reception's phone is nobody's identity.
    {
      firstName: 'Gus',
      lastName: 'Tarn',
      email: 'gus@example.com',
      phone: '+12025550106',
      customFields: {
        ...usual,
        Company: 'Reception Inc',
        'E-mails': 'gus@example.com',
        Phones: '202-555-0106; (202) 555-0100',
      },
      assignee: jane,
    },
    {
      firstName: 'Hal',
      lastName: 'Tarn',
      email: 'hal@example.com',
      phone: '+12025550100',
      customFields: {
        ...usual,
        Company: 'Reception Inc',
        'E-mails': 'hal@example.com',
        Phones: '(202) 555-0100',
      },
      assignee: jane,
    },
    {
      firstName: 'Ida',
      lastName: 'Tarn',
      email: 'ida@example.com',
      phone: '+12025550100',
      customFields: {
        ...usual,
        Company: 'Reception Inc',
        'E-mails': 'ida@example.com',
        Phones: '202.555.0100',
      },
      assignee: jane,
    },
    {
      firstName: '小明',
      lastName: '王',
      email: 'ming@example.net',
      phone: '+886912345678',
      customFields: { ...usual, 'E-mails': 'ming@example.net', Phones: '+886 912 345 678' },
      tags: ['VIP ✨'],
      assignee: jane,
    },
    // Two people of Pipedrive with one address: the opt-out of the first stays.
    {
      firstName: 'Kim',
      lastName: 'Pell-Ost',
      email: 'kim@example.com',
      phone: '+12025550113',
      customFields: {
        ...usual,
        'Opted out': 'true',
        'E-mails': 'kim@example.com',
        Phones: '202 555 0113',
      },
      tags: ['Hot lead', 'Customer'],
      assignee: jane,
    },
    {
      firstName: 'Lee "Lefty"',
      lastName: "O'Dwyer",
      email: 'lee@example.com',
      customFields: { 'Opted out': 'false', 'E-mails': 'lee@example.com' },
      assignee: jane,
    },
    {
      firstName: 'mia@example.com',
      email: 'mia@example.com',
      customFields: {
        ...usual,
        'Opted out': 'true',
        'Marketing status': 'Archived',
        'E-mails': 'mia@example.com',
      },
      assignee: jane,
    },
  ],
});
