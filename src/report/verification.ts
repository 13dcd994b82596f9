import { z } from 'zod';

const n = z.int().min(0);

/** What `verify RUN --json` prints. */
export const verificationSchema = z.strictObject({
  run: z.string().describe('The run; with `all` the one whose workspace it is.'),
  pipeline: z.string(),
  workspace: z.string().describe('Its base URL, or sandbox:ID.'),
  all: z
    .boolean()
    .describe('Everything the journal knows of the workspace was verified, not this run alone.'),
  exitCode: z.union([z.literal(0), z.literal(3)]),
  startedAt: z.string(),
  finishedAt: z.string(),
  method: z.strictObject({
    way: z.enum(['list', 'single']).describe('One reading of the contact list, or a read for every contact.'),
    why: z.string(),
    requests: z.record(z.string(), n).describe('By method and path.'),
  }),
  sample: z
    .strictObject({
      share: z.number().describe('As it was asked for: 0.05 is 5%.'),
      contacts: n.describe('How many were read back.'),
      confidence: z.number(),
      atMost: n.describe(
        'With this confidence no more contacts than this differ or are missing, of all that were written.',
      ),
      sentence: z.string(),
    })
    .nullable(),
  contacts: z
    .strictObject({ written: n, matched: n, different: n, missing: n, unread: n, notYet: n, gone: n })
    .describe(
      'Each contact once, by the worst that was found of it; gone: merged into another one, as it should be.',
    ),
  values: z.strictObject({
    matched: n,
    different: n,
    notYet: n,
    byLaterRun: n.describe('Compared with what a later run wrote.'),
  }),
  causes: z
    .strictObject({ lost: n, normalised: n, edited: n, merged: n })
    .describe('Of the different values, by evidence.'),
  notYet: z
    .strictObject({ deferred: n, tagsByFile: n, inFlight: n })
    .describe('Contacts with a deferred step, tags that nobody imported, values whose answer was lost.'),
  cannotVerify: z.strictObject({ comments: n, closings: n, workspaceTags: n }),
  fields: z
    .array(z.strictObject({ field: z.string(), verdict: z.string(), cause: z.string(), n }))
    .describe('What is not matched, by field.'),
  normalised: z.array(z.strictObject({ field: z.string(), what: z.string(), n })),
  checksums: z
    .strictObject({
      input: z.strictObject({ name: z.string(), fingerprint: z.string() }),
      mapping: z.strictObject({ name: z.string(), sha256: z.string() }),
      differences: z.strictObject({ name: z.string(), sha256: z.string() }).nullable(),
    })
    .describe('What was imported, and the list of differences.'),
  files: z.strictObject({ verification: z.string().nullable(), page: z.string() }),
});

export type Verification = z.output<typeof verificationSchema>;

/** The JSON Schema of what `verify --json` prints. */
export function verificationJsonSchema(): object {
  return z.toJSONSchema(verificationSchema);
}

/** The name of what was written, as people know it; empty for the contact as a whole. */
export function fieldText(kind: string, name: string): string {
  switch (kind) {
    case 'custom':
      return `customFields.${name}`;
    case 'tag':
    case 'fileTag':
      return 'tags';
    case 'contact':
    case 'step':
      return name;
    default:
      return kind;
  }
}
