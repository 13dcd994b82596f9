import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Pool } from 'pg';
import * as z from 'zod';
import { fleetMark } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import { type LeaseTimes, tryLease } from '../lease/lease.ts';
import { askRows, type DatabaseAccess } from '../ship/fenced.ts';

/** The mark of each time that a person was removed from what the database has of a workspace, oldest first; none where it has no journal. */
export async function marksOfForgotten(
  access: DatabaseAccess,
  workspace: string,
): Promise<readonly string[]> {
  const [holder] = await askRows(
    access,
    z.object({ forgotten: z.array(z.string()) }),
    // A database that was lost has no journal to put in place of this machine's.
    `SELECT forgotten FROM longshore.holder h WHERE workspace = $1
       AND EXISTS (SELECT 1 FROM longshore.frames f WHERE f.workspace = h.workspace)`,
    [workspace],
  );
  return holder?.forgotten ?? [];
}

/** The prefix of a work dir that is being removed; no workspace is named so. */
const prefix = '.forgotten-';

/**
 * Removes a work dir that is from before a person was forgotten, whole: what is needed of it is in the database. Whether it
 * was one. To be called under the lease.
 */
export function removeOlder(workDir: string, forgotten: readonly string[]): boolean {
  const gone = join(dirname(workDir), prefix + basename(workDir));
  // A killed process may have left it half removed.
  rmSync(gone, { recursive: true, force: true });
  if (!isOlder(workDir, forgotten)) return false;
  renameSync(workDir, gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}

function isOlder(workDir: string, forgotten: readonly string[]): boolean {
  const last = forgotten.at(-1);
  if (last === undefined || !existsSync(workDir)) return false;
  return !(fleetMark.read(workDir)?.forgotten.includes(last) ?? false);
}

/** The machine of a worker, and what it asks of the database. */
export interface Machine {
  readonly pool: Pool;
  readonly clock: Clock;
  /** The worker's name. */
  readonly name: string;
  readonly workDir: string;
  readonly times: LeaseTimes;
  readonly signal: AbortSignal;
}

/** Removes every work dir of this machine that is from before a person was forgotten, but those that are at work; answers whose. */
export async function removeOlderCopies(machine: Machine): Promise<readonly string[]> {
  const { pool, clock, name, times, signal } = machine;
  const folder = join(machine.workDir, 'fleet');
  const removed: string[] = [];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const workspace of new Set(names.map((name) => name.replace(prefix, '')))) {
    const workDir = join(folder, workspace);
    const forgotten = await marksOfForgotten({ pool, clock, signal }, workspace);
    if (!isOlder(workDir, forgotten) && !names.includes(prefix + workspace)) continue;
    const lease = await tryLease(pool, workspace, name, times, { clock });
    if (lease === undefined) continue;
    try {
      if (removeOlder(workDir, forgotten)) removed.push(workspace);
    } finally {
      await lease.release();
    }
  }
  return removed;
}
