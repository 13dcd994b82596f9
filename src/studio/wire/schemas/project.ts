import * as z from 'zod';

const path = z.string().min(1).max(4096);

export const nothing = z.strictObject({});
export const sessionStart = z.strictObject({ code: z.string().min(1).max(200) });
const plainName = z
  .string()
  .max(200)
  .regex(/^[^/\\\0.][^/\\\0]*$/, 'a plain file name');

/** The schema of an upload. */
export const upload = z.strictObject({
  name: plainName,
  /** The folder of several files that are one input. */
  folder: plainName.optional(),
});
export const yamlChoice = z.strictObject({ path });
export const yamlText = z.strictObject({
  path,
  text: z.string(),
  /** The etag of the text that was edited; null for a new file. */
  etag: z.string().nullable(),
});
export const yamlCheck = z.strictObject({
  path,
  /** The text to check in place of the file's. */
  text: z.string().optional(),
});
