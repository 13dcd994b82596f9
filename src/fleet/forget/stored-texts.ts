import type { PoolClient } from 'pg';
import * as z from 'zod';
import type { IdentifierRedactor } from '../../journal/index.ts';
import { selectRows } from '../database/rows.ts';
import { queueSchemaName } from '../queue/names.ts';

const storedText = z.object({ id: z.string(), stored: z.unknown() });

/** Removes a person from the stored results of a workspace's jobs. */
export async function forgetPersonInJobResults(
  client: PoolClient,
  workspace: string,
  without: IdentifierRedactor,
): Promise<void> {
  const each = async (select: string, update: string) => {
    for (const { id, stored } of await selectRows(client, storedText, select, [workspace])) {
      const clean = cleaned(stored, without);
      if (clean !== undefined) await client.query(update, [workspace, id, clean]);
    }
  };
  await each(
    'SELECT pipeline AS id, last_run AS stored FROM longshore.assignment WHERE workspace = $1 AND last_run IS NOT NULL',
    'UPDATE longshore.assignment SET last_run = $3 WHERE workspace = $1 AND pipeline = $2',
  );
  await each(
    'SELECT id::text, ending AS stored FROM longshore.attempt WHERE workspace = $1',
    'UPDATE longshore.attempt SET ending = $3 WHERE workspace = $1 AND id = $2::bigint',
  );
  const ofJobs = (table: string) =>
    `SELECT id, output AS stored FROM ${queueSchemaName}.${table} WHERE data->>'workspace' = $1 AND output IS NOT NULL`;
  await each(
    ofJobs('job'),
    `UPDATE ${queueSchemaName}.job SET output = $3 WHERE data->>'workspace' = $1 AND id = $2`,
  );
  // The workers' role cannot update the archive, so archived jobs that name the person are deleted; nothing reads them.
  await each(
    ofJobs('archive'),
    `DELETE FROM ${queueSchemaName}.archive WHERE data->>'workspace' = $1 AND id = $2 AND $3::text IS NOT NULL`,
  );
}

/** Returns the JSON of a value without the person; undefined if the person is not in it. */
function cleaned(stored: unknown, without: IdentifierRedactor): string | undefined {
  let found = false;
  const clean = JSON.stringify(stored, (_key, value: unknown) => {
    const text = typeof value === 'string' ? without(value) : null;
    found ||= text !== null;
    return text ?? value;
  });
  return found ? clean : undefined;
}
