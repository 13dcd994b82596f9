import { z } from 'zod';
import { outcomes } from '../../../model/outcome.ts';
import { leftBehindSchema } from '../../run/left-behind/schema.ts';
import { verificationSummarySchema } from '../../verify/report/verification-note.ts';
import { consequenceLabels } from './problem-digest.ts';

const whole = z.int().min(0);
const time = z.iso.datetime().describe('ISO 8601, UTC');
const paths = z
  .record(z.string(), z.string())
  .describe('Paths of the files of the run that are there, by name');

const latency = z
  .strictObject({
    answers: whole.describe('Answers measured; those with 429 are not'),
    mean: z.number(),
    least: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
  })
  .describe('How long the answers took, in milliseconds');

const requests = z
  .record(
    z.string(),
    z.strictObject({
      sent: whole,
      ok: whole,
      retried: whole.describe('Sent again after a failure'),
      limited: whole.describe('Answered 429'),
      queued: whole.describe('Answered 449'),
      latency: latency.optional(),
      waitedSeconds: z
        .number()
        .min(0)
        .optional()
        .describe('What calls waited for the rate limit, all together'),
    }),
  )
  .describe('By operation, as "GET /contact/{identifier}"');

const selection = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all') }),
    z.strictObject({ kind: z.literal('approve'), file: z.string(), fingerprint: z.string() }),
    z.strictObject({ kind: z.literal('deferred') }),
    z.strictObject({ kind: z.literal('compact') }),
    z.strictObject({
      kind: z.literal('retry'),
      run: z.string(),
      resend: z.boolean(),
      from: z.string().optional(),
      decided: z.strictObject({ file: z.string(), fingerprint: z.string() }).optional(),
      removed: z.literal(true).optional(),
    }),
  ])
  .describe('Which rows of the input it worked on');

const rows = z
  .strictObject({
    ...Object.fromEntries(outcomes.map((outcome) => [outcome, whole])),
    read: whole.describe('All of them: the sum of the outcomes and notReached'),
    notReached: whole,
  })
  .describe('Rows by outcome');

const matched = z
  .strictObject({
    input: whole,
    taken: whole,
    added: whole,
    done: whole,
    changed: whole,
    filtered: whole,
    missing: whole,
    removed: whole,
    gone: whole,
  })
  .describe('Of a retry: how the rows of its input match those of the runs before it');

const steps = z
  .record(z.string(), z.strictObject({ acked: whole, uncertain: whole, failed: whole }))
  .describe('By name');

const ofBoth = {
  run: z.string(),
  pipeline: z.string(),
  outcome: z.enum(['finished', 'stopped', 'interrupted', 'failed']),
  exitCode: z.int().nullable().describe('Null where the process ended without one'),
  message: z.string().nullable().describe('What stopped it'),
  startedAt: time,
  finishedAt: time,
  seconds: z.number().min(0).describe('Worked, in all sessions together'),
  requests,
  files: paths,
};

const speed = z
  .strictObject({
    peakRowsPerMinute: z
      .number()
      .nullable()
      .describe('In the fastest stretch; null where nothing was measured'),
    peakWaiting: z.number().describe('Calls that waited for the rate limit at once, at most'),
    limitPerSecond: z.number().nullable().describe('Requests that the limit allows on one method and path'),
    concurrency: z
      .number()
      .nullable()
      .describe(
        'Requests at once that the workspace took well; null where it was not found out, and where it was set',
      ),
    use: z
      .record(
        z.string(),
        z.strictObject({
          perSecond: z.number().describe('Requests, on average over the time worked'),
          share: z
            .number()
            .nullable()
            .describe('Of the limit, 0 to 1; null where every contact has a limit of its own'),
        }),
      )
      .describe('By operation'),
  })
  .describe('How fast it was, and how much of the rate limit it used');

const sessions = z
  .array(
    z.strictObject({
      startedAt: time,
      lastSeenAt: time,
      seconds: z.number(),
      process: z.strictObject({ pid: z.int(), host: z.string() }),
      end: z.enum(['running', 'finished', 'stopped', 'interrupted', 'failed', 'left']),
    }),
  )
  .describe('The processes that worked on it, in order');

const ofReport = {
  headline: z.string().describe('What happened, in one sentence'),
  speed,
  sessions,
  knownLimits: z.array(z.string()).describe('Known limits'),
};

