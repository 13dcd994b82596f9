import * as z from 'zod';
import { countryCodeOf } from '../../datatypes/index.ts';
import { checkNoUnion, checkRule, columnName, ruleShape } from './field-rule.ts';

const country = z.string().refine((text) => countryCodeOf(text) !== undefined, {
  error: (issue) => `${JSON.stringify(issue.input)} is not a country; write an ISO 3166-1 code such as US`,
});

const phoneCountry = z
  .union([
    country,
    z.strictObject({
      from: z
        .union([columnName, z.array(columnName).min(1)])
        .optional()
        .describe("The column with the row's country."),
      default: country.optional().describe('The country if the row has none.'),
    }),
  ])
  .describe(
    'The country of numbers that are written without a country code; left out, the country that countryCode gives.',
  );

const defaultText = z.string().min(1).describe('The value for a new contact if the row has none.');

const withDefault = z.strictObject({ ...ruleShape, default: defaultText.optional() }).superRefine(checkRule);

const single = withDefault.superRefine(checkNoUnion);

const identifierDefault = 'an e-mail or a phone takes no default: every row would be the same person';

const identifier = {
  ...ruleShape,
  default: z
    .never({ error: identifierDefault })
    .optional()
    .describe('Not possible: every row would be the same person.'),
};

/** `contact:`, a rule for each field of a contact (specification: Contact). */
export const contactRules = z
  .strictObject({
    firstName: single
      .refine((rule) => rule.empty !== 'clear', {
        message: 'a first name cannot be cleared: the workspace requires one',
        path: ['empty'],
      })
      .optional()
      .describe('Required by the workspace for a new contact.'),
    lastName: withDefault.optional().describe('The family name.'),
    email: z
      .strictObject(identifier)
      .superRefine(checkRule)
      .superRefine(checkNoUnion)
      .optional()
      .describe('Lower-cased and trimmed.'),
    phone: z
      .strictObject({ ...identifier, country: phoneCountry.optional() })
      .superRefine(checkRule)
      .superRefine(checkNoUnion)
      .optional()
      .describe('Becomes an E.164 number such as +60123456789.'),
    language: single.optional().describe('Names and locales become ISO 639-1.'),
    profilePic: single.optional().describe('The URL of an image.'),
    countryCode: single.optional().describe('Names and alpha-3 codes become ISO 3166-1 alpha-2.'),
  })
  .describe("The contact's own fields.");
