import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Pool } from 'pg';
import * as z from 'zod';
import { formatErrorNextStep, type Invocation } from '../../app/run/command-line.ts';
import { readEnvVariable } from '../../app/run/variables.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import { systemRandomness } from '../../workspace/index.ts';
import { findDifferingSettingsGroup } from '../apply/as-applied.ts';
import { readFleetKey } from '../crypt/key.ts';
import { assertMigrated } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { loadWorkspaceTarget } from '../job/token.ts';
import { assertStorageUsable } from '../places/open-place.ts';
import { fleetKeyVariable } from '../variables.ts';
import type { MachineCheckResult } from './readiness.ts';

/** The minimum free disk space for taking jobs (bytes). */
const leastFreeBytes = 64 * 1024 * 1024;
/** The maximum deviation of the clock from the database's (ms): dates of runs, exports and schedules depend on it. */
const mostClockMs = 5 * 60_000;

interface CheckedMachine {
  readonly fleet: Fleet;
  readonly pool: Pool;
  readonly workDir: string;
  readonly clock: Clock;
  readonly invocation: Invocation;
}

/**
 * Checks schema version, key, clock, shared settings, disk space, storage and the tokens of this machine; returns the
 * reason that it takes no jobs at all, and the workspaces without a usable token. Throws if the database does not
 * answer.
 */
export async function checkMachine(
  machine: CheckedMachine,
  signal: AbortSignal,
): Promise<MachineCheckResult> {
  const { fleet, invocation } = machine;
  const refused = new Map<string, string>();
  for (const workspace of fleet.workspaces) {
    const why = await reasonOf(invocation, () => loadWorkspaceTarget(workspace, invocation));
    if (why !== undefined) refused.set(workspace.name, why);
  }
  const wholly = (await wholeFault(machine, signal)) ?? (await placeFault(machine, signal));
  const [first] = refused.values();
  const none = refused.size === fleet.workspaces.length ? `no token can be used: ${first}` : undefined;
  return { notReady: wholly ?? none, refused };
}

const appliedRow = z.object({
  now: z.number(),
  places: z.record(z.string(), z.unknown()).nullable(),
  key_id: z.string().nullable(),
});

async function wholeFault(
  { fleet, pool, workDir, clock, invocation }: CheckedMachine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const old = await reasonOf(invocation, () => assertMigrated(pool));
  if (old !== undefined) return old;
  signal.throwIfAborted();
  const asked = clock.now();
  const [applied] = await selectRows(
    pool,
    appliedRow,
    `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, f.places, f.key_id
     FROM (SELECT 1) one LEFT JOIN longshore.fleet f ON true`,
  );
  if (applied === undefined) return undefined;
  const off = Math.min(Math.abs(asked - applied.now), Math.abs(clock.now() - applied.now));
  if (off > mostClockMs)
    return `the clock of this machine and that of the database differ by ${Math.round(off / 60_000)} minutes: set both by NTP.`;
  if (applied.key_id !== null && applied.key_id !== readFleetKey(process.env).id.toString('hex'))
    return `${fleetKeyVariable} is not the key that the fleet was applied with.`;
  const differing = applied.places === null ? undefined : findDifferingSettingsGroup(applied.places, fleet);
  if (differing !== undefined)
    return `the ${differing} of its fleet file differ from the applied ones: give it the file that was applied.`;
  const { bavail, bsize, blocks } = await statfs(existing(workDir));
  // A file system without blocks does not report its free space.
  const free = blocks === 0 ? leastFreeBytes : bavail * bsize;
  if (free < leastFreeBytes)
    return `the disk of ${workDir} is nearly full (${Math.round(free / 1024 / 1024)} MiB are free).`;
  return undefined;
}

async function placeFault(
  { fleet, clock, invocation }: CheckedMachine,
  signal: AbortSignal,
): Promise<string | undefined> {
  const variable = (name: string) => readEnvVariable(name, invocation);
  const ports = { clock, randomness: systemRandomness, signal, variable };
  const kinds = new Set(fleet.assignments.map(({ kind }) => kind));
  const { inputs, outputs, results } = fleet.places;
  const faults = [
    inputs !== undefined &&
      kinds.has('import') &&
      (await reasonOf(invocation, () => assertStorageUsable('inputs', inputs, ports))),
    outputs !== undefined &&
      kinds.has('export') &&
      (await reasonOf(invocation, () => assertStorageUsable('outputs', outputs, ports))),
    results !== undefined &&
      (await reasonOf(invocation, () => assertStorageUsable('results', results, ports))),
  ];
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

/** Returns the message of the FatalError that a check throws; undefined if it passes. */
async function reasonOf(invocation: Invocation, check: () => unknown): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    const { file } = error.place ?? {};
    const isNamed = file === undefined || error.message.includes(file);
    const what = isNamed ? error.message : `${error.message} (${file})`;
    const sentence = /[.?!]$/.test(what) ? what : `${what}.`;
    return [sentence, formatErrorNextStep(error, invocation)].filter(Boolean).join(' ');
  }
}

function existing(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existing(dirname(path));
}
