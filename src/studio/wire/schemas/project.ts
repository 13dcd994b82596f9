import * as z from 'zod';

const path = z.string().min(1).max(4096);

export const emptyRequestSchema = z.strictObject({});
export const startSessionRequestSchema = z.strictObject({ code: z.string().min(1).max(200) });
/** The address of a workspace and its token, as typed. */
export const connectRequestSchema = z.strictObject({
  baseUrl: z.string().max(2000),
  token: z.string().max(10_000),
});
const plainName = z
  .string()
  .max(200)
  .regex(/^[^/\\\0.][^/\\\0]*$/, 'a plain file name');

/** The schema of the fields of an upload, whose body is the file. */
export const uploadRequestSchema = z.strictObject({
  name: plainName,
  /**
   * The folder that the file is stored in together with others of the same input; left out for a single file.
   */
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
