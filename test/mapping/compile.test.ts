import { expect, test } from 'vitest';
import { compileMapping, parseMapping } from '../../src/mapping/index.ts';
import { rowOf } from './rows.ts';

const acme = `
mapping: acme-contacts
key: Record ID
identify: [email, phone]
contact:
  firstName:   { from: First Name, default: Unknown }
  lastName:    { from: Last Name }
  email:       { from: Email }
  phone:       { from: [Mobile Phone, Phone], country: { from: Country, default: US } }
  language:    { from: Language, values: { English: en, French: fr } }
  countryCode: { from: Country }
customFields:
  Company:   { from: Company Name, type: text }
  Score:     { from: Lead Score, type: number, decimal: "," }
  Plan:      { from: Plan, type: list, values: { Gold tier: gold }, create: true, slug: plan, allowed: [gold, silver] }
  Birthday:  { from: DOB, type: date, formats: [MM/dd/yyyy, yyyy-MM-dd] }
  Opted in:  { from: Opt-in, type: checkbox, checked: ["yes", "1"], unchecked: ["no", "0", ""] }
`;

test('the mapping of the documentation makes a draft of a whole row', () => {
  const map = compileMapping(parseMapping(acme, 'acme.yaml'));
  const mapped = map(
    rowOf({
      'Record ID': ' 7 ',
      'First Name': '',
      'Last Name': ' Lovelace\u3000',
      Email: ' ADA@Example.com ',
      'Mobile Phone': 'none',
      Phone: '(202) 456-1111 x12',
      Language: 'french',
      Country: 'United States',
      'Company Name': 'Analytical Engines',
      'Lead Score': '1,5',
      Plan: 'gold TIER',
      DOB: '12/10/1815',
      'Opt-in': '',
    }),
  );
  expect(mapped).toEqual({
    ok: true,
    draft: {
      emailAsWritten: 'ADA@Example.com',
      key: '7',
      values: {
        contact: {
          lastName: 'Lovelace',
          email: 'ada@example.com',
          phone: '+12024561111',
          language: 'fr',
          countryCode: 'US',
        },
        customFields: {
          Company: 'Analytical Engines',
          Score: 1.5,
          Plan: 'gold',
          Birthday: '1815-12-10',
          'Opted in': false,
        },
      },
      defaults: { contact: { firstName: 'Unknown' }, customFields: {} },
      dropped: [
        { code: 'phone.invalid', column: 'Mobile Phone', reason: expect.stringContaining('no digits') },
        { code: 'phone.extension', column: 'Phone', reason: expect.stringContaining('12') },
      ],
    },
  });
});

test('all that is wrong with a row is said together', () => {
  const map = compileMapping(parseMapping(acme, 'acme.yaml'));
  const mapped = map(rowOf({ 'Record ID': '8', Email: 'nobody', 'Lead Score': '1,2,3', Plan: 'lead' }));
  expect(mapped.ok ? [] : mapped.problems.map(({ code, column }) => [code, column])).toEqual([
    ['email.invalid', 'Email'],
    ['customFields.Score.invalid', 'Lead Score'],
    ['customFields.Plan.notAllowed', 'Plan'],
  ]);
});
