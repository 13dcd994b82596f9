import * as z from 'zod';

/** The schema of the output of `fields --json`. */
export const fieldsResultSchema = z.object({
  workspace: z.string(),
  fields: z.array(z.object({ name: z.string(), dataType: z.string(), allowedValues: z.array(z.string()) })),
});
