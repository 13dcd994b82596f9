import type { Pool } from 'pg';
import * as z from 'zod';
import type { Clock } from '../../model/ports.ts';
import { selectRows } from '../database/rows.ts';
import { DatabaseTime } from './database-time.ts';
import {
  computeLeaseEnd,
  computeRemainingLeaseMs,
  createLeaseLostError,
  type LeaseEnd,
  type MachineClock,
  machineClock,
} from './lease-end.ts';

/** The durations (ms) of a lease, and of the time after its end before another holder can take it. */
export interface LeaseDurations {
  readonly leaseMs: number;
  readonly settleMs: number;
}

/** The clock that waits, and the clocks that measure the lease; by default those of this machine. */
export interface LeaseClocks {
  readonly clock: Clock;
  readonly time?: MachineClock;
  /**
   * The time of the database that ends the lease of a holder that died. Left out where nothing is sent to the workspace:
   * then the database's clock ends it.
   */
  readonly databaseTime?: DatabaseTime;
}

/** The exclusive right to work on a workspace, until it ends. */
export interface Lease {
  readonly workspace: string;
  /** The fencing token, which grows with every holder; a decimal number. */
  readonly token: string;
  /**
   * Returns the end of the lease by this machine's clocks, counted from just before the last renewal was
   * requested.
   */
  until(): LeaseEnd;
  /** Renews the lease for its full duration; returns true if this holder still has it. */
  renew(): Promise<boolean>;
  /** Releases the lease, so that another machine can take it at once. Call it after all work under it has ended. */
  release(): Promise<void>;
  /** Aborts when the lease is over or taken by another holder; the reason is a FatalError (locked). */
  readonly lost: AbortSignal;
  /** Aborts `lost`. */
  lose(): void;
}

/** How many times per lease duration a waiting worker tries to take the lease. */
const lookEvery = 10;

/**
 * Waits for the lease on a workspace and takes it: at once if it was released, otherwise `settleMs` after its end.
 * Rejects with the signal's reason on abort.
 */
export async function takeLease(
  pool: Pool,
  workspace: string,
  worker: string,
  times: LeaseDurations,
  signal: AbortSignal,
  ports: LeaseClocks,
): Promise<Lease> {
  const { databaseTime = new DatabaseTime(ports.time) } = ports;
  for (;;) {
    signal.throwIfAborted();
    const lease = await tryTakeLease(pool, workspace, worker, times, { ...ports, databaseTime });
    if (lease !== undefined) return lease;
    await databaseTime.read(pool, times.leaseMs + times.settleMs);
    await ports.clock.sleep(Math.max(20, times.leaseMs / lookEvery), signal);
  }
}

/** Takes the lease on a workspace; undefined if it is not free. */
export async function tryTakeLease(
  pool: Pool,
  workspace: string,
  worker: string,
  { leaseMs, settleMs }: LeaseDurations,
  { time = machineClock, databaseTime }: LeaseClocks,
): Promise<Lease | undefined> {
  // Before the time is known, no lease is over.
  const now = databaseTime && (databaseTime.steadyNow(leaseMs + settleMs) ?? 0);
  let end = computeLeaseEnd(leaseMs, time);
  const [found] = await selectRows(
    pool,
    z.object({ token: z.string() }),
    `INSERT INTO longshore.holder AS h (workspace, token, worker, until, released)
     VALUES ($1, 1, $2, clock_timestamp() + $3 * interval '1 ms', false)
     ON CONFLICT (workspace) DO UPDATE SET token = h.token + 1, worker = excluded.worker,
       until = clock_timestamp() + $3 * interval '1 ms', released = false
     WHERE h.released
       OR h.until + $4 * interval '1 ms' < COALESCE(to_timestamp($5::float8 / 1000), clock_timestamp())
     RETURNING h.token::text AS token`,
    [workspace, worker, leaseMs, settleMs, now],
  );
  if (found === undefined) return undefined;
  const { token } = found;
  const lost = new AbortController();
  const lose = () => lost.abort(createLeaseLostError());
  return {
    workspace,
    token,
    until: () => end,
    lost: lost.signal,
    lose,
    async renew() {
      const renewed = computeLeaseEnd(leaseMs, time);
      const { rowCount } = await pool.query(
        `UPDATE longshore.holder SET until = clock_timestamp() + $3 * interval '1 ms'
         WHERE workspace = $1 AND token = $2 AND NOT released`,
        [workspace, token, leaseMs],
      );
      // A lease reported as lost stays lost, since its job has stopped.
      if (rowCount !== 1) lose();
      if (lost.signal.aborted) return false;
      end = renewed;
      return true;
    },
    async release() {
      await pool.query('UPDATE longshore.holder SET released = true WHERE workspace = $1 AND token = $2', [
        workspace,
        token,
      ]);
    },
  };
}

/**
 * Renews a lease after each third of its duration, and tries again if the database does not answer; a lease
 * that ends without a renewal is lost. `renewed` receives each new end. Returns a function that stops
 * renewing.
 */
export function startRenewingLease(
  lease: Lease,
  { leaseMs }: Pick<LeaseDurations, 'leaseMs'>,
  { clock, time = machineClock }: LeaseClocks,
  renewed: (end: LeaseEnd) => void = () => undefined,
): () => Promise<void> {
  const over = new AbortController();
  const stopped = AbortSignal.any([over.signal, lease.lost]);
  const renewing = async () => {
    for (;;) {
      await clock.sleep(leaseMs / 3, stopped);
      if (await attempt(lease)) renewed(lease.until());
    }
  };
  const watching = async () => {
    for (;;) {
      const left = computeRemainingLeaseMs(lease.until(), time);
      if (left <= 0) {
        lease.lose();
        return;
      }
      await clock.sleep(left, stopped);
    }
  };
  const both = Promise.allSettled([renewing(), watching()]);
  return async () => {
    over.abort(new Error('The lease is not renewed any more.'));
    await both;
  };
}

/** Renews a lease; returns false if it is lost, or if the database does not answer, which leaves its end unchanged. */
async function attempt(lease: Lease): Promise<boolean> {
  try {
    return await lease.renew();
  } catch {
    return false;
  }
}
