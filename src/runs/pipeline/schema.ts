import * as z from 'zod';
import { isBaseUrl, notABaseUrl, notAVariable, variableName } from '../../model/base-url.ts';
import { notify } from './notify.ts';
import { duration, errorBudget, rate } from './quantities.ts';
import { sourceSchema } from './source.ts';

// The address is never echoed: people have pasted tokens into it.
const baseUrl = z.string().refine(isBaseUrl, notABaseUrl);

const workspace = z
  .strictObject({
    baseUrl: baseUrl.optional().describe('The base address, ending in /v1; otherwise LONGSHORE_BASE_URL.'),
    tokenEnv: z
      .string()
      .regex(variableName, notAVariable)
      .prefault('LONGSHORE_TOKEN')
      .describe('The environment variable that holds the token.'),
    sandbox: z
      .looseObject({
        seed: z.string().min(1).optional().describe('A file that fills a new local workspace.'),
      })
      .optional()
      .describe('How the local workspace of --workspace sandbox begins.'),
  })
  .describe('Where the rows go.');

const policy = z
  .strictObject({
    onMatch: z
      .enum(['update', 'fill', 'skip', 'reject'])
      .default('update')
      .describe(
        'What a row does that finds its contact: update it, fill only what is empty there, skip, or reject the row.',
      ),
    onConflict: z
      .enum(['review', 'merge', 'prefer-email', 'prefer-phone', 'reject'])
      .default('review')
      .describe('What a row does whose e-mail is one contact and whose phone is another.'),
    duplicates: z
      .enum(['merge', 'first', 'last', 'reject'])
      .default('merge')
      .describe('What several rows of one person do.'),
    switchboard: z
      .int()
      .min(1)
      .default(5)
      .describe("A phone that more people of the input share is kept as a value and says nobody's identity."),
    uncertain: z
      .enum(['hold', 'resend'])
      .default('hold')
      .describe('What is done about a comment that may have been sent.'),
    maxErrors: errorBudget
      .prefault('5%')
      .describe(
        'Stops the run at more rejected and failed rows: a share of the finished ones, judged from row 200 on, or a number.',
      ),
    lookup: z.enum(['auto', 'single', 'snapshot']).default('auto').describe('How contacts are looked up.'),
  })
  .describe('What is done where there is a choice.');

const limits = z
  .strictObject({
    concurrency: z.int().min(1).max(1024).default(64).describe('Requests under way at the same time.'),
    perPath: rate.prefault('5/s').describe('Requests per second for one method and path.'),
    settle: duration
      .prefault('2m')
      .describe('How long a new contact may take to show up before it is believed absent.'),
    attempts: z.int().min(1).max(100).default(5).describe('How often a request is tried.'),
    outage: duration.prefault('15m').describe('How long a run waits for a workspace that cannot be reached.'),
  })
  .describe('Pace and patience.');

const importSchema = z
  .strictObject({
    source: sourceSchema,
    mapping: z.string().min(1).describe('The mapping file, relative to this one.'),
    workspace: workspace.prefault({}),
    policy: policy.prefault({}),
    limits: limits.prefault({}),
    phases: z
      .strictObject({
        hold: z
          .array(z.enum(['lifecycle', 'assignee', 'conversation']))
          .default([])
          .describe('Steps that are held back.'),
      })
      .prefault({})
      .describe('When the steps of a row are done.'),
    notify: notify.optional(),
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
      .describe('Operations that this workspace offers beyond the interface.'),
    timeout: duration.optional().describe('Stops the run after this time; it can be continued.'),
  })
  .describe('Loads contacts into the workspace.');

/** The pipeline YAML: where rows come from, where they go and under which policy. */
export const pipelineSchema = z
  .strictObject({
    pipeline: z.string().min(1).describe("The pipeline's name."),
    import: importSchema.optional(),
    export: z.looseObject({}).optional().describe('Unloads the workspace into files.'),
  })
  .superRefine((pipeline, context) => {
    if ((pipeline.import === undefined) !== (pipeline.export === undefined)) return;
    const message = pipeline.import
      ? 'a pipeline has import or export, not both'
      : 'the key "import" is missing: what to load, and where to';
    context.addIssue({ code: 'custom', message });
  });

export type PipelineFile = z.output<typeof pipelineSchema>;
export type ImportSettings = z.output<typeof importSchema>;

/** The JSON Schema of the pipeline file, for editors. */
export function pipelineJsonSchema(): object {
  return z.toJSONSchema(pipelineSchema, { io: 'input' });
}
