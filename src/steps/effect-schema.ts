import { z } from 'zod';
import { contactFieldNames } from '../model/contact.ts';

const text = z.string().nullable();
const customValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The body of a create or an update as the journal keeps it. */
export const contactBodySchema = z.object({
  firstName: z.string(),
  lastName: text.exactOptional(),
  email: text.exactOptional(),
  phone: text.exactOptional(),
  language: text.exactOptional(),
  profilePic: text.exactOptional(),
  countryCode: text.exactOptional(),
  custom_fields: z.array(z.object({ name: z.string(), value: customValue })).exactOptional(),
});

export const identifierSchema = z.object({ kind: z.enum(['id', 'email', 'phone']), value: z.string() });

export const fieldChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contact'), name: z.enum(contactFieldNames), from: text, to: text }),
  z.object({ kind: z.literal('custom'), name: z.string(), from: customValue, to: customValue }),
]);
