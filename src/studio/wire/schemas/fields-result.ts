import * as z from 'zod';

/** The schema of the output of `fields --all --json`. */
export const fieldsResultSchema = z.object({
  workspace: z.string(),
  fields: z.array(z.object({ name: z.string(), dataType: z.string(), allowedValues: z.array(z.string()) })),
  users: z
    .array(z.object({ id: z.number(), firstName: z.string(), lastName: z.string(), email: z.string() }))
    .nullable(),
  stages: z.array(z.string()).nullable(),
});
