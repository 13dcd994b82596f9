import { describeReadyMade } from './ready-made.ts';

/** What a user of the fixture has of whom the export says nothing more. */
const usual = { 'Zendesk user since': '2021-03-04', Suspended: 'false', 'Email opt-out': 'false' };

const tenTags = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8', 'a9', 'a10'];

const everyInvoice = 'Asked for every invoice of the last three years, one by one.';

describeReadyMade('zendesk', {
  examples: 7,
  rows: { read: 24, created: 17, updated: 1, filtered: 4, rejected: 2 },
  rejects: ['11 identity.missing', '17 email.invalid'],
  dropped: [
    '5 phone.countryAssumed phone',
    // The assignee of the open ticket has left.
    '7 assignee.unknown ticket.assignee.email',
    '8 phone.extension phone',
    '9 phone.invalid phone',
    '18 tags.tooMany tags[]',
    '20 customFields.Plan.notAllowed user_fields.plan',
    '22 language.invalid locale',
    // She was in the workspace before: one note and one comment of a ticket.
    '24 comments.left',
    '24 comments.left',
    '21 comments.split',
  ],
  customFields: {
    Company: 'text',
    'Zendesk user since': 'date',
    'External ID': 'text',
    Suspended: 'checkbox',
    Plan: 'list',
    'Renewal date': 'date',
    'Email opt-out': 'checkbox',
  },
  tags: ['vip', 'newsletter', 'beta_programm', 'phone_caller', 'returning', ...tenTags, 'a11', 'a12'],
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
        'External ID': 'A-1',
        Plan: 'Gold',
        'Renewal date': '2026-03-01',
      },
      tags: ['vip', 'newsletter'],
      assignee: 'max@example.com',
      // The comments of both tickets by their time, not by their place in the file.
      comments: [
        'Notes in Zendesk: Prefers e-mail.\nNever before noon.',
        '2024-11-02 14:00 Ada Marlowe on ticket 5002, Invoice 77: Please send invoice 77 again',
        '2025-01-10 08:00 Ada Marlowe on ticket 5001, Cold store too warm: The cold store shows 9 degrees.',
        '2025-01-10 09:30 Max Example on ticket 5001, Cold store too warm: Set to 4 degrees; please look again tomorrow.',
        '2025-01-10 10:00 Max Example on ticket 5001, Cold store too warm: She is right, the sensor is broken',
      ],
    },
    {
      firstName: 'Bruno',
      lastName: 'Castellanos de la Vega',
      email: 'bruno.castellanos@example.com',
      phone: '+12025550102',
      language: 'es',
      customFields: { ...usual, Plan: 'Silver' },
      tags: ['newsletter'],
      comments: [
        'Details in Zendesk: Met at the spring fair',
        '2025-01-12 11:00 Bruno Castellanos de la Vega on ticket 5004, Where is my order?: Where is my order?',
        '2025-01-12 12:00 on ticket 5004, Where is my order?: On its way',
      ],
    },
    {
      firstName: 'chloe.winter',
      email: 'chloe.winter@example.com',
      language: 'fr',
      customFields: { ...usual, Company: 'Harbour Foods Ltd' },
    },
    {
      firstName: 'Dieter',
      lastName: 'Groß',
      email: 'dieter.gross@example.test',
      phone: '+493023125014',
      language: 'de',
      customFields: { ...usual, Company: 'Nordlicht GmbH', Plan: 'Gold', 'Renewal date': '2025-12-31' },
      tags: ['beta_programm'],
      comments: [
        '2025-01-11 08:00 Dieter Groß on ticket 5003, Rechnung fehlt: Mir fehlt die Rechnung vom März.',
        // An agent who has left still has a name.
        '2025-01-11 08:05 Lea Moved on ticket 5003, Rechnung fehlt: Kommt sofort.\nGruß, Lea',
      ],
    },
    {
      firstName: 'Esra',
      lastName: 'Polat',
      email: 'esra.polat@example.com',
      phone: '+12025550105',
      language: 'en',
      customFields: { ...usual, Company: 'Brickyard & Sons', Plan: 'Free' },
    },
    {
      firstName: 'Femi',
      lastName: 'Adeyemi',
      email: 'femi.adeyemi@example.com',
      language: 'en',
      customFields: { ...usual, Company: 'Brickyard & Sons' },
      tags: ['vip'],
    },
    {
      firstName: 'Caller',
      phone: '+442079460107',
      language: 'en',
      customFields: usual,
      tags: ['phone_caller'],
      comments: [
        '2025-01-13 07:00 Caller +44 20 7946 0107 on ticket 5005, Voicemail from: Caller +44 20 7946 0107: Please call me back',
      ],
    },
    {
      firstName: 'Ivy',
      lastName: 'Spammer',
      email: 'ivy@example.net',
      language: 'en',
      customFields: { ...usual, Suspended: 'true', 'Email opt-out': 'true' },
    },
    // Three people with the phone of their office stay three.
    {
      firstName: 'Gita',
      lastName: 'Rao',
      email: 'gita.rao@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: { ...usual, Company: 'Harbour Foods Ltd' },
    },
    {
      firstName: 'Hugo',
      lastName: 'Lindqvist',
      email: 'hugo.lindqvist@example.com',
      phone: '+12025550199',
      language: 'sv',
      customFields: { ...usual, Company: 'Harbour Foods Ltd' },
    },
    {
      firstName: 'Imani',
      lastName: 'Okafor',
      email: 'imani.okafor@example.com',
      phone: '+12025550199',
      language: 'en',
      customFields: { ...usual, Company: 'Harbour Foods Ltd' },
    },
    {
      firstName: 'Katya',
      lastName: 'Vale',
      email: 'katya.vale@example.com',
      language: 'en',
      customFields: { ...usual, Company: 'Brickyard & Sons' },
      tags: tenTags,
    },
    {
      firstName: 'Zoë',
      lastName: 'Ångström-Nguyễn',
      email: 'zoe@example.test',
      phone: '+442079460116',
      language: 'pt',
      customFields: {
        ...usual,
        'Zendesk user since': '2019-12-31',
        Company: 'Nordlicht GmbH',
        Plan: 'Gold',
      },
      tags: ['vip'],
      assignee: 'jane@example.com',
      comments: ['2025-01-15 07:00 Zoë Ångström-Nguyễn on ticket 5008, Größe ändern 🎈: '.trim()],
    },
    {
      firstName: 'Lars',
      lastName: 'Holm',
      email: 'lars.holm@example.com',
      phone: '+12025550117',
      language: 'en',
      customFields: usual,
    },
    {
      firstName: 'Mara',
      lastName: 'Quill',
      email: 'mara.quill@example.com',
      language: 'en',
      customFields: { ...usual, Company: 'Brickyard & Sons' },
      comments: [
        `(1/2) Details in Zendesk: ${Array(15).fill(everyInvoice).join(' ')} Asked for every invoice of the last three years, one by`,
        `(2/2) one. ${Array(4).fill(everyInvoice).join(' ')}`,
        'Notes in Zendesk: They wrote { {@user.12}} and {mention: assignee} in here.',
      ],
    },
    {
      firstName: 'Nils',
      lastName: 'Ek',
      email: 'nils.ek@example.com',
      customFields: { ...usual, 'Zendesk user since': '2024-02-29' },
    },
    {
      firstName: 'Olga',
      email: 'olga@example.com',
      phone: '+12025550120',
      language: 'en',
      customFields: { ...usual, Plan: 'Silver', 'Email opt-out': 'true' },
      tags: ['vip'],
    },
    // Was in the workspace before: her conversation stays as it is, and no comments come.
    {
      firstName: 'Priya',
      lastName: 'Example',
      email: 'priya@example.com',
      phone: '+442079460121',
      language: 'en',
      // Nor does a no that she was never asked for.
      customFields: {
        'Zendesk user since': '2021-03-04',
        Suspended: 'false',
        Company: 'Harbour Foods Ltd',
        Plan: 'Gold',
      },
      tags: ['returning'],
      assignee: 'jane@example.com',
      status: 'open',
    },
  ],
});
