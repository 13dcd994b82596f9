import * as z from 'zod';
import type { NotifySettings } from '../../pipeline/index.ts';
import type { Assignment, Fleet, FleetWorkspace } from '../fleet-file/fleet.ts';
import type { LeaseEnd } from '../lease/lease-end.ts';
import type { PipelineRequest } from '../queue/asked.ts';
import { jobEnd } from '../queue/job.ts';

/** The order of a worker to the process of a job. */
export interface JobOrder {
  readonly workspace: FleetWorkspace;
  /** The name under which the fleet knows the pipeline. */
  readonly pipeline: string;
  /** The pipeline file, absolute. */
  readonly file: string;
  readonly kind: 'import' | 'export';
  readonly places: Fleet['places'];
  readonly keepResults: Fleet['keepResults'];
  /** The request of a person; undefined for a run of the pipeline as it is. */
  readonly asked: PipelineRequest | undefined;
  readonly onChangedInput: Assignment['onChangedInput'];
  readonly inputBy: Assignment['inputBy'];
  /** When its schedule, or a person, called for it last (ms since 1970); null where that is not known. */
  readonly calledAt: number | null;
  /** The program as it is typed on the worker's machine. */
  readonly program: string;
  /** Where alerts go, where the pipeline names no place of its own. */
  readonly alerts: NotifySettings | undefined;
  readonly workDir: string;
  /** The fencing token of the lease, and when the lease ends on this machine. */
  readonly token: string;
  readonly lease: LeaseEnd;
  readonly leaseMs: number;
  /** Environment variables that a pipeline may read besides LONGSHORE_*. */
  readonly allowEnv: readonly string[];
}

/** A message from a worker to the process of a job. */
export type ToJob =
  | { readonly kind: 'job'; readonly order: JobOrder }
  /** The lease was renewed. */
  | { readonly kind: 'lease'; readonly end: LeaseEnd }
  /** Let requests in flight finish, checkpoint, and end: it continues later, here or elsewhere. */
  | { readonly kind: 'stop'; readonly why: 'the slice is over' | 'the job is given back' };

/** A message from the process of a job to its worker. */
export const fromJob = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('began'), run: z.string() }),
  z.object({ kind: z.literal('ended'), end: jobEnd }),
]);

export type FromJob = z.output<typeof fromJob>;
