import { type ZodType, z } from 'zod';
import type { Contact } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { Tag } from '../../model/tag.ts';
import type { User } from '../../model/user.ts';

// Unknown properties are kept everywhere; `or` replaces a missing or null property with its second argument.

const or = <T, N>(schema: ZodType<T>, none: N) => schema.nullish().transform((value) => value ?? none);

const text = or(z.string(), null);
const name = or(z.string(), '');
const optionalText = z.string().nullish();

/** The answer to a change without content; the code comes as text or as a number. */
export const acknowledgementSchema = z.looseObject({
  code: z.union([z.string(), z.number()]),
  message: name,
});

/** The answer to a change of a contact. */
export const contactReferenceSchema = z.looseObject({ contactId: z.int() });

const customFieldEntry = z.looseObject({
  name: z.string(),
  value: or(z.union([z.string(), z.number(), z.boolean()]), null),
});

/** A contact as it is read or listed. */
export const contactSchema: ZodType<Contact> = z.looseObject({
  id: z.int(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  language: text,
  profilePic: text,
  countryCode: text,
  custom_fields: or(z.array(customFieldEntry), []),
  status: text,
  tags: or(z.array(z.string()), []),
  assignee: or(z.looseObject({ id: z.int(), firstName: name, lastName: name, email: name }), null),
  lifecycle: text,
  created_at: or(z.number(), null),
  isBlocked: or(z.boolean(), false),
});

/** An internal comment as it was added. */
export const commentSchema = z.looseObject({ contactId: z.int(), text: z.string(), created_at: z.number() });

const status = z.looseObject({ value: z.string(), timestamp: z.number().nullish(), message: optionalText });

/** A message; variants of its content and sender that the specification does not show are kept unchanged. */
export const messageSchema = z.looseObject({
  messageId: z.int({ error: 'messageId is not an integer below 2^53 and cannot be read exactly' }),
  channelMessageId: z.union([z.string(), z.number()]).nullish(),
  contactId: z.int(),
  channelId: z.int(),
  traffic: z.string(),
  message: z.looseObject({ type: optionalText, text: optionalText }).nullish(),
  status: or(z.array(status), []),
  sender: z.looseObject({ source: optionalText }).nullish(),
});

export const customFieldSchema: ZodType<CustomField> = z.looseObject({
  id: z.int(),
  name: z.string(),
  slug: or(z.string(), undefined),
  description: optionalText,
  dataType: z.string(),
  allowedValues: z.array(z.string()).nullish(),
});

export const tagSchema: ZodType<Tag> = z.looseObject({
  id: z.int(),
  name: z.string(),
  description: optionalText,
  emoji: optionalText,
  colorCode: optionalText,
});

export const userSchema: ZodType<User> = z.looseObject({
  id: z.int(),
  firstName: name,
  lastName: name,
  email: z.string(),
  role: optionalText,
  team: z.looseObject({ id: z.int(), name }).nullish(),
  restrictions: z.array(z.string()).nullish(),
});

export const closingNoteSchema = z.looseObject({ category: z.string(), description: optionalText });

/**
 * A message template; its components are kept unchanged: the specification shows five variants, and none is
 * interpreted.
 */
export const templateSchema = z.looseObject({
  id: z.int().nullish(),
  name: z.string(),
  components: or(z.array(z.looseObject({})), []),
  channelId: z.int().nullish(),
  languageCode: optionalText,
  category: optionalText,
  status: optionalText,
});