const ofImport = {
  asked: z
    .strictObject({
      pipelineFile: z.string(),
      input: z.strictObject({ name: z.string(), fingerprint: z.string() }),
      mapping: z.strictObject({ name: z.string(), sha256: z.string() }),
      workspace: z.string().describe('Its base URL, or sandbox:ID'),
      plan: z.string().nullable().describe('The plan that it did'),
    })
    .describe('What it was asked to do'),
  fill: z
    .strictObject({
      contacts: whole.describe('Contacts that the run created or looked at'),
      fields: z.array(z.strictObject({ field: z.string(), before: whole, after: whole })),
    })
    .optional()
    .describe('How many contacts had a value for each field that the mapping writes'),
  problems: z
    .array(
      z.strictObject({
        consequence: z.enum(Object.keys(consequenceLabels)),
        code: z.string(),
        n: whole,
        lines: z.array(z.int()).describe('The first of them'),
      }),
    )
    .describe('By consequence and code, the gravest and most frequent first'),
  tables: z
    .strictObject({
      named: z
        .array(
          z.strictObject({
            table: z.string(),
            role: z.enum(['main', 'joined']).describe('Whether its rows are imported, or joined to these'),
            rows: whole.describe('All of them: the sum of used, filtered and unjoined'),
            used: whole,
            people: whole.describe('Rows of the main table that use them'),
            filtered: whole.describe('Left out by a condition of the source'),
            unjoined: z
              .array(
                z.strictObject({
                  reason: z.enum([
                    'unknownId',
                    'emptyId',
                    'otherKind',
                    'linksToNothing',
                    'notPicked',
                    'missingTable',
                    'parentLeftOut',
                    'broken',
                  ]),
                  rows: whole,
                  examples: z
                    .array(z.strictObject({ line: z.int(), id: z.string().nullable() }))
                    .describe('The first of them; their ids are in unjoined.csv'),
                }),
              )
              .describe('Rows that belong to nothing, by reason'),
          }),
        )
        .describe('Tables that the source names, the main one first'),
      others: z
        .array(
          z.strictObject({
            table: z.string(),
            rows: whole.nullable().describe('Null where they were not counted'),
          }),
        )
        .describe('Tables that it does not name'),
    })
    .optional()
    .describe('What became of the rows of each table of the input'),
  duplicates: z
    .strictObject({
      rows: whole.describe('Rows merged into another row of the input'),
      people: whole.describe('How many people these rows are'),
      proposals: whole.describe('Merges proposed'),
      contacts: whole.describe('Contacts that these merges are about'),
    })
    .describe('The same person found more than once'),
  leftBehind: leftBehindSchema,
  manual: z
    .strictObject({
      proposals: whole,
      questions: whole.describe('Lines of same-person.csv that are not answered yet'),
      uncertain: whole.describe('Comments that may have been sent'),
      tagged: whole.describe('Contacts in contact-tags.csv'),
    })
    .describe('What is left to do by hand, in lines of the lists'),
  next: z
    .array(z.strictObject({ why: z.string(), command: z.string().nullable() }))
    .describe('What to do next'),
  verification: verificationSummarySchema.optional().describe('What the latest verification found'),
};

const importSummary = z.strictObject({
  ...ofBoth,
  ...ofReport,
  ...ofImport,
  kind: z.literal('import'),
  selection,
  rows,
  steps,
  gone: whole.optional().describe('Keys of earlier runs that the input has no more'),
  matched: matched.optional(),
  open: whole.describe(
    'Rejected, failed and uncertain rows that no retry has finished since, without proposed ones',
  ),
});

const exportSummary = z.strictObject({
  ...ofBoth,
  ...ofReport,
  workspace: z.string().describe('Its base URL, or sandbox:ID'),
  written: z
    .array(z.strictObject({ name: z.string(), rows: whole, bytes: whole, sha256: z.string() }))
    .describe('The files of the export'),
  next: z.string().nullable().describe('The command that continues it; null where nothing is left'),
  kind: z.literal('export'),
  counts: z.record(z.string(), whole).nullable().describe('By kind; null where it did not come to its end'),
  folder: z.string().nullable().describe('Where the export is; null where it did not appear'),
  full: z.boolean().nullable(),
  unreadable: whole.describe('Contacts that could not be read whole, or their messages'),
});

const undoSummary = z.strictObject({
  ...ofBoth,
  kind: z.literal('undo'),
  undoes: z.string().describe('The run that it takes back'),
  conversations: z.boolean(),
  deleteTags: z.boolean(),
  contacts: z
    .strictObject({
      total: whole,
      putBack: whole,
      unchanged: whole.describe('As before the run already'),
      kept: whole.describe('Nothing of them was put back'),
      failed: whole,
      notReached: whole,
    })
    .describe('Contacts that the run wrote to and did not create'),
  values: z.record(z.string(), whole).describe('Contacts whose value was put back, by field'),
  steps,
  kept: z.record(z.string(), whole).describe('Lines of undo-kept.csv, by kind'),
  sharedIdentifiers: whole.describe(
    'Contacts that the run created with an e-mail or phone that was put back into another contact',
  ),
});

/** Returns the JSON Schema of `summary.json` and of what a run with `--json` prints. */
export function createSummaryJsonSchema(): object {
  return z.toJSONSchema(z.discriminatedUnion('kind', [importSummary, exportSummary, undoSummary]));
}
