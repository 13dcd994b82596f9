import type { PoolClient } from 'pg';
import * as z from 'zod';
import { queueSchema } from './names.ts';

/** What is in the queue for a workspace. */
export const jobData = z.strictObject({
  workspace: z.string(),
  pipeline: z.string(),
  kind: z.enum(['import', 'export']),
  /** The run that it continues. */
  run: z.string().optional(),
});

export type JobData = z.output<typeof jobData>;

/** A job that a worker has taken. */
export interface FleetJob extends JobData {
  readonly id: string;
  /** From 1; more where it was tried before. */
  readonly attempt: number;
}

/** What a job came to, as `fleet status` shows it. */
export interface JobEnd {
  /** The run in the journal of the workspace; null where none began. */
  readonly run: string | null;
  /** Null where nobody knows, because its worker was lost. */
  readonly exitCode: number | null;
  /** Why it ended so, in a sentence without people's values; null where there is nothing to say. */
  readonly message: string | null;
  /** The command to type next; null where there is none. */
  readonly next: string | null;
  /** Set where the machine is why it ended so: that is no failure of the job. */
  readonly fault?: 'machine';
  /** The worker that had it. */
  readonly worker?: string;
}

/** The state of a job in the queue; undefined where it is not there (any more). */
export async function stateOf(client: PoolClient, queue: string, id: string): Promise<string | undefined> {
  const { rows } = await client.query<{ state: string }>(
    `SELECT state::text FROM ${queueSchema}.job WHERE name = $1 AND id = $2`,
    [queue, id],
  );
  return rows[0]?.state;
}
