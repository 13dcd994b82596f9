import type { PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { pipelineRequestSchema } from './asked.ts';
import { toPgBossDatabase } from './boss.ts';
import { deadLetterQueueName, queueSchemaName } from './names.ts';

export const assignmentIdSchema = z.object({ workspace: z.string(), pipeline: z.string() });

/** The workspace and the pipeline that identify an assignment. */
export type AssignmentId = Readonly<z.output<typeof assignmentIdSchema>>;

const deadJob = assignmentIdSchema.extend({
  id: z.string(),
  /** The user's request; null for a normal run. */
  asked: pipelineRequestSchema.nullable(),
});

/** A job in the dead letter queue. */
export type DeadJob = Readonly<Omit<z.output<typeof deadJob>, 'id'>>;

/** Removes the jobs of these assignments from the dead letter queue, and returns them. */
export async function removeDeadJobs(
  client: PoolClient,
  boss: PgBoss,
  assignments: readonly AssignmentId[],
): Promise<readonly DeadJob[]> {
  const rows = await selectRows(
    client,
    deadJob,
    `SELECT j.id, of.workspace, of.pipeline, j.data->'asked' AS asked
     FROM ${queueSchemaName}.job j, unnest($2::text[], $3::text[]) AS of (workspace, pipeline)
     WHERE j.name = $1 AND j.data->>'workspace' = of.workspace AND j.data->>'pipeline' = of.pipeline`,
    [
      deadLetterQueueName,
      assignments.map(({ workspace }) => workspace),
      assignments.map(({ pipeline }) => pipeline),
    ],
  );
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id);
    await boss.deleteJob(deadLetterQueueName, ids, { db: toPgBossDatabase(client) });
  }
  return rows;
}
