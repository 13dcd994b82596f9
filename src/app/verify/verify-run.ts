import { join } from 'node:path';
import {
  findLastConcurrencyLimit,
  findRunById,
  findWorkspacePlace,
  openJournalDatabase,
} from '../../journal/index.ts';
import { toCommand } from '../../model/command.ts';
import { type LoadedImportPipeline, loadImportPipeline } from '../../pipeline/index.ts';
import { createSecretScrubber } from '../../report/scrub.ts';
import {
  estimateConcurrency,
  systemClock,
  systemRandomness,
  toMaxConcurrency,
  type Workspace,
} from '../../workspace/index.ts';
import { type CommandCallbacks, createNoteListener } from '../run/caller.ts';
import { openClient } from '../run/open-client.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import {
  announceTarget,
  assertWorkspaceOfRun,
  type CommandContext,
  openWorkspaceTarget,
} from '../run/target.ts';
import { assertEnvVariableAllowed } from '../run/variables.ts';
import type { Verification } from './report/verification.ts';
import { writeVerificationFiles } from './report/verification-files.ts';
import { verifyRun } from './verify.ts';

/** The options of a verification. */
export interface VerifyOptions {
  /** The id of the run. */
  readonly run: string;
  readonly all: boolean;
  readonly sample: number | undefined;
  readonly progress: (read: number) => void;
}

/** Rewrites the summary and the report page of a run, which show its latest verification. */
type Refresh = (
  end: Pick<RunEnd, 'file' | 'run'>,
  settings: LoadedImportPipeline['import'],
  site: CommandContext,
  scrub: (text: string) => string,
) => Promise<void>;

/**
 * Verifies one run, or everything that any run wrote, and writes the verification files; the report of one run is
 * refreshed if the run has ended. The workspace is only read.
 */
export async function verifyRunAndWriteFiles(
  job: VerifyOptions,
  site: CommandContext,
  caller: CommandCallbacks,
  refresh: Refresh,
): Promise<Verification> {
  const { stop, release } = caller.stoppable();
  const journal = openJournalDatabase(site.workDir);
  try {
    const run = findRunById(journal, job.run);
    if (run === undefined) throw new Error(`run ${job.run} is not in the journal`);
    const pipeline = await loadImportPipeline(run.file, run.source);
    const settings = pipeline.import;
    const named = { ...site, workspace: site.workspace ?? run.target };
    if (named.workspace !== 'sandbox') assertEnvVariableAllowed(settings.workspace.tokenEnv, site.invocation);
    const target = await openWorkspaceTarget(named, settings.workspace);
    try {
      const again = toCommand('verify', run.id);
      assertWorkspaceOfRun(run, findWorkspacePlace(journal, run.workspace), target, again);
      announceTarget(target, caller);
      const hear = createNoteListener((text) => caller.note(text));
      const workspace = openClient(target, settings.limits, stop.signal, hear);
      const { deferred } = settings;
      const { perPath, concurrency } = settings.limits;
      const likely = estimateConcurrency(concurrency, findLastConcurrencyLimit(journal, run.workspace));
      const limits = { perPath, concurrency: toMaxConcurrency(concurrency), likelyAtOnce: likely };
      try {
        const verified = await verifyRun({
          ...{ journal, run, workspace, deferred, limits },
          ...{ all: job.all, sample: job.sample, progress: job.progress },
          workDir: site.workDir,
          clock: systemClock,
          randomness: systemRandomness,
          note: (text) => caller.note(text),
        });
        const runDir = join(site.workDir, 'runs', run.id);
        const about = {
          run,
          workspace: target.place,
          all: job.all,
          runDir,
          requests: sentRequests(workspace),
        };
        const verification = await writeVerificationFiles(verified, about).finally(() => verified.close());
        if (!job.all && run.endedAt !== null)
          await refresh({ file: journal, run }, settings, site, createSecretScrubber(target.secrets));
        return verification;
      } finally {
        await workspace.close(0);
      }
    } finally {
      await target.close();
    }
  } finally {
    journal.close();
    release();
  }
}

function sentRequests(workspace: Workspace): Readonly<Record<string, number>> {
  const counts = Object.entries(workspace.requests()).filter(([, { sent }]) => sent > 0);
  return Object.fromEntries(counts.map(([name, { sent }]) => [name, sent]));
}
