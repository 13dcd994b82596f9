import { describeReadyMade } from './ready-made.ts';

/** What everybody of the fixture has who did not leave in a way of their own. */
const left = { Unsubscribed: 'true', 'Unsubscribed on': '2024-03-01', 'Unsubscribe reason': 'NORMAL' };

describeReadyMade('mailchimp-unsubscribed', {
  examples: 3,
  rows: { read: 15, created: 12, updated: 1, rejected: 2 },
  rejects: ['8 identity.missing', '9 email.invalid'],
  dropped: [
    '5 customFields.Unsubscribed on.invalid UNSUB_TIME',
    '5 firstName.default First Name',
    '6 phone.invalid Phone Number',
    '12 countryCode.invalid CC',
    '14 phone.extension Phone Number',
  ],
  customFields: { Unsubscribed: 'checkbox', 'Unsubscribed on': 'date', 'Unsubscribe reason': 'text' },
  tags: ['VIP', 'Spring, 2024', 'Événement'],
  contacts: [
    // Was there as a subscriber.
    { firstName: 'Olga', lastName: 'Sub-Left', email: 'olga.sub@example.com', customFields: left },
    // Was there, and is not in the file.
    {
      firstName: 'Pia',
      lastName: 'Stays',
      email: 'pia.stays@example.com',
      status: 'open',
      customFields: { Unsubscribed: 'false' },
    },
    {
      firstName: 'Ada',
      lastName: 'Left',
      email: 'ada.left@example.com',
      phone: '+12025550121',
      countryCode: 'US',
      customFields: {
        Unsubscribed: 'true',
        'Unsubscribed on': '2023-11-30',
        'Unsubscribe reason': 'Too many letters, "really"',
      },
      tags: ['VIP', 'Spring, 2024'],
    },
    {
      firstName: 'Björn',
      lastName: 'Söderqvist',
      email: 'bjorn.left@example.org',
      phone: '+46701740605',
      countryCode: 'SE',
      customFields: { ...left, 'Unsubscribe reason': 'NOSIGNUP' },
    },
    { firstName: 'Unknown', email: 'nameless.left@example.com', customFields: { Unsubscribed: 'true' } },
    {
      firstName: 'Cy',
      lastName: 'Left',
      email: 'cy.left@example.com',
      countryCode: 'US',
      customFields: left,
      tags: ['VIP'],
    },
    {
      firstName: 'Dee',
      lastName: 'Left',
      phone: '+12025550122',
      countryCode: 'US',
      customFields: { ...left, 'Unsubscribe reason': 'SPAM' },
    },
    // Two people with one phone stay two.
    {
      firstName: 'Gus',
      lastName: 'Left',
      email: 'gus.left@example.com',
      phone: '+12025550124',
      countryCode: 'US',
      customFields: left,
    },
    {
      firstName: 'Hal',
      lastName: 'Left',
      email: 'hal.left@example.com',
      phone: '+12025550124',
      countryCode: 'US',
      customFields: left,
    },
    { firstName: 'Ida', email: 'ida.left@example.com', customFields: left },
    {
      firstName: '小明',
      lastName: '王',
      email: 'xiaoming.left@example.net',
      phone: '+886912345678',
      countryCode: 'TW',
      customFields: { ...left, 'Unsubscribe reason': 'INAPPROPRIATE' },
    },
    {
      firstName: 'Jo "Joey"',
      lastName: "O'Left",
      email: 'jo.left@example.com',
      phone: '+12025550125',
      countryCode: 'US',
      customFields: left,
    },
    { firstName: 'kim.left@example.com', email: 'kim.left@example.com', customFields: left },
    {
      firstName: 'Lee',
      lastName: 'Left',
      email: 'lee.left@example.com',
      phone: '+493023125016',
      countryCode: 'DE',
      customFields: left,
      tags: ['Événement'],
    },
  ],
});
