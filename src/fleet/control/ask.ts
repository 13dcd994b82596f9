import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Pool } from 'pg';
import * as z from 'zod';
import { hint, toCommand } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { FleetKey } from '../crypt/key.ts';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { storeAnswerList } from '../places/stored-list.ts';
import { pipelineRequestSchema as askedSchema, type PipelineRequest } from '../queue/asked.ts';
import type { AssignmentId } from '../queue/dead.ts';
import type { JobQueue } from '../queue/queue.ts';

/** A user's request to a pipeline, with the filled-in lists that it refers to by their stored names. */
export interface PipelineRequestWithLists {
  readonly asked: PipelineRequest;
  readonly lists: readonly AnswerListFile[];
}

export interface AnswerListFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const mostBytes = 64 * 1024 * 1024;

/** Reads a filled-in list from a file of at most 64 MiB. Throws a FatalError (usage) for a larger or unreadable one. */
export function readAnswerListFile(path: string): AnswerListFile {
  try {
    const { size } = statSync(path);
    if (size > mostBytes)
      throw new FatalError('usage', `this list has ${Math.ceil(size / 1024 / 1024)} MiB; 64 MiB are taken.`, {
        place: { file: path },
        next: 'Give it in parts.',
      });
    return { name: `${randomUUID()}-${basename(path)}`, bytes: readFileSync(path) };
  } catch (error) {
    if (error instanceof FatalError) throw error;
    const detail = error instanceof Error ? error.message : String(error);
    throw new FatalError('usage', `the list cannot be read: ${detail}`, {
      place: { file: path },
      next: 'Check the path.',
      cause: error,
    });
  }
}

/**
 * Stores a request to an import, with its lists, and queues it: now if the workspace is free, otherwise when it becomes
 * free. Throws a FatalError (usage) for an export, or if an earlier request has not begun yet.
 */
export async function requestImport(
  { pool, queue, key }: { readonly pool: Pool; readonly queue: JobQueue; readonly key: FleetKey },
  { workspace, pipeline }: AssignmentId,
  { asked, lists }: PipelineRequestWithLists,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await queue.putBackDelayedIn(client, [workspace]);
    const [assigned] = await selectRows(
      client,
      z.object({ kind: z.string(), asked: askedSchema.nullable() }),
      'SELECT kind, asked FROM longshore.assignment WHERE workspace = $1 AND pipeline = $2 FOR UPDATE',
      [workspace, pipeline],
    );
    if (assigned?.kind === 'export')
      throw new FatalError('usage', `${pipeline} is an export: that can be asked of an import only.`, {
        next: hint`To run it: ${toCommand('fleet', 'run', workspace, pipeline)}`,
      });
    if (assigned?.asked != null)
      throw new FatalError(
        'usage',
        `${workspace} ${pipeline} has been asked for something else, which has not begun yet.`,
        {
          next: hint`To see when it has: ${toCommand('fleet', 'status', workspace)}`,
        },
      );
    for (const list of lists) await storeAnswerList(client, key, { workspace, ...list });
    await queue.forgetDeadIn(client, [{ workspace, pipeline }]);
    await client.query('UPDATE longshore.assignment SET asked = $3 WHERE workspace = $1 AND pipeline = $2', [
      workspace,
      pipeline,
      JSON.stringify(asked),
    ]);
  });
  await queue.dispatch();
}
