import * as z from 'zod';

const path = z.string().min(1).max(4096);

export const emptyRequest = z.strictObject({});
export const startSessionRequest = z.strictObject({ code: z.string().min(1).max(200) });
const plainName = z
  .string()
  .max(200)
  .regex(/^[^/\\\0.][^/\\\0]*$/, 'a plain file name');

/** The schema of an upload. */
export const uploadRequest = z.strictObject({
  name: plainName,
  /** The name of the folder for several files that are one input. */
  folder: plainName.optional(),
});
export const yamlFileRequest = z.strictObject({ path });
export const writeYamlRequest = z.strictObject({
  path,
  text: z.string(),
  /** The etag of the text that was edited; null for a new file. */
  etag: z.string().nullable(),
});
export const checkYamlRequest = z.strictObject({
  path,
  /** The text to check in place of the file's. */
  text: z.string().optional(),
});
