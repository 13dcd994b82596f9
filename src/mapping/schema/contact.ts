import * as z from 'zod';
import { parseCountryCode } from '../../datatypes/index.ts';
import {
  checkFieldRule,
  columnNameSchema,
  disallowKeepUnion,
  familyFirstSchema,
  fieldRuleShape,
  furtherValuesRuleSchema,
  namePartSchema,
} from './field-rule.ts';

const country = z.string().refine((text) => parseCountryCode(text) !== undefined, {
  error: (issue) => `${JSON.stringify(issue.input)} is not a country; write an ISO 3166-1 code such as US`,
});

const phoneCountry = z
  .union([
    country,
    z.strictObject({
      from: z
        .union([columnNameSchema, z.array(columnNameSchema).min(1)])
        .optional()
        .describe("The column with the row's country."),
      values: z
        .record(z.string(), country.nullable())
        .optional()
        .describe(
          'Translates cells, without regard to case; null is no country, as a word that is not understood. Where countryCode reads the same column, its values hold here, too, and these hold there.',
        ),
      default: country
        .optional()
        .describe('The country of rows whose cell is empty; one that is not understood takes no default.'),
    }),
  ])
  .describe(
    'The country of numbers that are written without a country code; left out, the country that countryCode gives.',
  );

const defaultText = z.string().min(1).describe('The value for a new contact if the row has none.');

const single = z
  .strictObject({ ...fieldRuleShape, default: defaultText.optional() })
  .superRefine(checkFieldRule)
  .superRefine(disallowKeepUnion);

const name = z
  .strictObject({
    ...fieldRuleShape,
    part: namePartSchema.optional(),
    familyFirst: familyFirstSchema.optional(),
    default: defaultText.optional(),
  })
  .superRefine(checkFieldRule);

const identifierDefault = 'an e-mail or a phone takes no default: every row would be the same person';

const identifier = {
  ...fieldRuleShape,
  also: furtherValuesRuleSchema.optional(),
  default: z
    .never({ error: identifierDefault })
    .optional()
    .describe('Not possible: every row would be the same person.'),
};

/** The schema of `contact:`, a rule for each field of a contact (specification: Contact). */
export const contactRulesSchema = z
  .strictObject({
    firstName: name
      .superRefine(disallowKeepUnion)
      .refine((rule) => rule.empty !== 'clear', {
        message: 'a first name cannot be cleared: the workspace requires one',
        path: ['empty'],
      })
      .optional()
      .describe('Required by the workspace for a new contact.'),
    lastName: name.optional().describe('The family name.'),
    email: z
      .strictObject(identifier)
      .superRefine(checkFieldRule)
      .superRefine(disallowKeepUnion)
      .optional()
      .describe('Lower-cased and trimmed.'),
    phone: z
      .strictObject({ ...identifier, country: phoneCountry.optional() })
      .superRefine(checkFieldRule)
      .superRefine(disallowKeepUnion)
      .optional()
      .describe('Becomes an E.164 number such as +60123456789.'),
    language: single.optional().describe('Names and locales become ISO 639-1.'),
    profilePic: single.optional().describe('The URL of an image.'),
    countryCode: single.optional().describe('Names and alpha-3 codes become ISO 3166-1 alpha-2.'),
  })
  .describe("The contact's own fields.");

/** The custom field that gets further phones or e-mails (`also`); `of` is the contact field whose rule names it. */
export interface FurtherValuesField {
  readonly of: 'email' | 'phone';
  readonly name: string;
  readonly create: boolean;
}

/** Returns the custom fields that `also` names. */
export function listFurtherValuesFields(
  contact: z.output<typeof contactRulesSchema>,
): readonly FurtherValuesField[] {
  return (['email', 'phone'] as const).flatMap((of) => {
    const rule = contact[of]?.also;
    if (rule === undefined) return [];
    const { field: name, create = false } = typeof rule === 'string' ? { field: rule } : rule;
    return [{ of, name, create }];
  });
}

export type PhoneRule = NonNullable<z.output<typeof contactRulesSchema>['phone']>;
