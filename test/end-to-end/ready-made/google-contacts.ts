import { describeReadyMade } from './ready-made.ts';

const sentences = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `Sentence ${from + n} of what was said on the phone.`).join(
    ' ',
  );

describeReadyMade('google-contacts', {
  examples: 6,
  rows: { read: 17, created: 13, folded: 1, rejected: 3 },
  // Nothing to know Hal by; of Kim only the phone that Jo has, too; a line that breaks off.
  rejects: ['11 identity.missing', '14 identity.missing', '21 row.ragged'],
  dropped: [
    '8 phone.invalid Phone 1 - Value',
    '9 firstName.default First Name',
    '10 customFields.Birthday.invalid Birthday',
    '10 phone.invalid Phone 1 - Value',
    '13 phone.countryAssumed Phone 1 - Value',
    '17 identity.folded',
    '17 phone.countryAssumed Phone 1 - Value',
    '20 customFields.Birthday.invalid Birthday',
    '15 comments.split',
  ],
  customFields: { Company: 'text', 'Job title': 'text', Birthday: 'date', 'E-mails': 'text', Phones: 'text' },
  tags: ['Friends', 'Newsletter', 'Shops', '朋友'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Quill',
      email: 'ada.quill@example.com',
      phone: '+12025550101',
      profilePic: 'https://photos.example.com/ada.jpg',
      customFields: {
        Company: 'Harbour Ltd',
        'Job title': 'Pilot',
        Birthday: '1985-02-28',
        'E-mails': 'ada.quill@example.com; ada@harbour.test',
        Phones: '(202) 555-0101; +1 202-555-0102 ext. 427',
      },
      tags: ['Friends', 'Newsletter'],
      comments: ['Calls after 3 pm\nPrefers "Ada", not Mrs Quill'],
    },
    {
      firstName: 'Björn',
      lastName: 'von Söderqvist',
      phone: '+46701740605',
      customFields: { Phones: '+46 70 174 06 05' },
      tags: ['Friends'],
    },
    {
      firstName: 'The Corner Shop',
      phone: '+493023125014',
      customFields: { Company: 'The Corner Shop', Phones: '+49 (0)30 23125-014; +49 30 23125 015' },
      tags: ['Shops'],
    },
    {
      firstName: 'Cy',
      lastName: 'Marlow',
      email: 'cy@example.com',
      customFields: { 'E-mails': 'cy@example.com; cy.marlow@example.org', Phones: 'ask him' },
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
      customFields: { 'E-mails': 'dot@example; dot@example.com', Phones: '555-01' },
    },
    {
      firstName: '小明',
      lastName: '王',
      phone: '+886912345678',
      customFields: { Phones: '+886 912 345 678' },
      tags: ['朋友'],
    },
    {
      firstName: 'Jo',
      lastName: 'Pell',
      email: 'jo.pell@example.com',
      phone: '+12025550110',
      customFields: { 'E-mails': 'jo.pell@example.com', Phones: '(202) 555-0110' },
    },
    {
      firstName: 'Lee',
      lastName: "O'Dwyer, Jr.",
      email: 'lee@example.com',
      customFields: { 'E-mails': 'lee@example.com' },
      comments: [
        `(1/2) The long story. ${sentences(1, 22)} Sentence 23 of what was said on the`,
        `(2/2) phone. ${sentences(24, 30)}`,
      ],
    },
    // 001 is how a phone of that country dials out.
    {
      firstName: 'Mia',
      lastName: 'Tarn',
      phone: '+12025550111',
      customFields: { Phones: '001-202-555-0111; 202-555-0112' },
    },
    // Two rows of one address.
    {
      firstName: 'Mia',
      lastName: 'Tarn-Ost',
      email: 'mia@example.com',
      phone: '+12025550113',
      customFields: { Company: 'Ost & Sons', 'E-mails': 'mia@example.com', Phones: '(202) 555-0113' },
      tags: ['Newsletter', 'Friends'],
    },
    {
      firstName: 'Nonny',
      email: 'nonny@example.com',
      customFields: { Birthday: '1990-12-24', 'E-mails': 'nonny@example.com' },
    },
    {
      firstName: 'ola@example.com',
      email: 'ola@example.com',
      phone: '+60123456789',
      customFields: { 'E-mails': 'ola@example.com', Phones: '+60 12-345 6789' },
    },
  ],
});
