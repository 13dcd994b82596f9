import { z } from 'zod';
import { fieldDataTypes } from '../rules/data-types.ts';
import { isCountryCode, isEmail, isLanguageCode, isPhone } from '../rules/shapes.ts';

const id = z.number().int().positive().optional();
const email = z.string().refine(isEmail, 'no valid e-mail address');

const user = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email,
  role: z.enum(['agent', 'manager', 'owner']).optional(),
  team: z.strictObject({ id: z.number().int(), name: z.string() }).nullish(),
  restrictions: z.array(z.string()).optional(),
  /** True for a user who has not accepted the invitation yet; such users are left out everywhere. */
  pending: z.boolean().optional(),
});

const customField = z.strictObject({
  id,
  name: z.string().min(1),
  slug: z.string().optional(),
  description: z.string().optional(),
  dataType: z.enum(fieldDataTypes),
  allowedValues: z.array(z.string()).optional(),
});

const tag = z.strictObject({
  id,
  name: z.string().min(1),
  description: z.string().optional(),
  emoji: z.string().optional(),
  colorCode: z.string().optional(),
});

const contact = z.strictObject({
  id,
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  phone: z.string().refine(isPhone, 'no valid phone, as +60123456789').nullish(),
  email: email.nullish(),
  language: z.string().refine(isLanguageCode, 'no ISO 639-1 code').nullish(),
  profilePic: z.string().nullish(),
  countryCode: z.string().refine(isCountryCode, 'no ISO 3166-1 alpha-2 code').nullish(),
  custom_fields: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
      }),
    )
    .nullish(),
  status: z.enum(['open', 'closed', 'blocked']).optional(),
  tags: z.array(z.string().min(1)).max(10).optional(),
  /** The e-mail of a user, or the assignee as the interface shows it in a contact. */
  assignee: z.union([z.string(), z.looseObject({ email: z.string() })]).nullish(),
  lifecycle: z.string().nullish(),
  created_at: z.number().int().optional(),
  isBlocked: z.boolean().optional(),
});

const template = z.looseObject({ id, channelId: z.number().int().positive().optional(), name: z.string() });

const message = z.looseObject({
  messageId: id,
  /** A contact's id, or its identifier: `email:ada@example.com`. */
  contactId: z.union([z.number().int(), z.string()]),
  traffic: z.enum(['outgoing', 'incoming']).optional(),
});

/** A workspace to start from, in the specification's own spelling; all ids but those of channels can be left out. */
export const seedSchema = z.strictObject({
  users: z.array(user).optional(),
  customFields: z.array(customField).optional(),
  closingNotes: z
    .array(z.strictObject({ category: z.string().min(1).max(128), description: z.string().nullish() }))
    .optional(),
  tags: z.array(tag).optional(),
  channels: z
    .array(z.looseObject({ id: z.number().int().positive(), templates: z.array(template).optional() }))
    .optional(),
  templates: z.array(template).optional(),
  contacts: z.array(contact).optional(),
  messages: z.array(message).optional(),
});

/** Returns the JSON Schema of a seed file. */
export function createSeedJsonSchema(): object {
  return z.toJSONSchema(seedSchema, { io: 'input' });
}

export type Seed = z.input<typeof seedSchema>;
export type ParsedSeed = z.output<typeof seedSchema>;
export type SeedContact = z.output<typeof contact>;

/** Validates a seed; throws an Error that names the seed (`name`) and the path of its first problem. */
export function parseSeed(value: unknown, name: string): ParsedSeed {
  const result = seedSchema.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${name} is no seed: ${issueText(result.error)}`);
}

export function parseSeedContact(value: unknown, place: string): SeedContact {
  const result = contact.safeParse(value);
  if (result.success) return result.data;
  throw new Error(`${place}: ${issueText(result.error)}`);
}

function issueText(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return 'invalid';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}
