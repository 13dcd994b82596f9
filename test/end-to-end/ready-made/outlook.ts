import { describeReadyMade } from './ready-made.ts';

// The fixture is in windows-1252, as Outlook for Windows writes it.
describeReadyMade('outlook', {
  examples: 4,
  rows: { read: 15, created: 12, folded: 1, rejected: 2 },
  // Of Eve an address of Exchange alone and the company's phone; of Jo only the phone of the whole reception.
  rejects: ['10 identity.missing', '14 identity.missing'],
  dropped: [
    '2 email.invalid E-mail Address',
    '2 phone.extension Business Phone',
    '7 phone.invalid Mobile Phone',
    '7 phone.invalid Home Phone',
    '7 customFields.Birthday.invalid Birthday',
    '9 email.invalid E-mail Address',
    '15 countryCode.invalid Home Country/Region',
    '16 identity.folded',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    Birthday: 'date',
    Website: 'url',
    'E-mails': 'text',
    Phones: 'text',
  },
  tags: ['VIP', 'Pilots', 'Läden', 'Ärzte'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'M. Quill',
      email: 'ada.quill@example.com',
      phone: '+442079460101',
      countryCode: 'GB',
      customFields: {
        Company: 'Harbour Ltd',
        'Job title': 'Pilot',
        Birthday: '1985-02-28',
        Website: 'http://harbour.example.com',
        'E-mails': 'ada.quill@example.com',
        Phones: '020 7946 0101 x427; 020 7946 0100',
      },
      tags: ['VIP', 'Pilots'],
      comments: ['Calls after 3 pm\r\nPrefers "Ada"'],
    },
    {
      firstName: 'Björn',
      lastName: 'Söderqvist',
      phone: '+46701740605',
      countryCode: 'SE',
      customFields: { Phones: '070-174 06 05; 08-465 004 05' },
      tags: ['VIP'],
    },
    {
      firstName: 'Café Müller',
      phone: '+493023125014',
      countryCode: 'DE',
      customFields: {
        Company: 'Café Müller',
        Birthday: '1990-12-24',
        Phones: '030 23125-014; 030 23125-010',
      },
      tags: ['Läden'],
    },
    {
      firstName: 'Cy',
      lastName: 'Marlow',
      email: 'cy@example.com',
      customFields: { 'E-mails': 'cy@example.com', Phones: 'ask him; 12345' },
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
        'E-mails': 'dot(at)example.com; dot@example.com; dot@example.org',
        Phones: '+1 202-555-0104',
      },
      tags: ['Pilots', 'VIP'],
    },
    // A reception's phone is nobody's identity: four people stay four.
    {
      firstName: 'Gus',
      lastName: 'Tarn',
      email: 'gus@example.com',
      phone: '+12025550106',
      customFields: {
        Company: 'Reception Inc',
        'E-mails': 'gus@example.com',
        Phones: '(202) 555-0106; (202) 555-0100',
      },
    },
    {
      firstName: 'Hal',
      lastName: 'Tarn',
      email: 'hal@example.com',
      phone: '+12025550100',
      customFields: { Company: 'Reception Inc', 'E-mails': 'hal@example.com', Phones: '(202) 555-0100' },
    },
    {
      firstName: 'Ida',
      lastName: 'Tarn',
      email: 'ida@example.com',
      phone: '+12025550100',
      customFields: { Company: 'Reception Inc', 'E-mails': 'ida@example.com', Phones: '(202) 555-0100' },
    },
    {
      firstName: 'Inés',
      lastName: 'Otero Núñez',
      phone: '+34600000000',
      customFields: { Phones: '+34 600 000 000' },
      tags: ['Ärzte'],
    },
    // Two rows of one address.
    {
      firstName: 'Kim',
      lastName: 'Pell-Ost',
      email: 'kim@example.com',
      phone: '+12025550113',
      customFields: { 'E-mails': 'kim@example.com', Phones: '202 555 0113' },
      tags: ['Pilots'],
      comments: ['Pays in € only – always'],
    },
    {
      firstName: 'Lee',
      lastName: "O'Dwyer",
      email: 'lee@example.com',
      phone: '+35312345678',
      countryCode: 'IE',
      customFields: { Birthday: '1980-03-22', 'E-mails': 'lee@example.com', Phones: '+353 1 234 5678' },
    },
  ],
});
