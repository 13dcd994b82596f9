import type { Pool, PoolClient } from 'pg';
import PgBoss from 'pg-boss';
import { deadLetterQueueName, jobQueueName, queueSchemaName } from './names.ts';

/** The time that pg-boss keeps a waiting job (minutes): ten years. */
const keptMinutes = 10 * 365 * 24 * 60;

/** The interface through which pg-boss queries the database. */
export interface PgBossDatabase {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Starts pg-boss without its own timers; workers call its maintenance. */
export async function openPgBoss(pool: Pool): Promise<PgBoss> {
  const boss = bossOf(pool, false);
  await boss.start();
  return boss;
}

/** Creates the queue's tables, queues and index if they are missing. */
export async function prepareQueue(pool: Pool): Promise<void> {
  const boss = bossOf(pool, true);
  await boss.start();
  const options = { retentionMinutes: keptMinutes };
  await boss.createQueue(deadLetterQueueName, { name: deadLetterQueueName, policy: 'standard', ...options });
  // The policy allows one waiting and one active job for each workspace; a unique index of pg-boss enforces it.
  await boss.createQueue(jobQueueName, {
    name: jobQueueName,
    policy: 'stately',
    deadLetter: deadLetterQueueName,
    ...options,
  });
  await boss.stop({ graceful: false });
  // The index has the order in which jobs are taken; without it, each worker would sort all waiting jobs.
  await pool.query(
    `CREATE INDEX IF NOT EXISTS job_most_urgent ON ${queueSchemaName}.job (name, priority DESC, created_on, id)
       WHERE state < 'active'`,
  );
}

function bossOf(pool: Pool, migrate: boolean): PgBoss {
  const boss = new PgBoss({
    db: inPool(pool),
    schema: queueSchemaName,
    migrate,
    supervise: false,
    schedule: false,
  });
  // Callers get errors as rejections; without a listener the process would exit.
  boss.on('error', () => undefined);
  return boss;
}

/**
 * Creates pg-boss's interface to a pool; a connection whose query failed is closed, as it may be in a failed
 * transaction.
 */
function inPool(pool: Pool): PgBossDatabase {
  return {
    async executeSql(text, values) {
      const client = await pool.connect();
      let failed: Error | undefined;
      try {
        return await client.query(text, values);
      } catch (error) {
        failed = error instanceof Error ? error : new Error(String(error));
        throw error;
      } finally {
        client.release(failed);
      }
    },
  };
}

/** Returns pg-boss's interface to the open transaction of a connection. */
export function toPgBossDatabase(client: PoolClient): PgBossDatabase {
  return { executeSql: async (text, values) => await client.query(text, values) };
}
