import * as z from 'zod';
import { type SourceFormat, sourceFormats } from '../sources/registry.ts';
import { createFormatUnionSchema } from './by-format.ts';
import { exportSchema } from './export/schema.ts';
import { notifySchema } from './notify.ts';
import { durationSchema, shareOrCountSchema } from './quantities.ts';
import { requestLimitsShape, workspaceSchema } from './workspace.ts';

const system = z
  .string()
  .trim()
  .min(1)
  .optional()
  .describe(
    "The CRM that the keys of the rows belong to: an import remembers keys per system. Left out: the mapping's name.",
  );

const path = z.string().min(1).describe('The input, relative to this file; - for standard input.');

function sourceOf({ name, options, live }: SourceFormat) {
  const format = z.literal(name).describe('The format of the input.');
  return z
    .strictObject({ ...options.shape, format, system, ...(live === true ? {} : { path }) })
    .superRefine((source, context) => {
      // The cross-field checks of the options are not part of their shape.
      const { format: _format, path: _path, system: _system, ...given } = source;
      for (const issue of options.safeParse(given).error?.issues ?? []) {
        context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] });
      }
    });
}

/** `source:`, with the options of each input format. */
const sourceSchema = createFormatUnionSchema(sourceFormats, sourceOf).describe('Where the rows come from.');

const policy = z
  .strictObject({
    onMatch: z
      .enum(['update', 'fill', 'skip', 'reject'])
      .default('update')
      .describe(
        'What to do with a row whose contact exists: update it, fill only its empty fields, skip the row, or reject it.',
      ),
    onConflict: z
      .enum(['review', 'merge', 'prefer-email', 'prefer-phone', 'reject'])
      .default('review')
      .describe('What to do with a row whose e-mail and phone belong to different contacts.'),
    onDeleted: z
      .enum(['skip', 'recreate'])
      .default('skip')
      .describe(
        'What to do with a row whose contact was deleted in the workspace since an earlier import, or whose person was forgotten: skip it, or create the contact again.',
      ),
    samePerson: z
      .enum(['evidence', 'identifier'])
      .default('evidence')
      .describe(
        'How people are recognised. evidence: by keys, e-mails, phones and names together. identifier: one equal key, e-mail or phone is enough, whatever the names are.',
      ),
    unsure: z
      .enum(['review', 'same', 'different'])
      .default('review')
      .describe(
        'What to do with a row that may be the same person as another row or a contact. review: leave it for an answer in same-person.csv. same, different: take this as the answer for all.',
      ),
    duplicates: z
      .enum(['merge', 'first', 'last', 'reject'])
      .default('merge')
      .describe('What to do with several rows of one person.'),
    maxPeoplePerPhone: z
      .int()
      .min(1)
      .default(5)
      .describe('A phone that more people of the input share is kept as a value, but not used for matching.'),
    uncertain: z
      .enum(['hold', 'resend'])
      .default('hold')
      .describe('What to do with a comment that may have been sent.'),
    maxErrors: shareOrCountSchema
      .prefault('5%')
      .describe(
        'Stops the run at more rejected and failed rows: a share of the finished rows, checked from row 200 on, or a number.',
      ),
    lookup: z.enum(['auto', 'single', 'snapshot']).default('auto').describe('How contacts are looked up.'),
    workspace: z
      .enum(['shared', 'exclusive'])
      .optional()
      // No default in the output: `check` suggests `exclusive` only where the pipeline does not set it.
      .meta({
        default: 'shared',
        description:
          'Whether others create contacts during the import. shared: each row looks its person up right before it creates a contact. exclusive: no one else does, so whoever is not in the contact list is created without a look-up; afterwards the list is read again and checked for doubles.',
      }),
  })
  .describe('Decisions about rows and contacts.');

const guard = z
  .strictObject({
    creates: shareOrCountSchema.optional().describe('Contacts created.'),
    updates: shareOrCountSchema.optional().describe('Contacts updated.'),
    merges: shareOrCountSchema.optional().describe('Contacts merged.'),
    clears: shareOrCountSchema.optional().describe('Values of existing contacts emptied.'),
  })
  .describe(
    'The most that an import may change: numbers, or shares of the rows read. It plans first, and stops with exit code 4 before it sends anything beyond that, unless --yes is given.',
  );

const limits = z
  .strictObject({
    ...requestLimitsShape,
    settle: durationSchema
      .prefault('2m')
      .describe('How long a new contact may take to show up before it counts as missing.'),
  })
  .describe('Rates and time limits.');

const importSchema = z
  .strictObject({
    source: sourceSchema,
    mapping: z.string().min(1).describe('The mapping file, relative to this one.'),
    workspace: workspaceSchema.prefault({}).describe('Where the rows go.'),
    policy: policy.prefault({}),
    limits: limits.prefault({}),
    deferred: z
      .array(z.enum(['lifecycle', 'assignee', 'conversation']))
      .default([])
      .describe('Steps that an import leaves out until it is run with --deferred.'),
    guard: guard.optional(),
    notify: notifySchema.optional(),
    extensions: z
      .strictObject({
        attachTags: z
          .strictObject({
            method: z.enum(['POST', 'PUT']).describe('The method of the request.'),
            path: z
              .string()
              .startsWith('/', 'a path begins with a slash')
              .includes('{identifier}', { error: 'the path names the contact with {identifier}' })
              .describe('The path; {identifier} is the contact.'),
            body: z.literal('tags').describe('What is sent: tags, a list of names.'),
          })
          .optional()
          .describe('Attaches tags to a contact; for tags with attach: extension.'),
      })
      .optional()
      .describe('Operations that this workspace offers beyond the documented API.'),
    timeout: durationSchema.optional().describe('Stops the run after this time; it can be continued.'),
  })
  .describe('Imports contacts into the workspace.');

/** The schema of a pipeline YAML, which either imports or exports. */
export const pipelineSchema = z
  .strictObject({
    pipeline: z.string().min(1).describe("The pipeline's name."),
    import: importSchema.optional(),
    export: exportSchema.optional(),
  })
  .superRefine((pipeline, context) => {
    if ((pipeline.import === undefined) !== (pipeline.export === undefined)) return;
    const message = pipeline.import
      ? 'a pipeline has import or export, not both'
      : 'the key "import" or "export" is missing';
    context.addIssue({ code: 'custom', message });
  });

/** `export:` of a pipeline as its schema returns it, with paths as written. */
export type ExportSettings = z.output<typeof exportSchema>;
/** `import:` of a pipeline as its schema returns it, with paths as written. */
export type ImportSettings = z.output<typeof importSchema>;

/** Returns the JSON Schema of the pipeline YAML, for editors. */
export function createPipelineJsonSchema(): object {
  return z.toJSONSchema(pipelineSchema, { io: 'input' });
}
