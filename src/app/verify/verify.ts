import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countSteps,
  type JournalFile,
  type RunRecord,
  readContactCount,
  runsThatWrote,
} from '../../journal/index.ts';
import type { Clock, Randomness } from '../../model/ports.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { createFieldComparator } from '../../steps/field-rules.ts';
import type { WorkspaceReads } from '../../steps/port.ts';
import { makeSpooledFolder } from '../../storage/spool.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { collectExpected } from './collect.ts';
import { type ComparisonResult, compareAll } from './compare.ts';
import { createExpectedContacts } from './expected.ts';
import { readBack } from './read-back.ts';
import { chooseReadBack } from './reading.ts';
import {
  countByField,
  countNormalised,
  countUnseen,
  type FieldVerdicts,
  nameNormalised,
  noteUnverifiable,
} from './result.ts';
import { type DefectBound, defectBound, takeSample } from './sample.ts';

/** The run to verify, the workspace to read, and the settings. */
export interface VerifyRequest {
  readonly journal: JournalFile;
  readonly run: RunRecord;
  /** True to verify everything that any run wrote into the workspace. */
  readonly all: boolean;
  /** The share of the contacts that is read back, above 0 and below 1; undefined for all of them. */
  readonly sample: number | undefined;
  /** Steps that the run's pipeline defers. */
  readonly deferred: readonly string[];
  /** The workspace, for reading only. */
  readonly workspace: WorkspaceReads;
  readonly limits: {
    readonly perPath: number;
    /** The maximum number of concurrent reads. */
    readonly concurrency: number;
    /** The number of concurrent requests that the workspace is likely to allow. */
    readonly likelyAtOnce: number;
  };
  readonly workDir: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly note: (text: string) => void;
  readonly progress: (read: number) => void;
}

/** The result of a verification. */
export interface VerificationResult extends Pick<ComparisonResult, 'contacts' | 'values' | 'byLaterRun'> {
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The number of contacts that were written. */
  readonly written: number;
  readonly way: 'list' | 'single';
  readonly why: string;
  readonly sample: (DefectBound & { readonly share: number; readonly contacts: number }) | null;
  readonly byField: readonly FieldVerdicts[];
  readonly normalised: ReturnType<typeof countNormalised>;
  readonly unseen: ReturnType<typeof countUnseen>;
  /** The number of tags that the runs created in the workspace: checking them would be a write. */
  readonly workspaceTags: number;
  /** The database with the differences, open until `close` is called. */
  readonly file: SqliteFile;
  /** Closes and removes the database. */
  close(): Promise<void>;
}

/** Reads back the contacts that a run wrote, or a sample of them, and compares every value. The workspace is only read. */
export async function verifyRun(request: VerifyRequest): Promise<VerificationResult> {
  const { journal, run, all, sample: share, workspace, clock, limits } = request;
  const startedAt = clock.now();
  const folder = await makeSpooledFolder(join(request.workDir, 'spool'));
  const expected = createExpectedContacts(join(folder, 'verify.db'));
  const { file } = expected;
  const close = async () => {
    file.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await collectExpected(journal, expected, request);
    const written = expected.count();
    const contacts =
      share === undefined || written === 0 ? written : takeSample(file, share, request.randomness);
    const rules = createFieldComparator(await readCustomFields(workspace));
    const inWorkspace = readContactCount(journal, run.workspace);
    const needs = { contacts, inWorkspace, perSecond: limits.perPath, concurrency: limits.likelyAtOnce };
    const reading = chooseReadBack(needs);
    if (contacts > 0) request.note(reading.why);
    const reader = { workspace, concurrency: limits.concurrency, progress: request.progress };
    const way = await readBack(file, reading, reader);
    const isLater = (number: number) => !all && number !== run.number;
    const { normalisation, ...compared } = await compareAll(file, rules, isLater);
    nameNormalised(file, normalisation);
    noteUnverifiable(file);
    const bad = compared.contacts.different + compared.contacts.missing;
    const runs = all ? runsThatWrote(journal, run.workspace) : [run];
    return {
      ...compared,
      startedAt,
      finishedAt: clock.now(),
      // Entries that turned out to be the same contact were joined.
      written: share === undefined ? expected.count() : written,
      way,
      why:
        way === reading.way
          ? reading.why
          : `${reading.why} It is longer, so every contact was read by itself.`,
      sample:
        share === undefined || written === 0
          ? null
          : { share, contacts, ...defectBound(written, contacts, bad) },
      byField: countByField(file),
      normalised: countNormalised(file),
      unseen: countUnseen(file),
      workspaceTags: runs.reduce((sum, { number }) => sum + ensuredTags(journal, number), 0),
      file,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function ensuredTags(journal: JournalFile, run: number): number {
  const steps = countSteps(journal, run).filter(
    ({ name, state }) => name === 'ensureTag' && state === 'acked',
  );
  return steps.reduce((sum, { n }) => sum + n, 0);
}
