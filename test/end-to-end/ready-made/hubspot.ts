import { describeReadyMade } from './ready-made.ts';

/** What a contact of the fixture has of whom the export says nothing more. */
const usual = {
  'HubSpot contact since': '2024-03-12',
  'Email opt-out': 'false',
  'Marketing contact': 'true',
};

const everyInvoice = 'They asked for every invoice of the last three years.';

describeReadyMade('hubspot', {
  examples: 8,
  rows: { read: 17, created: 12, updated: 1, folded: 1, rejected: 3 },
  rejects: ['8 identity.missing', '9 email.invalid', '19 row.ragged'],
  dropped: [
    '5 assignee.unknown owner.Email',
    '5 phone.invalid Phone Number',
    '6 assignee.unknown Contact owner',
    '12 countryCode.invalid Country/Region',
    '15 customFields.Birthday.invalid Date of birth',
    '15 lifecycle.unknown Lifecycle Stage',
    '16 comments.left',
    '16 lifecycle.backward',
    '17 identity.folded',
  ],
  customFields: {
    Company: 'text',
    Industry: 'text',
    'Job title': 'text',
    Birthday: 'date',
    'HubSpot contact since': 'date',
    'Email opt-out': 'checkbox',
    'Marketing contact': 'checkbox',
    'Merged HubSpot records': 'text',
  },
  tags: [
    ...['Connected', 'Decision Maker', 'Budget Holder', 'Open Deal', 'New', 'Attempted to Contact'],
    ...['In Progress', 'End User', 'Bad Timing', 'Champion', 'Blocker', 'Influencer', 'Open'],
  ],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Marlowe',
      email: 'ada.marlowe@example.com',
      phone: '+12025550151',
      language: 'en',
      countryCode: 'US',
      customFields: {
        ...usual,
        Company: 'Harbour Foods Ltd',
        Industry: 'Food & Beverages',
        'Job title': 'Buyer',
        Birthday: '1985-12-10',
        'Merged HubSpot records': '76340251;46897301;76226001',
      },
      tags: ['Connected', 'Decision Maker', 'Budget Holder'],
      lifecycle: 'Customer',
      assignee: 'jane@example.com',
      comments: [
        '2014-08-27 20:50 Lea Moved: First: met at the fair',
        '2024-05-03 09:05 Max Example: Second, "plain" text,\nwith a second line',
        '2024-05-03 16:20 Jane Doe: Third & last: signed\nBudget: 5 < 6',
      ],
    },
    {
      firstName: 'Bo',
      lastName: 'Carver',
      email: 'bo.carver@example.com',
      phone: '+442079460102',
      language: 'en',
      countryCode: 'GB',
      customFields: {
        ...usual,
        Company: 'Brickyard & Sons',
        'Email opt-out': 'true',
        'Marketing contact': 'false',
      },
      tags: ['Open Deal'],
      lifecycle: 'Payment',
      assignee: 'max@example.com',
      // The note of two contacts stands at both.
      comments: ['2024-05-03 09:05 Max Example: Second, "plain" text,\nwith a second line'],
    },
    {
      firstName: 'Unknown',
      email: 'nameless@example.com',
      customFields: usual,
      tags: ['New'],
      lifecycle: 'New Lead',
    },
    // The owner has left.
    {
      firstName: 'Cem',
      lastName: 'Aydın',
      email: 'cem.aydin@example.com',
      language: 'tr',
      countryCode: 'TR',
      customFields: { ...usual, Company: 'Nordlicht GmbH' },
      tags: ['Attempted to Contact'],
      lifecycle: 'Hot Lead',
      comments: [
        `(1/2) 2024-06-01 10:00 Max Example: ${Array(17).fill(everyInvoice).join(' ')} They asked for every invoice of the last three`,
        `(2/2) years. ${Array(6).fill(everyInvoice).join(' ')}`,
      ],
    },
    {
      firstName: 'Dita',
      lastName: 'Groß',
      email: 'dita.gross@example.test',
      phone: '+497112345678',
      language: 'de',
      countryCode: 'DE',
      customFields: { ...usual, Company: 'Nordlicht GmbH' },
      tags: ['In Progress', 'End User'],
      lifecycle: 'Hot Lead',
      comments: ['2024-06-02 10:00 : { {@user.12}} and {mention: assignee} stand in the text'],
    },
    {
      firstName: 'Eli',
      lastName: 'Phoneonly',
      phone: '+12025550106',
      countryCode: 'US',
      customFields: usual,
      lifecycle: 'New Lead',
    },
    // Two people with one phone stay two.
    {
      firstName: 'Hal',
      lastName: 'Pell',
      email: 'hal.pell@example.com',
      phone: '+12025550199',
      customFields: usual,
      lifecycle: 'New Lead',
      comments: ['2024-06-04 10:00 Max Example:'],
    },
    {
      firstName: 'Kim',
      lastName: 'Pell',
      email: 'kim.pell@example.com',
      phone: '+12025550199',
      customFields: usual,
      lifecycle: 'Customer',
      assignee: 'jane@example.com',
    },
    {
      firstName: 'ivy.lane',
      email: 'ivy.lane@example.com',
      customFields: usual,
      tags: ['Bad Timing'],
      lifecycle: 'New Lead',
    },
    {
      firstName: 'Jan, the "Elder"',
      lastName: "O'Dwyer",
      email: 'jan@example.com',
      customFields: { ...usual, 'Job title': 'Line one\nLine two' },
      tags: ['Champion', 'Blocker', 'Influencer'],
      lifecycle: 'Customer',
      assignee: 'jane@example.com',
    },
    {
      firstName: 'Lou',
      lastName: 'Dated',
      email: 'lou@example.com',
      customFields: { ...usual, 'HubSpot contact since': '2019-12-31' },
    },
    // Was in the workspace before, as a customer: nobody goes backwards, and no comments come.
    {
      firstName: 'Mo',
      lastName: 'Returning',
      email: 'mo@example.com',
      phone: '+442079460114',
      // Nor does a no that was never asked for.
      customFields: {
        'HubSpot contact since': '2024-03-12',
        'Marketing contact': 'true',
        Company: 'Brickyard & Sons',
      },
      tags: ['Open'],
      lifecycle: 'Customer',
      assignee: 'max@example.com',
      status: 'open',
    },
    // Two records with one address: one contact, with the notes of both.
    {
      firstName: 'Nan',
      lastName: 'Twice-Ng',
      email: 'nan@example.com',
      phone: '+12025550116',
      // One of the two said no, and the other takes it not back.
      customFields: { ...usual, Company: 'Harbour Foods Ltd', 'Email opt-out': 'true' },
      tags: ['New', 'Connected'],
      lifecycle: 'Customer',
      assignee: 'max@example.com',
      comments: ["2024-06-05 10:00 Jane Doe: Nan's first", "2024-06-06 10:00 Max Example: Nan's second"],
    },
  ],
});
