import { z } from 'zod';
import { folderVerificationSchema } from './folder-verification.ts';

/** Returns the schema of a count. */
const n = (what: string) => z.int().min(0).describe(what);

const text = (what: string) => z.string().describe(what);

const sample = z
  .strictObject({
    share: z.number().describe('As it was asked for: 0.05 is 5%.'),
    contacts: n('How many were read back.'),
    confidence: z.number().describe('0.95 is 95%.'),
    atMost: n('With this confidence no more of all written contacts than this differ or are missing.'),
    sentence: text('The same in words.'),
  })
  .describe('Null where every contact was read back.');

const contacts = z
  .strictObject({
    written: n('All that were written.'),
    matched: n('As they were written.'),
    different: n('With a value that is not as it was written.'),
    missing: n('Not in the workspace.'),
    unread: n('The workspace did not give them.'),
    notYet: n('With a deferred step, tags that were not imported, or a value whose answer was lost.'),
    gone: n('Merged into another contact, as they should be.'),
  })
  .describe('Each contact once, by the worst that was found of it.');

const values = z
  .strictObject({
    matched: n('As they were written.'),
    different: n('Not as they were written.'),
    notYet: n('Tags that were not imported, and values whose answer was lost.'),
    byLaterRun: n('Compared with what a later run wrote.'),
  })
  .describe('What was written, value by value.');

const causes = z
  .strictObject({
    lost: n('The old value is still there.'),
    normalised: n('The workspace changed many contacts in the same way.'),
    edited: n('Something else is there.'),
    merged: n('Another contact was merged into this one since.'),
  })
  .describe('The likely causes of the different values, by evidence.');

const checksums = z
  .strictObject({
    input: z
      .strictObject({ name: text('Its path.'), fingerprint: text('Of its bytes and how they were read.') })
      .describe('What was imported.'),
    mapping: z
      .strictObject({ name: text('Its name.'), sha256: text('Of its file.') })
      .describe('The mapping as it was then.'),
    differences: z
      .strictObject({ name: text('Its name.'), sha256: text('Of its bytes.') })
      .nullable()
      .describe('The list of differences; null where there is none.'),
  })
  .describe('What the figures are about.');

/** The JSON that `verify RUN --json` prints. */
export const verificationSchema = z.strictObject({
  run: text('The run; with `all` the one whose workspace it is.'),
  pipeline: text('The name of the pipeline.'),
  workspace: text('Its base URL, or sandbox:ID.'),
  all: z
    .boolean()
    .describe('Everything the journal knows of the workspace was verified, not this run alone.'),
  exitCode: z
    .union([z.literal(0), z.literal(3)])
    .describe(
      '3 where something differs, is missing, could not be read, is uncertain, or waits for more than a deferred step.',
    ),
  startedAt: text('When the reading began.'),
  finishedAt: text('When it ended.'),
  method: z
    .strictObject({
      way: z
        .enum(['list', 'single'])
        .describe('One reading of the contact list, or a read for every contact.'),
      why: text('Why this way.'),
      requests: z.record(z.string(), z.int()).describe('By method and path.'),
    })
    .describe('How the contacts were read back.'),
  sample: sample.nullable(),
  contacts,
  values,
  causes,
  notYet: z
    .strictObject({
      deferred: n('Contacts whose deferred step was not taken.'),
      tagsByFile: n('Tags of contact-tags.csv that the contact does not have.'),
      inFlight: n('Values whose answer was lost: resume or retry the run.'),
    })
    .describe('What is not there yet.'),
  uncertain: n(
    'Comments whose answer was lost: they may be there or not, and uncertain.csv lists them.',
  ).default(0),
  cannotVerify: z
    .strictObject({
      comments: n('Comments that were sent, without the uncertain ones.'),
      closings: n('Closings with a category or a summary.'),
      workspaceTags: n('Tags of the workspace: asking for one is a write.'),
    })
    .describe('What the API does not show.'),
  fields: z
    .array(
      z.strictObject({
        field: text('Empty for the contact as a whole.'),
        verdict: text('What was found.'),
        cause: text('Why, by evidence.'),
        n: n('How often.'),
      }),
    )
    .describe('What is not matched, by field.'),
  normalised: z
    .array(
      z.strictObject({
        field: text('The field.'),
        what: text('What the workspace does.'),
        n: n('How often.'),
      }),
    )
    .describe('What the workspace does to values.'),
  checksums,
  files: z
    .strictObject({
      verification: z.string().nullable().describe('verification.csv; null where everything matched.'),
      page: text('The page to hand over.'),
    })
    .describe('The files in the folder of the run.'),
});

export type Verification = z.output<typeof verificationSchema>;

/** Returns the JSON Schema of the output of `verify --json`. */
export function createVerificationJsonSchema(): object {
  return z.toJSONSchema(z.union([verificationSchema, folderVerificationSchema]));
}

/** Returns the name of a written value for users: `customFields.NAME`, `tags`, the field or the kind. */
export function formatWrittenFieldName(kind: string, name: string): string {
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
