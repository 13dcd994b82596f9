import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Pool } from 'pg';
import * as z from 'zod';
import { fleetMarkerStore } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import type { DatabaseTime } from '../lease/database-time.ts';
import { type LeaseDurations, tryTakeLease } from '../lease/lease.ts';
import { type DatabaseAccess, queryRowsWithRetry } from '../ship/fenced.ts';

/**
 * Returns one id per removal of a person from a workspace's journal, oldest first; empty if the database has no
 * journal.
 */
export async function readPersonRemovalIds(
  access: DatabaseAccess,
  workspace: string,
): Promise<readonly string[]> {
  const [holder] = await queryRowsWithRetry(
    access,
    z.object({ forgotten: z.array(z.string()) }),
    // Without a stored journal the work dir on this machine must stay: its journal may be the only one.
    `SELECT forgotten FROM longshore.holder h WHERE workspace = $1
       AND EXISTS (SELECT 1 FROM longshore.frames f WHERE f.workspace = h.workspace)`,
    [workspace],
  );
  return holder?.forgotten ?? [];
}

/** The prefix of a work dir that is being removed; no workspace has such a name. */
const prefix = '.forgotten-';

/**
 * Removes a work dir that does not record the last removal of a person (the last id of `forgotten`), because it may
 * still have the person's data; returns true if it was removed. Everything else in it that is still needed is also in
 * the database. Requires the lease.
 */
export function removeOutdatedWorkDir(workDir: string, forgotten: readonly string[]): boolean {
  const gone = join(dirname(workDir), prefix + basename(workDir));
  // A killed process may have left a partly removed work dir.
  rmSync(gone, { recursive: true, force: true });
  if (!isOlder(workDir, forgotten)) return false;
  renameSync(workDir, gone);
  rmSync(gone, { recursive: true, force: true });
  return true;
}

function isOlder(workDir: string, forgotten: readonly string[]): boolean {
  const last = forgotten.at(-1);
  if (last === undefined || !existsSync(workDir)) return false;
  return !(fleetMarkerStore.read(workDir)?.forgotten.includes(last) ?? false);
}

/** A worker's machine, with its database and lease durations. */
export interface WorkerMachine {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  /** The worker's name. */
  readonly name: string;
  readonly workDir: string;
  readonly times: LeaseDurations;
  readonly signal: AbortSignal;
}

/** Removes the outdated work dirs of this machine, except those under another's lease; returns their workspaces. */
export async function removeOutdatedWorkDirs(machine: WorkerMachine): Promise<readonly string[]> {
  const { pool, clock, databaseTime, name, times, signal } = machine;
  const folder = join(machine.workDir, 'fleet');
  const removed: string[] = [];
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const workspace of new Set(names.map((name) => name.replace(prefix, '')))) {
    const workDir = join(folder, workspace);
    const forgotten = await readPersonRemovalIds({ pool, clock, signal }, workspace);
    if (!isOlder(workDir, forgotten) && !names.includes(prefix + workspace)) continue;
    const lease = await tryTakeLease(pool, workspace, name, times, { clock, databaseTime });
    if (lease === undefined) continue;
    try {
      if (removeOutdatedWorkDir(workDir, forgotten)) removed.push(workspace);
    } finally {
      await lease.release();
    }
  }
  return removed;
}
