import * as z from 'zod';

const pipeline = z.string().min(1);
const run = z.string().min(1);
const flag = z.boolean().optional();
const path = z.string().min(1).optional();
/** `sandbox` or a base URL, in place of the pipeline's. */
const workspace = z.string().min(1).optional();

/** The options that import, plan and rehearse share. */
const rows = {
  pipeline,
  workspace,
  source: path,
  fresh: flag,
  limit: z.int().min(1).optional(),
  full: flag,
  approve: path,
  deferred: flag,
};

const known = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('check'), pipeline, workspace, source: path, online: flag }),
  z.strictObject({ command: z.literal('fields'), pipeline, workspace, all: flag }),
  z.strictObject({ command: z.literal('import'), ...rows, plan: path, yes: flag }),
  z.strictObject({
    command: z.literal('plan'),
    ...rows,
    out: path,
    csv: path,
    sample: z.int().min(0).optional(),
  }),
  z.strictObject({
    command: z.literal('rehearse'),
    ...rows,
    all: flag,
    speed: z.string().min(1).optional(),
    sample: z.int().min(0).optional(),
    out: path,
    keep: flag,
  }),
  z.strictObject({
    command: z.literal('export'),
    pipeline,
    workspace,
    fresh: flag,
    full: flag,
    compact: flag,
    accept: flag,
  }),
  z.strictObject({ command: z.literal('resume'), run, yes: flag }),
  z.strictObject({
    command: z.literal('retry'),
    run,
    from: path,
    decided: path,
    resend: flag,
    removed: flag,
    fresh: flag,
    dryRun: flag,
    yes: flag,
  }),
  z.strictObject({ command: z.literal('verify'), run, all: flag, sample: z.string().min(1).optional() }),
  z.strictObject({
    command: z.literal('undo'),
    run,
    dryRun: flag,
    conversations: flag,
    deleteTags: flag,
  }),
  z.strictObject({
    command: z.literal('draft'),
    file: z.string().min(1),
    out: path,
    key: z.string().min(1).optional(),
    country: z.string().min(1).optional(),
    format: z.string().min(1).optional(),
    header: z.string().min(1).optional(),
    sheet: z.string().min(1).optional(),
    table: z.string().min(1).optional(),
    delimiter: z.string().min(1).optional(),
    encoding: z.string().min(1).optional(),
    force: flag,
    print: flag,
  }),
]);

/**
 * The schema of a command that the studio can start. Its fields are the command's arguments and flags, named in camel
 * case.
 */
export const commandSchema = z.union([
  known,
  z.strictObject({ command: z.literal('verify'), folder: z.string().min(1), online: flag }),
]);
