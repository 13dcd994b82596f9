import { z } from 'zod';
import { outcomes } from '../model/outcome.ts';

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

const importSummary = z.strictObject({
  ...ofBoth,
  kind: z.literal('import'),
  selection,
  rows,
  steps,
  gone: whole.optional().describe('Keys of earlier runs that the input has no more'),
  matched: matched.optional(),
  open: whole.describe('Rejected, failed and uncertain rows that no retry has finished since'),
});

const exportSummary = z.strictObject({
  ...ofBoth,
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
});

/** The JSON Schema of `summary.json`, which `--json` of a run prints, too. */
export function summaryJsonSchema(): object {
  return z.toJSONSchema(z.discriminatedUnion('kind', [importSummary, exportSummary, undoSummary]));
}
