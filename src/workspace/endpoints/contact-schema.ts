import { type ZodType, z } from 'zod';
import type { Contact } from '../../model/contact.ts';

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? null);

const name = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const customFieldEntry = z.looseObject({
  name: z.string(),
  value: z
    .union([z.string(), z.number(), z.boolean()])
    .nullish()
    .transform((value) => value ?? null),
});

const assignee = z.looseObject({ id: z.int(), firstName: name, lastName: name, email: name });

/** A contact as it is read or listed; what is missing becomes null or an empty list, what is unknown is kept. */
export const contactSchema: ZodType<Contact> = z.looseObject({
  id: z.int(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  language: text,
  profilePic: text,
  countryCode: text,
  custom_fields: z
    .array(customFieldEntry)
    .nullish()
    .transform((entries) => entries ?? []),
  status: text,
  tags: z
    .array(z.string())
    .nullish()
    .transform((tags) => tags ?? []),
  assignee: assignee.nullish().transform((user) => user ?? null),
  lifecycle: text,
  created_at: z
    .number()
    .nullish()
    .transform((seconds) => seconds ?? null),
  isBlocked: z
    .boolean()
    .nullish()
    .transform((blocked) => blocked ?? false),
});
