import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { createSecretScrubber } from '../../report/scrub.ts';
import { writeFileAtomically } from '../../report/whole-file.ts';
import { firstContactIdCreatedInCopy, openWorkspaceComparison } from '../../sandbox/index.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import { systemClock } from '../../workspace/index.ts';
import {
  buildImportRequest,
  findImportSourceWorkspace,
  type ImportRunOptions,
} from '../import/import-run.ts';
import type { ProblemDigest } from '../import/report/problem-digest.ts';
import { writeRunFiles } from '../import/report/run-files.ts';
import type { Summary } from '../import/report/summary.ts';
import { formatExceededLimits } from '../plan/guard.ts';
import { summarisePlan } from '../plan/summary.ts';
import type { ClientEvent, CommandCallbacks } from '../run/caller.ts';
import type { RunEvent } from '../run/events.ts';
import { getFatalReasonExitCode } from '../run/exit-code.ts';
import { withWorkspaces } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { createLocalWorkspaceFactory, getLocalCopyPaths } from './local-copy.ts';
import type { RehearsalSummary } from './rehearsal-schema.ts';
import { type Rehearsal, rehearseImport } from './rehearse.ts';
import {
  compareRehearsedContact,
  formatRehearsedContactsCsv,
  type RehearsedContactChange,
} from './report/rehearsed-contacts.ts';

/** The options of a rehearsal. */
export interface RehearsalOptions extends Omit<ImportRunOptions, 'plan' | 'yes'> {
  readonly all: boolean;
  readonly speed: number | undefined;
  /** The maximum number of changed contacts shown. */
  readonly sample: number;
  /** The folder for the CSV files of the contacts before and after; undefined for none. */
  readonly out: string | undefined;
  /** Keeps the folder of the copy. */
  readonly keep: boolean;
}

/** The result of a rehearsal: its summary, and the run's summary and problems. */
export interface RehearsalResult {
  readonly summary: RehearsalSummary;
  readonly run: Summary;
  readonly problems: readonly ProblemDigest[];
}

type Listen = (event: RunEvent | ClientEvent) => void;

/** Rehearses an import into a workspace, which is only read, and writes the files of the rehearsal. */
export async function runRehearsal(
  pipeline: LoadedImportPipeline,
  job: RehearsalOptions,
  site: CommandContext,
  caller: CommandCallbacks & { listen: Listen },
): Promise<RehearsalResult> {
  const { asked } = buildImportRequest(pipeline, job, site);
  const { limits, guard, extensions } = pipeline.import;
  const run = { settings: pipeline.import, source: () => findImportSourceWorkspace(pipeline, job, site) };
  return await withWorkspaces<RunEvent, RehearsalResult>(run, site, caller, async ({ open, secrets }) => {
    const startedAt = systemClock.now();
    const outside = open((event) => caller.listen(event));
    const rehearsal = await rehearseImport({
      ...{ ...outside, ...asked },
      local: createLocalWorkspaceFactory(limits, extensions?.attachTags !== undefined),
      beyondGuard: guard && ((plan) => formatExceededLimits(guard, summarisePlan(plan, limits))),
      ...{ all: job.all, speed: job.speed },
    }).finally(() => outside.workspace.close(0));
    try {
      return await reported(rehearsal, {
        ...job,
        target: outside.target,
        workDir: site.workDir,
        invocation: site.invocation,
        startedAt,
        secrets,
      });
    } finally {
      await rehearsal.remove();
    }
  });
}

interface Reported extends RehearsalOptions, Pick<CommandContext, 'workDir' | 'invocation'> {
  readonly target: string;
  readonly startedAt: number;
  readonly secrets: readonly string[];
}

