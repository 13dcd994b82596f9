import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countSteps,
  type JournalDatabase,
  listImportsAndUndos,
  type RunRecord,
  readContactCount,
} from '../../journal/index.ts';
import type { Clock, Randomness } from '../../model/ports.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { createFieldComparator } from '../../steps/field-rules.ts';
import type { WorkspaceReads } from '../../steps/port.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { collectExpectedContacts } from './collect.ts';
import { type ContactComparisonResult, compareExpectedContacts } from './compare.ts';
import { createExpectedContactStore } from './expected.ts';
import { readBackContacts } from './read-back.ts';
import { chooseReadBackMethod } from './reading.ts';
import {
  addResultsWithoutComparison,
  countNormalisations,
  countUnreadableEffects,
  countVerdictsByField,
  type FieldVerdictCount,
  markNormalisedDifferences,
} from './result.ts';
import { computeDefectBound, type DefectBound, reduceToRandomSample } from './sample.ts';

/** The run to verify, the workspace to read, and the settings. */
export interface VerifyRequest {
  readonly journal: JournalDatabase;
  readonly run: RunRecord;
  /** True to verify everything that any run wrote into the workspace. */
  readonly all: boolean;
  /** The share of the contacts that is read back, above 0 and below 1; undefined for all of them. */
  readonly sample: number | undefined;
  /** The names of the steps that the run's pipeline defers. */
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
export interface VerificationResult
  extends Pick<ContactComparisonResult, 'contacts' | 'values' | 'byLaterRun'> {
  readonly startedAt: number;
  readonly finishedAt: number;
  /** The number of contacts that were written. */
  readonly written: number;
  readonly way: 'list' | 'single';
  readonly why: string;
  readonly sample: (DefectBound & { readonly share: number; readonly contacts: number }) | null;
  readonly byField: readonly FieldVerdictCount[];
  readonly normalised: ReturnType<typeof countNormalisations>;
  readonly unseen: ReturnType<typeof countUnreadableEffects>;
  /**
   * The number of tags that the runs created or found in the workspace. They are not verified, because the API returns
   * a tag only in response to a write.
   */
  readonly workspaceTags: number;
  /** The database with the differences, open until `close` is called. */
  readonly file: SqliteConnection;
  /** Closes and removes the database. */
  close(): Promise<void>;
}

/** Reads back the contacts that one run or all runs wrote, or a sample of them, and compares every expected value. */
export async function verifyRun(request: VerifyRequest): Promise<VerificationResult> {
  const { journal, run, all, sample: share, workspace, clock, limits } = request;
  const startedAt = clock.now();
  const folder = await makeTemporarySpoolFolder(join(request.workDir, 'spool'));
  const expected = createExpectedContactStore(join(folder, 'verify.db'));
  const { file } = expected;
  const close = async () => {
    file.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await collectExpectedContacts(journal, expected, request);
    const written = expected.count();
    const contacts =
      share === undefined || written === 0 ? written : reduceToRandomSample(file, share, request.randomness);
    const rules = createFieldComparator(await readCustomFields(workspace));
    const inWorkspace = readContactCount(journal, run.workspace);
    const needs = { contacts, inWorkspace, perSecond: limits.perPath, concurrency: limits.likelyAtOnce };
    const reading = chooseReadBackMethod(needs);
    if (contacts > 0) request.note(reading.why);
    const reader = { workspace, concurrency: limits.concurrency, progress: request.progress };
    const way = await readBackContacts(file, reading, reader);
    const isLater = (number: number) => !all && number !== run.number;
    const { normalisation, ...compared } = await compareExpectedContacts(file, rules, isLater);
    markNormalisedDifferences(file, normalisation);
    addResultsWithoutComparison(file);
    const bad = compared.contacts.different + compared.contacts.missing;
    const runs = all ? listImportsAndUndos(journal, run.workspace) : [run];
    return {
      ...compared,
      startedAt,
      finishedAt: clock.now(),
      // Counted again, because entries that turned out to be the same contact were joined.
      written: share === undefined ? expected.count() : written,
      way,
      why:
        way === reading.way
          ? reading.why
          : `${reading.why} It is longer, so every contact was read by itself.`,
      sample:
        share === undefined || written === 0
          ? null
          : { share, contacts, ...computeDefectBound(written, contacts, bad) },
      byField: countVerdictsByField(file),
      normalised: countNormalisations(file),
      unseen: countUnreadableEffects(file),
      workspaceTags: runs.reduce((sum, { number }) => sum + ensuredTags(journal, number), 0),
      file,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function ensuredTags(journal: JournalDatabase, run: number): number {
  const steps = countSteps(journal, run).filter(
    ({ name, state }) => name === 'ensureTag' && state === 'acked',
  );
  return steps.reduce((sum, { n }) => sum + n, 0);
}
