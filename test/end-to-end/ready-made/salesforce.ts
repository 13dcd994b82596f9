import { describeReadyMade } from './ready-made.ts';

const agent = 'agent@sandbox.test';
const manager = 'manager@sandbox.test';

/** What the opt-outs of a contact are that has made none. */
const reachable = { 'Opted out of e-mail': 'false', 'Do not call': 'false' };

const priceList = 'Went through the whole price list, line by line, and wrote down what he said of each. ';

describeReadyMade('salesforce', {
  examples: 5,
  rows: { read: 17, created: 12, folded: 1, filtered: 2, rejected: 2 },
  // The last one has only the number of its company, which two others have, too.
  rejects: ['7 identity.missing', '19 identity.missing'],
  dropped: [
    '4 identity.folded',
    '4 lastName.folded',
    '6 phone.countryAssumed HomePhone',
    '8 phone.countryAssumed Phone',
    '9 countryCode.invalid MailingCountry',
    '9 phone.invalid Phone',
    '13 phone.countryAssumed Phone',
    '14 firstName.default FirstName',
    '15 assignee.unknown owner.Email',
    '17 email.invalid Email',
    '18 phone.extension MobilePhone',
    '4 comments.split',
  ],
  customFields: {
    Company: 'text',
    'Job title': 'text',
    Department: 'text',
    'Lead source': 'text',
    Birthday: 'date',
    'Opted out of e-mail': 'checkbox',
    'Do not call': 'checkbox',
    'E-mail bounced': 'text',
    Phones: 'text',
  },
  tags: [],
  contacts: [
    {
      firstName: 'Ann',
      lastName: 'Sample',
      email: 'ann.sample@example.com',
      phone: '+442079460142',
      countryCode: 'GB',
      customFields: {
        ...reachable,
        Company: 'Sample & Sons, Ltd.',
        'Job title': 'Head of "Sales", EMEA',
        'Lead source': 'Web',
        Birthday: '1985-12-10',
        Phones: '020 7946 0142, 020 7946 0141',
      },
      assignee: agent,
      // The task of 16 January was deleted.
      comments: [
        'Met in 2012; said "call me Annie".',
        '2012-09-01 12:00:00 Ada Agent: Email: offer',
        '2012-11-05 09:30:00 Max Manager: Call\nSaid: "next year", and\nasked for the new list 📄',
        '2013-01-15 08:00:00 Lee Left: Call\nColleague has left, see her notes',
      ],
    },
    // Two contacts of one address: what the first one opted out of stays.
    {
      firstName: 'Bo',
      lastName: "O'Sample-Two",
      email: 'bo@example.com',
      countryCode: 'US',
      customFields: {
        Company: 'Office "24/7" Inc.',
        Department: 'Purchasing',
        'Opted out of e-mail': 'true',
        'Do not call': 'true',
      },
      assignee: manager,
      comments: [
        `(1/2) 2012-10-10 10:10:10 Max Manager: Price list\n${priceList.repeat(11)}Went`,
        `(2/2) ${priceList.replace('Went ', '')}${priceList}Done.`,
        '2012-10-09 10:10:10 Max Manager: Send letter',
      ],
    },
    {
      firstName: 'Dee',
      lastName: 'Onlyphone',
      phone: '+12025550144',
      customFields: { ...reachable, Company: 'Office "24/7" Inc.', Phones: '(202) 555-0144' },
      assignee: agent,
    },
    {
      firstName: 'Finn',
      lastName: 'Sample',
      email: 'finn@example.com',
      phone: '+12025550146',
      customFields: { ...reachable, Phones: 'call reception, 202.555.0146' },
      assignee: agent,
    },
    {
      firstName: 'Gus',
      lastName: 'Sample',
      email: 'gus@example.com',
      customFields: { ...reachable, Phones: '+1 555-0147' },
      assignee: agent,
    },
    // Two people with the number of their company stay two.
    {
      firstName: 'Ida',
      lastName: 'Office',
      email: 'ida@example.com',
      phone: '+12025550150',
      customFields: { ...reachable, Company: 'Office "24/7" Inc.', Phones: '+1 202-555-0150' },
      assignee: manager,
    },
    {
      firstName: 'Jan',
      lastName: 'Office',
      email: 'jan@example.com',
      phone: '+12025550150',
      customFields: { ...reachable, Company: 'Office "24/7" Inc.', Phones: '(202) 555-0150' },
      assignee: manager,
    },
    { firstName: 'Unknown', email: 'info@sample.test', customFields: reachable, assignee: agent },
    // The owner has left.
    { firstName: 'Kim', lastName: 'Orphan', email: 'kim@example.com', customFields: reachable },
    // The account was deleted.
    {
      firstName: 'Zoë 🎉',
      lastName: 'Ñandú',
      email: 'zoe@example.com',
      countryCode: 'ES',
      customFields: { ...reachable, 'E-mail bounced': '550 5.1.1 "user unknown", said mx.example.com' },
      assignee: agent,
      comments: [
        '2013-02-01 11:00:00 Ada Agent: \n<html><body>Mail came back<br>ask for the &quot;new&quot; address</body></html>',
      ],
    },
    // What should be an address is none, and the phone says who it is.
    {
      firstName: 'Lou',
      lastName: 'Sample',
      phone: '+12025550155',
      customFields: { ...reachable, Phones: '+1 202 555 0155' },
      assignee: agent,
    },
    {
      firstName: 'mia@example.com',
      lastName: '小明',
      email: 'mia@example.com',
      phone: '+12025550156',
      customFields: { ...reachable, Birthday: '2001-02-28', Phones: '+1 202 555 0156 x427' },
    },
  ],
});
