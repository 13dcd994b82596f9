import type { Pool, PoolClient } from 'pg';
import PgBoss from 'pg-boss';
import { deadQueue, jobQueue, queueSchema } from './names.ts';

/** Jobs wait until a worker takes them, however long. */
const keptMinutes = 10 * 365 * 24 * 60;

/** The database as pg-boss uses it. */
export interface Database {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Opens the queue without timers of its own; workers call its maintenance. */
export async function openBoss(pool: Pool): Promise<PgBoss> {
  const boss = bossOf(pool, false);
  await boss.start();
  return boss;
}

/** Makes the tables and the queues, where they are not there. */
export async function prepareQueue(pool: Pool): Promise<void> {
  const boss = bossOf(pool, true);
  await boss.start();
  const options = { retentionMinutes: keptMinutes };
  await boss.createQueue(deadQueue, { name: deadQueue, policy: 'standard', ...options });
  // At most one waits and one is at work under a key: what we promise of a workspace, the database holds, too.
  await boss.createQueue(jobQueue, { name: jobQueue, policy: 'stately', deadLetter: deadQueue, ...options });
  await boss.stop({ graceful: false });
  // In the order in which jobs are taken: without it each worker sorts all that wait.
  await pool.query(
    `CREATE INDEX IF NOT EXISTS job_most_urgent ON ${queueSchema}.job (name, priority DESC, created_on, id)
       WHERE state < 'active'`,
  );
}

function bossOf(pool: Pool, migrate: boolean): PgBoss {
  const boss = new PgBoss({
    db: inPool(pool),
    schema: queueSchema,
    migrate,
    supervise: false,
    schedule: false,
  });
  // Callers get errors as rejections; without a listener the process would end.
  boss.on('error', () => undefined);
  return boss;
}

/** Queries on any connection of a pool; one whose query failed may be within a broken transaction, and is closed. */
function inPool(pool: Pool): Database {
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

/** Queries within the transaction of a connection. */
export function databaseInTransaction(client: PoolClient): Database {
  return { executeSql: async (text, values) => await client.query(text, values) };
}
