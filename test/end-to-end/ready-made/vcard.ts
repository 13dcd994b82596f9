import { describeReadyMade } from './ready-made.ts';

// Cards of versions 2.1, 3.0 and 4.0 in one file.
describeReadyMade('vcard', {
  examples: 4,
  rows: { read: 16, created: 11, folded: 1, rejected: 4 },
  // A phone that is none and nothing else, a card of a group, a line that is no property, a card that breaks off.
  rejects: ['74 identity.missing', '81 identity.missing', '139 row.malformed', '147 row.incomplete'],
  dropped: [
    '35 customFields.Birthday.invalid BDAY',
    '57 firstName.default N.given',
    '63 phone.countryAssumed TEL.2',
    '63 phone.invalid TEL.cell',
    '88 phone.countryAssumed TEL',
    '96 phone.countryAssumed TEL',
    '114 identity.folded',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    Birthday: 'date',
    Website: 'url',
    'E-mails': 'text',
    Phones: 'text',
  },
  tags: ['Friends', 'Pilots', 'Newsletter', '朋友'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'M. Quill',
      email: 'ada.quill@example.com',
      phone: '+442079460102',
      countryCode: 'GB',
      customFields: {
        Company: 'Harbour Ltd',
        'Job title': 'Pilot',
        Birthday: '1985-02-28',
        Website: 'https://harbour.example.com',
        'E-mails': 'ada.quill@example.com; ada@harbour.test',
        Phones: '020 7946 0101 x427; 020 7946 0102',
      },
      tags: ['Friends', 'Pilots'],
      comments: [
        'Calls after 3 pm; prefers "Ada"\nSecond line that is so long that the program folds it in the middle of a word.',
      ],
    },
    {
      firstName: 'Björn',
      lastName: 'von Söderqvist',
      phone: '+46701740605',
      customFields: { Phones: '+46701740605; +46846500405' },
      comments: ['Zeile eins\r\nZeile zwei ist so lang, dass sie umbricht'],
    },
    {
      firstName: 'Cy',
      lastName: 'Marlow',
      email: 'cy@example.com',
      phone: '+12025550103',
      language: 'fr',
      customFields: { 'E-mails': 'cy@example.com; cy@example.org', Phones: '+1-202-555-0103' },
      tags: ['Newsletter', 'Pilots'],
    },
    {
      firstName: 'The Corner Shop',
      phone: '+493023125014',
      customFields: {
        Company: 'Corner & Söhne GmbH',
        Website: 'shop.example.com',
        Phones: '+49 (0)30 23125-014',
      },
    },
    {
      firstName: 'Unknown',
      email: 'nobody.named@example.com',
      customFields: { 'E-mails': 'nobody.named@example.com' },
    },
    {
      firstName: 'Dot',
      lastName: 'Ferris',
      email: 'dot@example.com',
      phone: '+12025550104',
      customFields: {
        Birthday: '1980-03-22',
        'E-mails': 'dot(at)example.com; dot@example.com',
        Phones: 'ask her; (202) 555-0104',
      },
    },
    // Two people with one phone stay two.
    {
      firstName: 'Jo',
      lastName: 'Pell',
      email: 'jo.pell@example.com',
      phone: '+12025550110',
      customFields: { 'E-mails': 'jo.pell@example.com', Phones: '(202) 555-0110' },
    },
    {
      firstName: 'Kim',
      lastName: 'Pell',
      email: 'kim.pell@example.com',
      phone: '+12025550110',
      customFields: { 'E-mails': 'kim.pell@example.com', Phones: '202.555.0110' },
    },
    {
      firstName: '小明',
      lastName: '王',
      phone: '+886912345678',
      countryCode: 'TW',
      customFields: { Phones: '0912 345 678' },
      tags: ['朋友'],
    },
    // Two cards of one address.
    {
      firstName: 'Lee',
      lastName: "O'Dwyer",
      email: 'lee@example.com',
      phone: '+12025550113',
      customFields: { 'E-mails': 'lee@example.com', Phones: '+1 202-555-0113' },
      tags: ['Friends'],
      comments: ['First note', 'Second note'],
    },
    {
      firstName: 'René',
      lastName: 'Café',
      email: 'rene@example.com',
      customFields: { Company: 'Bistro', 'E-mails': 'rene@example.com' },
    },
  ],
});
