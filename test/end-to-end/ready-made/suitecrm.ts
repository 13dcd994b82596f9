import { describeReadyMade } from './ready-made.ts';

const agent = 'agent@sandbox.test';
const manager = 'manager@sandbox.test';

/** What the check boxes of a contact are that has ticked none. */
const reachable = { 'Opted out of e-mail': 'false', 'Do not call': 'false', 'E-mail bounced': 'false' };
const { 'E-mail bounced': _, ...withoutPrimaryAddress } = reachable;

const question = 'The customer asked how the yearly service works and what it costs. ';

describeReadyMade('suitecrm', {
  examples: 6,
  rows: { read: 20, created: 15, folded: 1, filtered: 1, rejected: 3 },
  // All contacts stand on one line, as mysqldump writes them. No address, none that is one, and a company's phone alone.
  rejects: ['279, row 16 identity.missing', '279, row 20 identity.missing', '279, row 6 identity.missing'],
  dropped: [
    '279, row 12 assignee.unknown owner.email.email_address',
    '279, row 15 countryCode.invalid primary_address_country',
    '279, row 17 email.invalid email.email_address',
    '279, row 10 firstName.folded',
    '279, row 10 identity.folded',
    '279, row 19 phone.countryAssumed phone_home',
    '279, row 9 phone.countryAssumed phone_work',
    '279, row 14 phone.countryAssumed phone_work',
    '279, row 15 phone.countryUnknown primary_address_country',
    '279, row 14 phone.extension phone_work',
    '279, row 2 comments.split',
    '279, row 13 firstName.default first_name',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    Department: 'text',
    'Lead source': 'text',
    Birthday: 'date',
    'Other e-mails': 'text',
    Phones: 'text',
    'Opted out of e-mail': 'checkbox',
    'Do not call': 'checkbox',
    'E-mail bounced': 'checkbox',
  },
  tags: ['V.I.P.', 'press', 'newsletter', 'R&D'],
  contacts: [
    {
      firstName: 'Ada',
      lastName: 'Example',
      email: 'ada@example.com',
      phone: '+442079460101',
      countryCode: 'GB',
      customFields: {
        ...reachable,
        Company: 'Sample & Sons, Ltd.',
        'Job title': 'Head of "Sales"',
        'Lead source': 'Trade Show',
        Birthday: '1985-12-10',
        'Other e-mails': 'ada.private@example.org',
        Phones: '+44 20 7946 0101',
      },
      tags: ['V.I.P.', 'press'],
      assignee: agent,
      // Notes and calls by their times; a note, a call and a link to a call were deleted.
      comments: [
        "Prefers e-mail; doesn't like calls.",
        '2024-03-02 10:00:00 Max Manager: Inbound call, Held: Conference',
        '2024-03-04 09:15:00 Lee Left: First contact\nMet at the fair & liked it.\n\nCall her back.',
        '2024-03-05 10:00:00 Ada Agent: Outbound call, Held: Offer\nWants <b>two</b> chairs',
        '2024-03-05 16:30:00 Ada Agent: Second call\nShe said: "send it by Friday".\r\nC:\\offers\\2024 has it 👍',
      ],
    },
    {
      firstName: 'Björn',
      lastName: 'Beispiel',
      email: 'bjoern@example.com',
      phone: '+493023125555',
      countryCode: 'DE',
      customFields: {
        ...reachable,
        Company: 'Beispiel GmbH',
        Phones: '030 23125 555',
        'Opted out of e-mail': 'true',
        'Do not call': 'true',
      },
      tags: ['newsletter'],
      assignee: manager,
      comments: [
        '2024-03-02 10:00:00 Max Manager: Inbound call, Held: Conference',
        `(1/2) 2024-03-04 11:00:00 Max Manager: Yearly service\n${question.repeat(14)}The`,
        `(2/2) ${question.replace('The ', '')}${question.repeat(2)}End of the call.`,
      ],
    },
    // None of the addresses is the primary one.
    {
      firstName: 'Chloé',
      lastName: 'Échantillon',
      email: 'chloe@example.com',
      countryCode: 'FR',
      customFields: { ...withoutPrimaryAddress, 'Other e-mails': 'chloe@example.com' },
      assignee: agent,
      comments: [
        "2024-03-07 12:00:00 Ada Agent: Filed under the contact itself\nIt's the parent of this note.",
      ],
    },
    // The link to the primary address, and the account, were deleted.
    {
      firstName: 'Dmitri',
      lastName: 'Primer',
      email: 'dmitri@example.com',
      customFields: { ...withoutPrimaryAddress, 'Other e-mails': 'dmitri@example.com' },
      assignee: agent,
    },
    {
      firstName: 'Eun-ji',
      lastName: 'Gyeon',
      phone: '+442079460105',
      customFields: { ...withoutPrimaryAddress, Phones: '+44 20 7946 0105' },
      assignee: agent,
    },
    {
      firstName: 'Gwen',
      lastName: "O'Sample",
      email: 'gwen@example.com',
      customFields: { ...reachable, Department: 'R&D', 'E-mail bounced': 'true' },
      tags: ['R&D'],
    },
    // Two people with the number of their company stay two.
    {
      firstName: 'Ivy',
      lastName: 'Switchboard',
      email: 'ivy@example.com',
      phone: '+12025550110',
      customFields: { ...reachable, Company: 'Sample & Sons, Ltd.', Phones: '(202) 555-0110' },
      assignee: manager,
    },
    // Two contacts of one address.
    {
      firstName: 'Jonathan',
      lastName: 'Switchboard',
      email: 'jon@example.com',
      phone: '+12025550110',
      customFields: {
        ...reachable,
        Company: 'Sample & Sons, Ltd.',
        'Job title': 'Caretaker',
        Phones: '+1 202-555-0110',
        'Opted out of e-mail': 'true',
      },
      assignee: manager,
    },
    // The owner has left.
    { firstName: 'Liz', lastName: 'Orphan', email: 'liz@example.com', customFields: reachable },
    { firstName: 'Unknown', email: 'nobody@example.com', customFields: reachable, assignee: agent },
    {
      firstName: 'Max',
      lastName: 'Sample',
      email: 'max@sample.test',
      phone: '+12025550114',
      customFields: { ...reachable, Phones: 'ask Anna, 202-555-0114 x427' },
      assignee: agent,
    },
    {
      firstName: 'Nia',
      lastName: 'Sample',
      email: 'nia@example.com',
      customFields: { ...reachable, Phones: '12345' },
      assignee: agent,
    },
    {
      firstName: 'Pia 🎉',
      lastName: 'Sample',
      email: 'pia@example.com',
      customFields: { ...reachable, 'Other e-mails': 'pia@example.com' },
      assignee: agent,
    },
    // The other address is that of a prospect with the same id.
    {
      firstName: 'Quinn',
      lastName: 'Sample',
      email: 'quinn@example.com',
      countryCode: 'US',
      customFields: reachable,
      assignee: agent,
      comments: ['2024-03-08 08:00:00 Administrator: No text'],
    },
    // The address was deleted.
    {
      firstName: 'Rosa',
      lastName: 'Back\\slash',
      phone: '+12025550119',
      customFields: { ...withoutPrimaryAddress, Phones: '202 555 0119' },
      assignee: agent,
    },
  ],
});
