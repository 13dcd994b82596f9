import * as z from 'zod';

const path = z.string().min(1).max(4096);

export const emptyRequestSchema = z.strictObject({});
export const startSessionRequestSchema = z.strictObject({ code: z.string().min(1).max(200) });
const plainName = z
  .string()
  .max(200)
  .regex(/^[^/\\\0.][^/\\\0]*$/, 'a plain file name');

/** The schema of an upload. */
export const uploadRequestSchema = z.strictObject({
  name: plainName,
  /** The name of the folder for several files that are one input. */
  folder: plainName.optional(),
});
export const yamlFileRequestSchema = z.strictObject({ path });
export const writeYamlRequestSchema = z.strictObject({
  path,
  text: z.string(),
  /** The etag of the text that was edited; null for a new file. */
  etag: z.string().nullable(),
});
export const checkYamlRequestSchema = z.strictObject({
  path,
  /** The text to check in place of the file's. */
  text: z.string().optional(),
});
