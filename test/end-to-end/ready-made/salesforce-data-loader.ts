import { describeReadyMade } from './ready-made.ts';

/** What contacts of the fixture have who were not created or asked in a way of their own. */
const usual = { Created: '2012-08-27', 'Opted out of e-mail': 'false', 'Do not call': 'false' };
const jane = 'jane@example.com';
const max = 'max@example.com';

describeReadyMade('salesforce-data-loader', {
  examples: 5,
  rows: { read: 15, created: 9, folded: 1, filtered: 2, rejected: 3 },
  // Eve has neither, Fay a field that may be an opt-out, Ida only the phone of the whole reception.
  rejects: ['8 identity.missing', '9 customFields.Opted out of e-mail.invalid', '12 identity.missing'],
  dropped: [
    '5 assignee.unknown OWNER.EMAIL',
    '5 firstName.default FIRSTNAME',
    '6 email.invalid EMAIL',
    '6 phone.countryAssumed PHONE',
    '7 countryCode.invalid MAILINGCOUNTRY',
    '7 customFields.Birthday.invalid BIRTHDATE',
    '7 phone.countryUnknown MAILINGCOUNTRY',
    '7 phone.invalid PHONE',
    '10 phone.countryAssumed MOBILEPHONE',
    '11 phone.countryAssumed PHONE',
    '13 assignee.folded',
    '13 identity.folded',
    '13 lastName.folded',
    '14 customFields.Created.folded',
    '14 phone.countryAssumed MOBILEPHONE',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    Department: 'text',
    'Lead source': 'text',
    Birthday: 'date',
    Created: 'date',
    'Opted out of e-mail': 'checkbox',
    'Do not call': 'checkbox',
    'E-mail bounced': 'text',
    Phones: 'text',
  },
  tags: [],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Quill',
      email: 'ada.quill@example.com',
      phone: '+442079460142',
      countryCode: 'GB',
      customFields: {
        ...usual,
        Company: 'Harbour & Sons, Ltd.',
        'Job title': 'Pilot',
        Department: 'North',
        'Lead source': 'Web',
        Birthday: '1985-12-10',
        Created: '2005-11-22',
        Phones: '020 7946 0142; 020 7946 0141 ext. 7',
      },
      assignee: jane,
      comments: ['Met in 2012.\nPrefers "Ada".'],
    },
    {
      firstName: 'Björn',
      lastName: 'von Söderqvist',
      phone: '+46701740605',
      countryCode: 'SE',
      customFields: {
        ...usual,
        'Opted out of e-mail': 'true',
        'Do not call': 'true',
        Phones: '070-174 06 05',
      },
      assignee: max,
    },
    // The owner has left: nobody is assigned. The zero after the country code is not dialled.
    {
      firstName: 'Unknown',
      lastName: 'Müller',
      phone: '+493023125016',
      customFields: {
        ...usual,
        Company: 'Café Müller',
        Phones: '+49 030 23125016; +49 (0)30 23125-014',
      },
    },
    {
      firstName: 'Cy',
      lastName: 'Marlow',
      phone: '+12025550103',
      customFields: { ...usual, 'E-mail bounced': '550 no such user', Phones: '(202) 555-0103' },
      assignee: jane,
    },
    {
      firstName: 'Dot',
      lastName: 'Ferris',
      email: 'dot@example.com',
      customFields: { ...usual, Phones: '12345; n/a' },
      assignee: jane,
    },
    // A reception's phone is nobody's identity.
    {
      firstName: 'Gus',
      lastName: 'Tarn',
      email: 'gus@example.com',
      phone: '+12025550106',
      customFields: { ...usual, Company: 'Reception Inc', Phones: '202-555-0106; (202) 555-0100' },
      assignee: jane,
    },
    {
      firstName: 'Hal',
      lastName: 'Tarn',
      email: 'hal@example.com',
      phone: '+12025550100',
      customFields: { ...usual, Company: 'Reception Inc', Phones: '(202) 555-0100' },
      assignee: jane,
    },
    // Two contacts with one address: the opt-out of the first stays, and the day on which it was created.
    {
      firstName: 'Kim',
      lastName: 'Pell-Ost',
      email: 'kim@example.com',
      phone: '+12025550113',
      customFields: {
        ...usual,
        'Lead source': 'Fair',
        Created: '2010-01-01',
        'Opted out of e-mail': 'true',
        Phones: '202 555 0113',
      },
      assignee: max,
      comments: ['First record', 'Second record'],
    },
    {
      firstName: '小明',
      lastName: '王',
      email: 'ming@example.net',
      phone: '+886912345678',
      countryCode: 'TW',
      customFields: { ...usual, Phones: '0912 345 678' },
    },
  ],
});
