import * as z from 'zod';
import type { EarlierFailures } from '../../app/run/target.ts';
import type { NotifySettings } from '../../pipeline/index.ts';
import type { Assignment, Fleet, FleetWorkspace } from '../fleet-file/fleet.ts';
import type { LeaseEnd } from '../lease/lease-end.ts';
import type { PipelineRequest } from '../queue/asked.ts';
import { jobResultSchema } from '../queue/job.ts';

/** The parameters with which a worker starts the process of a job. */
export interface JobParameters {
  readonly workspace: FleetWorkspace;
  /** The pipeline's name in the fleet file. */
  readonly pipeline: string;
  /** The pipeline file, absolute. */
  readonly file: string;
  readonly kind: 'import' | 'export';
  readonly places: Fleet['places'];
  readonly keepResults: Fleet['keepResults'];
  /** The user's request; undefined for a normal run. */
  readonly asked: PipelineRequest | undefined;
  readonly onChangedInput: Assignment['onChangedInput'];
  readonly inputBy: Assignment['inputBy'];
  /** The time its schedule or a user last triggered it (ms since 1970); null if unknown. */
  readonly calledAt: number | null;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly isLastTry: boolean;
  /** The failed attempts of the pipeline since its last success. */
  readonly earlier: EarlierFailures;
  /** The command that starts this program on the worker's machine, for messages. */
  readonly program: string;
  /** Where its alerts go; undefined if none are sent. */
  readonly notify: NotifySettings | undefined;
  readonly workDir: string;
  /** The fencing token of the lease. */
  readonly token: string;
  readonly lease: LeaseEnd;
  readonly leaseMs: number;
  /** The environment variables that a pipeline may read besides LONGSHORE_*. */
  readonly allowEnv: readonly string[];
}

/** A message from a worker to the process of a job. */
export type WorkerMessage =
  | { readonly kind: 'job'; readonly order: JobParameters }
  /** The lease was renewed. */
  | { readonly kind: 'lease'; readonly end: LeaseEnd }
  /** Asks the job to finish requests in flight, checkpoint and end; its run continues later, here or elsewhere. */
  | { readonly kind: 'stop'; readonly why: 'the slice is over' | 'the job is given back' };

/** The schema of a job's wait for its workspace. */
export const jobWaitSchema = z.object({
  /** The time it began (ms since 1970). */
  since: z.number(),
  /** Why no request gets through. */
  reason: z.string(),
});

/** A wait of a job for its workspace. */
export type JobWait = Readonly<z.output<typeof jobWaitSchema>>;

/** The schema of a message from the process of a job to its worker. */
export const jobMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), text: z.string() }),
  /** The job is prepared, and its run starts to work on the workspace. */
  z.object({ kind: z.literal('prepared') }),
  z.object({ kind: z.literal('began'), run: z.string() }),
  /** The job waits for its workspace; null once it does not wait any more. */
  z.object({ kind: z.literal('waits'), wait: jobWaitSchema.nullable() }),
  z.object({ kind: z.literal('ended'), end: jobResultSchema }),
]);

export type JobMessage = z.output<typeof jobMessageSchema>;
