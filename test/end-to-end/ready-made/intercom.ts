import { describeReadyMade } from './ready-made.ts';

/** What a contact of the fixture has of whom the export says nothing more. */
const usual = {
  Role: 'user',
  'Signed up on': '2024-01-01',
  'Email opt-out': 'false',
  'Email bounced': 'false',
  'Marked as spam': 'false',
};

const tenTags = [
  ...['vip', 'newsletter', 'Beta tester', 'Ünïcode ☕', 'five'],
  ...['six', 'seven', 'eight', 'nine', 'ten'],
];

describeReadyMade('intercom', {
  examples: 8,
  rows: { read: 18, created: 13, updated: 1, folded: 1, filtered: 1, rejected: 2 },
  rejects: ['8 identity.missing', '10 email.invalid'],
  dropped: [
    '4 phone.invalid phone',
    '5 assignee.unknown owner.email',
    '5 phone.extension phone',
    '11 identity.folded',
    '15 tags.notAllowed tags.data[].id',
    '15 tags.tooMany tags.data[].id',
    '16 customFields.Monthly spend.invalid custom_attributes.monthly_spend',
    '17 customFields.Trial ends.invalid custom_attributes.trial_ends_at',
    '18 comments.left',
  ],
  customFields: {
    Company: 'text',
    'User ID': 'text',
    Role: 'text',
    'Signed up on': 'date',
    'Email opt-out': 'checkbox',
    'Email bounced': 'checkbox',
    'Marked as spam': 'checkbox',
    Plan: 'text',
    'Monthly spend': 'number',
    'Trial ends': 'date',
  },
  tags: [...tenTags, 'eleven'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Marlowe',
      email: 'ada.marlowe@example.com',
      phone: '+12025550101',
      language: 'en',
      countryCode: 'US',
      customFields: {
        ...usual,
        Company: 'Harbour Foods Ltd',
        'User ID': '25',
        'Signed up on': '2019-10-14',
        Plan: 'pro',
        'Monthly spend': '155.5',
        'Trial ends': '2024-06-30',
      },
      tags: ['vip', 'Ünïcode ☕'],
      assignee: 'jane@example.com',
      // By their time as a number: the first has a digit less.
      comments: [
        '2001-09-09 01:46 Lea Moved: First: met at the fair.\n\nWants "early" calls & no fax',
        '2023-12-31 23:59 Jane Doe: Second,\nwith two lines',
        '2024-07-01 12:00 Jane Doe: Third: renewed for a year',
      ],
    },
    {
      firstName: 'Bela',
      lastName: 'von der Heide',
      email: 'bela@example.test',
      phone: '+493023125014',
      language: 'de',
      countryCode: 'DE',
      customFields: {
        ...usual,
        Company: 'Brickyard & Sons',
        'Signed up on': '2023-12-31',
        Plan: 'free',
        'Monthly spend': '0',
      },
      tags: ['newsletter'],
      assignee: 'max@example.com',
    },
    {
      firstName: 'Unknown',
      email: 'carla.no.name@example.com',
      language: 'en',
      countryCode: 'IE',
      customFields: { ...usual, Role: 'lead' },
    },
    {
      firstName: 'dora',
      email: 'dora@example.com',
      language: 'fr',
      customFields: { ...usual, 'Email opt-out': 'true' },
      tags: ['vip'],
      comments: ['2024-01-01 10:00 : Written by a rule { {@user.12}}'],
    },
    // The owner has left.
    {
      firstName: 'Emil',
      lastName: 'Left-Alone',
      email: 'emil@example.com',
      phone: '+12025550105',
      language: 'en',
      customFields: { ...usual, Company: 'Nordlicht GmbH' },
    },
    // The owner is in no file.
    {
      firstName: 'Fumi',
      lastName: '文',
      email: 'fumi@example.com',
      language: 'ja',
      countryCode: 'JP',
      customFields: usual,
      tags: ['Beta tester'],
    },
    {
      firstName: 'Grace',
      lastName: 'of Phone',
      phone: '+442079460107',
      language: 'en',
      countryCode: 'GB',
      customFields: { ...usual, Role: 'lead' },
    },
    // The lead that signed up later: one contact, with the notes of both.
    {
      firstName: 'Inés',
      lastName: 'Paz Ortega',
      email: 'ines.paz@example.com',
      phone: '+34612345678',
      language: 'en',
      customFields: {
        ...usual,
        Company: 'Brickyard & Sons',
        'Signed up on': '2024-02-29',
        Plan: 'pro',
        'Monthly spend': '20',
        // The lead said no, and the user takes it not back.
        'Email opt-out': 'true',
      },
      tags: ['newsletter', 'Ünïcode ☕'],
      assignee: 'max@example.com',
      comments: [
        '2023-11-14 22:13 Jane Doe: Asked in the messenger\nfor a price',
        '2024-02-29 00:00 Jane Doe: Signed up',
      ],
    },
    // Two people with one phone stay two.
    {
      firstName: 'Jo',
      lastName: 'Pell',
      email: 'jo.pell@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: usual,
    },
    {
      firstName: 'Kim',
      lastName: 'Pell',
      email: 'kim.pell@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: usual,
    },
    {
      firstName: 'Lou',
      lastName: 'Tags',
      email: 'lou@example.com',
      language: 'en',
      customFields: usual,
      tags: tenTags,
    },
    {
      firstName: 'Mo',
      lastName: '🎈',
      email: 'mo@example.com',
      language: 'en',
      customFields: {
        ...usual,
        Plan: 'pro',
        'Email opt-out': 'true',
        'Email bounced': 'true',
        'Marked as spam': 'true',
      },
    },
    {
      firstName: 'Nan',
      lastName: 'Early',
      email: 'nan@example.com',
      language: 'en',
      customFields: { ...usual, 'Signed up on': '2023-11-03' },
    },
    // Was in the workspace before: the conversation stays as it is, and no comments come.
    {
      firstName: 'Olu',
      lastName: 'Again',
      email: 'olu@example.com',
      phone: '+442079460118',
      language: 'en',
      // Nor does a no that was never asked for.
      customFields: { Role: 'user', 'Signed up on': '2024-01-01', Plan: 'pro' },
      assignee: 'jane@example.com',
      status: 'open',
    },
  ],
});
