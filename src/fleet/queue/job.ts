import type { PoolClient } from 'pg';
import * as z from 'zod';
import type { EarlierFailures } from '../../app/run/target.ts';
import { selectRows } from '../database/rows.ts';
import { pipelineRequestSchema } from './asked.ts';
import { queueSchemaName } from './names.ts';

/** The schema of a job's payload in the queue. */
export const jobPayloadSchema = z.strictObject({
  workspace: z.string(),
  pipeline: z.string(),
  kind: z.enum(['import', 'export']),
  /** The id of the run that it continues. */
  run: z.string().optional(),
  /** The user's request; undefined for a normal run. */
  asked: pipelineRequestSchema.optional(),
});

export type JobPayload = z.output<typeof jobPayloadSchema>;

/** An active job that a worker has taken. */
export interface ActiveJob extends JobPayload {
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** True if the job is given up after this attempt, should it fail. */
  readonly isLastTry: boolean;
  /** The failed attempts of its pipeline since the last success, also those of earlier jobs. */
  readonly earlier: EarlierFailures;
  /** The time its schedule or a user last triggered it (ms since 1970); null if unknown. */
  readonly calledAt: number | null;
}

/** The result of a job, as `fleet status` shows it. */
export interface JobResult {
  /** The id of the run; null if none began. */
  readonly run: string | null;
  /**
   * The exit code; null if the worker or the process of the job died, or while the job waits for its input.
   */
  readonly exitCode: number | null;
  /** The reason for the result, in a sentence without personal data; null if there is nothing to report. */
  readonly message: string | null;
  /** The command to type next; null if there is none. */
  readonly next: string | null;
  /**
   * Set if the machine or the fleet's database ended the job, which does not count as a failure of the job.
   */
  readonly fault?: 'machine' | 'database';
  /** Set if nothing was done, because the input does not exist yet or a person has to decide first. */
  readonly waitsFor?: 'input' | 'person';
  /** The result files of the run; absent if none were copied to `places.results`. */
  readonly results?: RunResultFiles;
  /** What a person can do after the run, the most urgent first. */
  readonly steps?: readonly JobNextCommand[];
  /** The name of the worker that had the job. */
  readonly worker?: string;
  /** The numbers of rows by outcome, or of exported records by kind; absent if no run ended. */
  readonly counts?: Readonly<Record<string, number>>;
  /** The time worked on the run (s); absent if none ended. */
  readonly seconds?: number;
}

/** The files of a run in `places.results`. */
export interface RunResultFiles {
  /** The path of the folder, or its address in a bucket. */
  readonly folder: string;
  /** The names of the files in the folder. */
  readonly files: readonly string[];
}

/** What a person can do after a run, and why. */
export interface JobNextCommand {
  readonly why: string;
  /** The command to type; null if there is none. */
  readonly command: string | null;
}

const results: z.ZodType<RunResultFiles> = z.object({ folder: z.string(), files: z.array(z.string()) });

/** The schema of a job's result in rows and messages. */
export const jobResultSchema: z.ZodType<JobResult> = z.object({
  run: z.string().nullable(),
  exitCode: z.int().nullable(),
  message: z.string().nullable(),
  next: z.string().nullable(),
  fault: z.enum(['machine', 'database']).exactOptional(),
  waitsFor: z.enum(['input', 'person']).exactOptional(),
  results: results.exactOptional(),
  steps: z.array(z.object({ why: z.string(), command: z.string().nullable() })).exactOptional(),
  worker: z.string().exactOptional(),
  counts: z.record(z.string(), z.number()).exactOptional(),
  seconds: z.number().exactOptional(),
});

/** Returns pg-boss's state of a job; undefined if the queue does not have it. */
export async function readJobState(
  client: PoolClient,
  queue: string,
  id: string,
): Promise<string | undefined> {
  const [job] = await selectRows(
    client,
    z.object({ state: z.string() }),
    `SELECT state::text FROM ${queueSchemaName}.job WHERE name = $1 AND id = $2`,
    [queue, id],
  );
  return job?.state;
}

/**
 * The way a finished job is settled: done, continued in a later slice, given back because of this machine, retried
 * after its process or lease was lost, waiting for its input or for a decision, retried after a failure, or failed for
 * good.
 */
export type JobVerdict = 'done' | 'continue' | 'back' | 'died' | 'wait' | 'decide' | 'again' | 'person';

/** Exit codes after which a retry is useless: usage and input, a guard or limit, the token. */
const finalCodes: ReadonlySet<number> = new Set([2, 4, 5]);

/** Decides how a job is settled, by the result of its run. */
export function decideJobVerdict(
  { exitCode, fault, waitsFor }: Pick<JobResult, 'exitCode' | 'fault' | 'waitsFor'>,
  isLastTry: boolean,
): JobVerdict {
  if (fault === 'machine') return 'back';
  if (fault === 'database') return 'died';
  if (waitsFor !== undefined) return waitsFor === 'input' ? 'wait' : 'decide';
  if (exitCode === null) return 'died';
  if (exitCode === 0 || exitCode === 3) return 'done';
  if (exitCode === 130 || exitCode === 143) return 'continue';
  return isLastTry || finalCodes.has(exitCode) ? 'person' : 'again';
}