/** Writes the files of a rehearsal, moves its folder if it is to be kept, and returns the result. */
async function reported(rehearsal: Rehearsal, job: Reported): Promise<RehearsalResult> {
  const { end, folder, guard } = rehearsal;
  const { file, run } = end;
  const { invocation } = job;
  const runDir = join(folder, 'runs', run.id);
  const scrub = createSecretScrubber(job.secrets);
  const written = await writeRunFiles({ file, run, runDir, invocation, scrub }).finally(() => file.close());
  const states = openWorkspaceComparison(getLocalCopyPaths(folder));
  let found: Pick<RehearsalSummary, 'contacts' | 'samples' | 'files'>;
  try {
    found = {
      ...changed(states.pairs(), rehearsal.copied, job.sample),
      files: job.out === undefined ? null : await contactFiles(states, resolve(job.out)),
    };
  } finally {
    states.close();
  }
  const { rows, steps, leftBehind } = written.summary;
  const summary: RehearsalSummary = {
    ...{ pipeline: run.pipeline, target: job.target, selection: run.selection },
    limit: job.limit ?? null,
    continues: run.startedAt < job.startedAt ? run.id : null,
    madeAt: new Date(job.startedAt).toISOString(),
    exitCode: guard.length === 0 ? end.exitCode : getFatalReasonExitCode('guard'),
    error: end.error?.message ?? null,
    guard: guard.length === 0 ? null : guard.join('; '),
    rows,
    steps: Object.fromEntries(Object.entries(steps).map(([name, { acked }]) => [name, acked])),
    problems: written.problems.map(({ code, n, examples }) => ({
      ...{ code, count: n },
      lines: examples.map(({ line }) => line),
    })),
    leftBehind: [...leftBehind],
    ...found,
    time: { seconds: rehearsal.seconds, timed: rehearsal.timed },
    requests: Object.entries(rehearsal.requests).map(([request, count]) => ({ request, count })),
    limits: limitsOf(rehearsal, steps),
    kept: job.keep ? await kept(folder, join(job.workDir, 'rehearsals', run.id)) : null,
  };
  return { summary, run: written.summary, problems: written.problems };
}

const isNew = (id: number) => id >= firstContactIdCreatedInCopy;

function changed(
  pairs: ReturnType<ReturnType<typeof openWorkspaceComparison>['pairs']>,
  copied: number,
  most: number,
): Pick<RehearsalSummary, 'contacts' | 'samples'> {
  const contacts = { copied, created: 0, changed: 0, mergedAway: 0 };
  const samples: RehearsedContactChange[] = [];
  for (const pair of pairs) {
    const change = compareRehearsedContact(pair, isNew);
    if (change === undefined) continue;
    contacts[change.change] += 1;
    if (samples.length < most) samples.push(change);
  }
  return { contacts, samples };
}

async function contactFiles(
  states: ReturnType<typeof openWorkspaceComparison>,
  out: string,
): Promise<{ readonly before: string; readonly after: string }> {
  const files = { before: join(out, 'contacts-before.csv'), after: join(out, 'contacts-after.csv') };
  for (const state of ['before', 'after'] as const)
    await writeFileAtomically(
      files[state],
      formatRehearsedContactsCsv((id, limit) => states.contactsAfter(state, id, limit), isNew),
    );
  return files;
}

/** Returns sentences on what a rehearsal of this import cannot find out. */
function limitsOf({ requests }: Rehearsal, steps: Summary['steps']): string[] {
  const asksForTags = (steps.ensureTag?.acked ?? 0) > 0;
  return [
    ...(asksForTags
      ? ['Tags cannot be listed: one that no copied contact has is created here, even if it exists.']
      : []),
    ...(requests['POST /contact/merge'] === undefined
      ? []
      : ['What a merged contact keeps of the newer one beyond the fields sent is not specified.']),
    'Automation of the workspace, and values that it normalises or refuses in its own way.',
  ];
}

/** Moves the folder of the copy to an unused path, and returns that path. */
async function kept(folder: string, wanted: string): Promise<string> {
  makeOwnerOnlyFolder(join(wanted, '..'));
  let place = wanted;
  for (let n = 2; existsSync(place); n += 1) place = `${wanted}-${n}`;
  await rename(folder, place);
  return place;
}
