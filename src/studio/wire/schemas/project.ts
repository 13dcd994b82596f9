import * as z from 'zod';

const path = z.string().min(1).max(4096);

export const nothing = z.strictObject({});
export const sessionStart = z.strictObject({ code: z.string().min(1).max(200) });
/** The name of a file that is sent, which its place in the work dir is called after. */
export const upload = z.strictObject({
  name: z
    .string()
    .max(200)
    .regex(/^[^/\\\0.][^/\\\0]*$/, 'a plain file name'),
});
export const yamlChoice = z.strictObject({ path });
export const yamlText = z.strictObject({
  path,
  text: z.string(),
  /** Of the text that was changed; null for a file that must not be there yet. */
  etag: z.string().nullable(),
});
export const yamlCheck = z.strictObject({
  path,
  /** What to check in place of what the file has. */
  text: z.string().optional(),
});
