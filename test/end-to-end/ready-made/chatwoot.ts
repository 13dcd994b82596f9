import { describeReadyMade } from './ready-made.ts';

describeReadyMade('chatwoot', {
  examples: 5,
  rows: { read: 16, created: 12, folded: 1, rejected: 3 },
  rejects: ['5 identity.missing', '11 identity.missing', '17 row.ragged'],
  dropped: [
    '6 firstName.default name',
    '7 phone.invalid phone_number',
    '10 email.invalid email',
    '12 phone.countryAssumed phone_number',
    '14 identity.folded',
    '14 lastName.folded',
  ],
  customFields: {
    Company: 'text',
    Identifier: 'text',
    'Custom attribute 1': 'text',
    'Custom attribute 2': 'text',
  },
  tags: ['vip', 'press', '朋友'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Quill',
      email: 'ada.quill@example.com',
      phone: '+12025550101',
      customFields: {
        Company: 'Harbour, Ltd',
        Identifier: 'crm-7',
        'Custom attribute 1': 'gold',
        'Custom attribute 2': 'north',
      },
      tags: ['vip', 'press'],
    },
    { firstName: 'Björn', lastName: 'von Söderqvist', phone: '+46701740605', tags: ['vip'] },
    { firstName: '+1 202-555-0103', phone: '+12025550103' },
    { firstName: 'Unknown', email: 'nameless@example.com' },
    { firstName: 'cy@example.com', email: 'cy@example.com', tags: ['press'] },
    { firstName: '王小明', email: 'ming@example.net', phone: '+886912345678', tags: ['朋友'] },
    {
      firstName: 'Dot',
      lastName: '"Dottie" Ferris 🎪',
      email: 'dot@example.com',
      phone: '+12025550104',
      customFields: { Company: 'Circus 🎪', 'Custom attribute 2': 'south' },
      tags: ['vip', 'press'],
    },
    { firstName: 'Eve', lastName: 'Tarn', phone: '+493023125014' },
    // Two people with one phone stay two.
    {
      firstName: 'Jo',
      lastName: 'Pell',
      email: 'jo.pell@example.com',
      phone: '+12025550110',
      customFields: { Identifier: 'crm-11', 'Custom attribute 1': 'silver' },
    },
    {
      firstName: 'Kim',
      lastName: 'Pell',
      email: 'kim.pell@example.com',
      phone: '+12025550110',
      customFields: { Identifier: 'crm-12' },
    },
    // Two rows of one address.
    {
      firstName: 'Lee',
      lastName: "O'Dwyer-Ost",
      email: 'lee@example.com',
      phone: '+12025550113',
      customFields: { Identifier: 'crm-14' },
      tags: ['press', 'vip'],
    },
    {
      firstName: '=HYPERLINK("x")',
      email: 'formula@example.com',
      customFields: { Company: '@Company' },
    },
  ],
});
