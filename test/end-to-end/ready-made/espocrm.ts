import { describeReadyMade } from './ready-made.ts';

const agent = 'agent@sandbox.test';
const manager = 'manager@sandbox.test';

/** What the check boxes of a contact are that has ticked none. */
const reachable = {
  'Opted out of e-mail': 'false',
  'Opted out of phone': 'false',
  'Do not call': 'false',
  'E-mail bounced': 'false',
};
const { 'E-mail bounced': _, ...withoutPrimaryAddress } = reachable;

const returns = 'Erklärte den Ablauf der Rücksendung noch einmal in Ruhe. ';

describeReadyMade('espocrm', {
  examples: 5,
  rows: { read: 17, created: 12, folded: 1, filtered: 1, rejected: 3 },
  // The last one has only the number of an office.
  rejects: ['154 identity.missing', '164 identity.missing', '166 identity.missing'],
  dropped: [
    '151 firstName.folded',
    '151 identity.folded',
    '153 phone.countryAssumed phone.name',
    '160 assignee.unknown owner.email.name',
    '161 firstName.default first_name',
    '163 countryCode.invalid address_country',
    '163 phone.countryUnknown address_country',
    '165 comments.split',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    'Other e-mails': 'text',
    Phones: 'text',
    'Opted out of e-mail': 'checkbox',
    'Opted out of phone': 'checkbox',
    'Do not call': 'checkbox',
    'E-mail bounced': 'checkbox',
  },
  tags: [],
  contacts: [
    {
      firstName: 'Ana',
      lastName: 'Ejemplo',
      email: 'ana@example.com',
      phone: '+12025550192',
      countryCode: 'US',
      customFields: {
        ...reachable,
        Company: 'Ejemplo y Compañía',
        'Job title': 'Head of "Sales"',
        'Other e-mails': 'ana@home.test',
        Phones: '+1 202-555-0192, +1 202-555-0191',
      },
      assignee: agent,
      // By their times; what the system wrote into the stream, and a post that was deleted, are left out.
      comments: [
        'Speaks Spanish; "prefers" e-mail.\nSays it\'s quicker.',
        '2024-05-04 10:10:00 Ada Agent: Called, no answer 📞',
        '2024-05-06 14:20:00 Max Manager: Sent the *offer*; she\'ll answer "soon".\n\n- chairs\n- tables \\o/',
        '2024-05-07 10:10:00 Lee Left: <p>Left my desk to <a href="https://crm.example.com/#User/view/1?a=1&amp;b=2">Max</a></p>',
      ],
    },
    // Two contacts of one address; the first one took its phone off the list.
    {
      firstName: 'Bo Erik',
      lastName: 'Prøve',
      email: 'bo@example.com',
      phone: '+442079460192',
      countryCode: 'DK',
      customFields: {
        ...reachable,
        Phones: '+44 20 7946 0192',
        'Opted out of e-mail': 'true',
        'Opted out of phone': 'true',
        'Do not call': 'true',
      },
      assignee: manager,
      comments: [
        '2024-05-08 08:00:00 Ada Agent: About the first Bo',
        '2024-05-08 07:00:00 Max Manager: About the second Bo',
      ],
    },
    // The address was deleted.
    {
      firstName: 'Dag',
      lastName: 'Onlyphone',
      phone: '+12025550194',
      customFields: { ...withoutPrimaryAddress, Phones: '(202) 555-0194' },
      assignee: agent,
    },
    // The link to the primary address was deleted, opt-out and all; the number is a fax.
    {
      firstName: 'Gilberte Anne',
      lastName: "D'Exemple",
      email: 'gil@example.com',
      countryCode: 'FR',
      customFields: {
        ...withoutPrimaryAddress,
        Company: 'D\'Exemple "Paris" SARL',
        'Job title': 'Directrice',
        'Other e-mails': 'gil@example.com',
      },
      assignee: agent,
    },
    // The account was deleted.
    {
      firstName: 'Hal',
      lastName: 'Bounced',
      email: 'hal@example.com',
      customFields: { ...reachable, 'Job title': 'Clerk', 'E-mail bounced': 'true' },
      assignee: manager,
    },
    // Two people with the number of their office stay two.
    {
      firstName: 'Ida',
      lastName: 'Office',
      email: 'ida@example.com',
      phone: '+12025550199',
      customFields: { ...reachable, Phones: '+1 202-555-0199' },
      assignee: manager,
      comments: ['2024-05-08 12:00:00 : Written by nobody that is known'],
    },
    {
      firstName: 'Jan',
      lastName: 'Office',
      email: 'jan@example.com',
      phone: '+12025550199',
      customFields: { ...reachable, Phones: '+1 202-555-0199' },
      assignee: manager,
    },
    // The owner has left.
    { firstName: 'Kaj', lastName: 'Orphan', email: 'kaj@example.com', customFields: reachable },
    { firstName: 'Unknown', email: 'sales@sample.test', customFields: reachable },
    {
      firstName: 'Lou',
      lastName: 'Sample',
      email: 'lou@example.com',
      phone: '+442079460193',
      countryCode: 'GB',
      customFields: { ...reachable, Phones: 'n/a, 020 7946 0193' },
      assignee: agent,
    },
    {
      firstName: 'Mia',
      lastName: 'Sample',
      email: 'mia@example.com',
      customFields: { ...reachable, Phones: '555' },
      assignee: agent,
    },
    // The phone was deleted.
    {
      firstName: 'Ömer',
      lastName: 'Örnek 🚚',
      email: 'oemer@example.com',
      countryCode: 'DE',
      customFields: {
        ...reachable,
        'Other e-mails': 'oemer.two@example.com',
        'Opted out of e-mail': 'true',
      },
      comments: [
        `(1/2) 2024-05-08 09:00:00 Max Manager: ${returns.repeat(16)}Erklärte den Ablauf der Rücksendung noch einmal`,
        `(2/2) in Ruhe. ${returns.repeat(3)}Ende.`,
      ],
    },
  ],
});
