import { describeReadyMade } from './ready-made.ts';

const agent = 'agent@sandbox.test';
const manager = 'manager@sandbox.test';

/** What the check boxes of a contact are that has ticked none. */
const reachable = { 'Opted out of e-mail': 'false', 'Do not call': 'false', 'E-mail bounced': 'false' };
const { 'E-mail bounced': _, ...withoutPrimaryAddress } = reachable;

const numerals = ['eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'];
const question = 'Wants to know how the trial works, and who pays for the parcels 📦. ';
const priceList = '2023-10-10 14:00:00 Ada Agent: Inbound call, Held: Price list\nSent by post';

describeReadyMade('sugarcrm', {
  examples: 6,
  rows: { read: 16, created: 13, folded: 1, filtered: 1, rejected: 1 },
  rejects: ['217 identity.missing'],
  dropped: [
    '215 firstName.folded',
    '214 identity.folded',
    '223 assignee.unknown owner.email.email_address',
    '224 language.invalid preferred_language',
    '224 phone.invalid phone_mobile',
    '225 phone.countryAssumed phone_work',
    '225 phone.extension phone_work',
    '226 firstName.default first_name',
    '227 email.invalid email.email_address',
    '228 tags.tooMany tags.name',
    '221 comments.split',
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
  tags: ['VIP', 'Trade fair, Berlin', 'Newsletter', ...numerals, 'elf'],
  contacts: [
    // Who takes the second address off the list is off it. One tag, and the link to another, were deleted.
    {
      firstName: 'Alma',
      lastName: 'Example',
      email: 'alma@example.com',
      phone: '+12025550171',
      language: 'en',
      countryCode: 'US',
      customFields: {
        ...reachable,
        Company: 'Muster & Söhne',
        'Job title': 'Buyer',
        'Lead source': 'Web Site',
        Birthday: '1979-01-31',
        'Other e-mails': 'alma@home.test',
        Phones: '+1 (202) 555-0171',
        'Opted out of e-mail': 'true',
      },
      tags: ['VIP', 'Trade fair, Berlin'],
      assignee: agent,
      comments: [
        'Knows the "old" catalogue by heart.',
        '2023-10-09 09:00:00 Ada Agent: First call\nLikes blue\nand green',
        priceList,
        `2023-10-12 09:00:00 Max Manager: Follow-up\nIt's fine; 'tis all \\o/ said (she), and "signed".\r\nThanks!`,
      ],
    },
    // Two contacts of one address.
    {
      firstName: 'Bruno',
      lastName: 'Beispiel',
      email: 'bruno@example.com',
      phone: '+493023125701',
      language: 'de',
      countryCode: 'DE',
      customFields: {
        ...reachable,
        Company: 'Muster & Söhne',
        Department: 'Purchasing',
        Phones: '030 23125 701',
        'Opted out of e-mail': 'true',
        'Do not call': 'true',
      },
      tags: ['Newsletter', 'VIP'],
      assignee: manager,
      comments: ['2023-10-14 10:00:00 Ada Agent: Of the doubled person'],
    },
    {
      firstName: 'Dina',
      lastName: 'Onlyphone',
      phone: '+442079460174',
      customFields: { ...withoutPrimaryAddress, Phones: '+44 (0)20 7946 0174' },
      assignee: agent,
    },
    {
      firstName: 'Greta',
      lastName: "O'Neil-Sample",
      email: 'greta@example.com',
      customFields: {
        ...reachable,
        Company: "The 'Quoted' Company",
        'Job title': 'Director, "Ops" & more',
        'E-mail bounced': 'true',
      },
      assignee: agent,
      comments: ['2023-10-13 10:00:00 Ada Agent: Under the contact\nFiled from the contact'],
    },
    // Two primary addresses; the account was deleted.
    {
      firstName: 'Henk',
      lastName: 'van der Voorbeeld',
      email: 'henk@example.com',
      phone: '+442079460178',
      countryCode: 'GB',
      customFields: { ...reachable, Phones: '020 794 60178' },
      assignee: manager,
    },
    {
      firstName: 'Inês',
      lastName: 'Exemplo',
      email: 'ines@example.com',
      language: 'pt',
      countryCode: 'BR',
      customFields: { ...withoutPrimaryAddress, 'Other e-mails': 'ines@example.com' },
      assignee: manager,
      comments: [
        `(1/2) 2023-10-10 10:00:00 Max Manager: Trial\n${question.repeat(14).trim()}`,
        `(2/2) ${question.repeat(2)}That is all.`,
      ],
    },
    // The owner has left.
    { firstName: 'Jara', lastName: 'Orphan', email: 'jara@example.com', customFields: reachable },
    {
      firstName: 'Kofi',
      lastName: 'Sample',
      email: 'kofi@example.com',
      customFields: { ...reachable, Phones: '0000' },
      assignee: agent,
    },
    {
      firstName: 'Lena',
      lastName: 'Sample',
      email: 'lena@example.com',
      phone: '+12025550182',
      customFields: { ...reachable, Phones: '202.555.0182 ext. 9, 202 555 0199' },
      assignee: agent,
      comments: [priceList],
    },
    { firstName: 'Unknown', email: 'info@sample.test', customFields: reachable, assignee: agent },
    // What should be an address is none, and the phone says who it is.
    {
      firstName: 'Mo',
      lastName: 'Sample',
      phone: '+12025550184',
      customFields: { ...reachable, Phones: '+1 202 555 0184' },
      assignee: agent,
    },
    {
      firstName: 'Nils',
      lastName: 'Manytags',
      email: 'nils@example.com',
      customFields: reachable,
      tags: numerals,
    },
    // Henk's number: the company's, and they stay two.
    {
      firstName: 'Oona',
      lastName: 'Samaphone',
      email: 'oona@example.com',
      phone: '+442079460178',
      customFields: { ...reachable, Phones: '+442079460178' },
      assignee: manager,
    },
  ],
});
