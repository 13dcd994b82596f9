import { describeReadyMade } from './ready-made.ts';

/** What a contact of the fixture has of whom the export says nothing more. */
const usual = { 'Freshdesk contact since': '2022-05-12', 'Email opt-out': 'false' };
const ofCompany = { ...usual, 'View all tickets': 'false' };

const tenTags = ['t01', 't02', 't03', 't04', 't05', 't06', 't07', 't08', 't09', 't10'];

describeReadyMade('freshdesk', {
  examples: 6,
  rows: { read: 16, created: 11, updated: 1, folded: 1, filtered: 1, rejected: 2 },
  rejects: ['6 identity.missing', '8 email.invalid'],
  dropped: [
    '1 phone.invalid phone',
    '2 email.other other_emails[]',
    '2 phone.extension phone',
    '3 email.invalid other_emails[]',
    '3 identity.folded',
    '3 language.folded',
    '16 lastName.folded',
    '4 assignee.unknown ticket.agent.contact.email',
    '4 phone.invalid phone',
    '9 phone.invalid mobile',
    '9 phone.invalid phone',
    '12 tags.tooMany tags[]',
    '13 customFields.Account tier.notAllowed custom_fields.account_tier',
    '13 customFields.Renewal date.invalid custom_fields.renewal_date',
    // She was in the workspace before: her background, a ticket and what was said in it.
    '15 comments.left',
    '15 comments.left',
    '15 comments.left',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    'External ID': 'text',
    'Freshdesk contact since': 'date',
    'View all tickets': 'checkbox',
    'Account tier': 'list',
    'Renewal date': 'date',
    'Email opt-out': 'checkbox',
  },
  tags: ['vip', 'newsletter', 'phone', 'returning', ...tenTags, 't11'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Marlowe',
      email: 'ada.marlowe@example.com',
      phone: '+12025550101',
      language: 'en',
      customFields: {
        ...usual,
        Company: 'Harbour Foods Ltd',
        'Job title': 'Buyer',
        'External ID': 'EXT-1001',
        'View all tickets': 'true',
        'Account tier': 'Gold',
        'Renewal date': '2026-03-01',
      },
      tags: ['vip', 'newsletter'],
      assignee: 'max@example.com',
      comments: [
        'Background in Freshdesk: Knows the founder',
        '2024-11-02 14:00 ticket 11, Invoice 77: Please send invoice 77 again',
        '2024-11-03 09:00 Jane Doe on ticket 11: Here it is',
        '2025-01-10 08:00 ticket 12, Cold store too warm: It shows 9 degrees.',
        '2025-01-10 09:30 Max Example on ticket 12: Set to 4 degrees; please look again tomorrow.',
        '2025-01-10 10:00 Max Example on ticket 12: Sensor is broken, not the store',
        '2025-01-11 07:00 Ada Marlowe on ticket 12: Better now, thank you',
      ],
    },
    // The ticket is spam.
    {
      firstName: 'Bo',
      lastName: 'Carver',
      email: 'bo.carver@example.com',
      phone: '+12025550102',
      language: 'en',
      customFields: {
        ...ofCompany,
        Company: 'Brickyard & Sons',
        'Account tier': 'Silver',
        'Email opt-out': 'true',
      },
    },
    // The main address of one row is another address of the other: one person.
    {
      firstName: 'Cem',
      // The last row has only its initial.
      lastName: 'Aydın',
      email: 'cem.aydin@example.com',
      phone: '+12025550116',
      language: 'en',
      customFields: {
        ...ofCompany,
        Company: 'Brickyard & Sons',
        'External ID': 'EXT-1016',
        // One of the two said no, and the other takes it not back.
        'Email opt-out': 'true',
      },
      tags: ['newsletter'],
    },
    {
      firstName: 'Dita',
      lastName: 'Groß',
      email: 'dita.gross@example.test',
      phone: '+497112345678',
      language: 'de',
      customFields: { ...ofCompany, Company: 'Nordlicht GmbH', 'Renewal date': '2025-12-31' },
      // As the workspace already spells it.
      tags: ['vip'],
      comments: [
        '2025-01-11 08:00 ticket 13, Rechnung fehlt: Mir fehlt die Rechnung vom März.',
        '2025-01-11 08:05 Lea Moved on ticket 13: Kommt sofort.\nGruß, Lea',
      ],
    },
    {
      firstName: 'Eli',
      lastName: 'Phoneonly',
      phone: '+442079460105',
      language: 'en',
      customFields: usual,
      tags: ['phone'],
      comments: ['2025-01-12 08:00 ticket 14, Missed call:'],
    },
    { firstName: 'ivy', email: 'ivy@example.com', language: 'en', customFields: usual },
    // Two people with the phone of their office stay two.
    {
      firstName: 'Jo',
      lastName: 'Pell',
      email: 'jo.pell@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: { ...ofCompany, Company: 'Harbour Foods Ltd' },
    },
    {
      firstName: 'Kim',
      lastName: 'Pell',
      email: 'kim.pell@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: { ...ofCompany, Company: 'Harbour Foods Ltd' },
    },
    // The ticket is resolved, so nobody gets the contact for it.
    {
      firstName: 'Lu',
      lastName: 'Xiao Ming',
      email: 'lu@example.com',
      language: 'zh',
      customFields: { ...ofCompany, Company: 'Nordlicht GmbH' },
      tags: tenTags,
      comments: [
        '2025-01-15 07:00 ticket 18, Grüße 🎈: Größe ändern',
        // Whoever wrote it is in no file.
        '2025-01-15 08:00 on ticket 18: From a colleague in copy',
      ],
    },
    {
      firstName: 'Mia',
      lastName: 'Dated',
      email: 'mia@example.com',
      language: 'en',
      customFields: { ...usual, 'Freshdesk contact since': '2019-12-31' },
    },
    // Of a company that is in no file.
    { firstName: 'Ned', lastName: 'Gone', email: 'ned@example.com', language: 'en', customFields: ofCompany },
    // Was in the workspace before: her conversation stays as it is, and no comments come.
    {
      firstName: 'Olga',
      lastName: 'Old',
      email: 'olga@example.com',
      phone: '+442079460115',
      language: 'en',
      // Nor does a no that she was never asked for.
      customFields: {
        'Freshdesk contact since': '2022-05-12',
        'View all tickets': 'false',
        Company: 'Brickyard & Sons',
      },
      tags: ['returning'],
      assignee: 'jane@example.com',
      status: 'open',
    },
  ],
});
