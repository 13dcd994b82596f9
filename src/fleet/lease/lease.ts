import type { Pool } from 'pg';
import * as z from 'zod';
import type { Clock } from '../../model/ports.ts';
import { selectRows } from '../database/rows.ts';
import { endAfter, type LeaseEnd, leaseLost, type MachineClock, machineClock, msUntil } from './lease-end.ts';

/** How long a lease lasts, and how long after its end it stays reserved. */
export interface LeaseTimes {
  readonly leaseMs: number;
  readonly settleMs: number;
}

/** The ports of a lease. */
export interface LeasePorts {
  readonly clock: Clock;
  readonly time?: MachineClock;
}

/** The right to work on a workspace, until it ends. */
export interface Lease {
  readonly workspace: string;
  /** Grows with every holder; a decimal number. */
  readonly token: string;
  /** When it ends on this machine, counted from before the renewal was asked for. */
  until(): LeaseEnd;
  /** Makes it last as long again; whether it is still this holder's. */
  renew(): Promise<boolean>;
  /** Gives it up, so that another machine need not wait: only once nothing works under it any more. */
  release(): Promise<void>;
  /** Aborted once it is another's or over; the reason is a FatalError 'locked'. */
  readonly lost: AbortSignal;
  /** Aborts `lost`. */
  lose(): void;
}

/** Attempts to take a lease in the time of one. */
const lookEvery = 10;

/**
 * Takes the lease on a workspace as soon as it is free: at once where it was released, otherwise `settleMs` after its
 * end by the database's clock. Rejects with the signal's reason where that comes first.
 */
export async function takeLease(
  pool: Pool,
  workspace: string,
  worker: string,
  times: LeaseTimes,
  signal: AbortSignal,
  ports: LeasePorts,
): Promise<Lease> {
  for (;;) {
    signal.throwIfAborted();
    const lease = await tryLease(pool, workspace, worker, times, ports);
    if (lease !== undefined) return lease;
    await ports.clock.sleep(Math.max(20, times.leaseMs / lookEvery), signal);
  }
}

/** Takes the lease on a workspace; undefined where another holder has it. */
export async function tryLease(
  pool: Pool,
  workspace: string,
  worker: string,
  { leaseMs, settleMs }: LeaseTimes,
  { time = machineClock }: LeasePorts,
): Promise<Lease | undefined> {
  let end = endAfter(leaseMs, time);
  const [found] = await selectRows(
    pool,
    z.object({ token: z.string() }),
    `INSERT INTO longshore.holder AS h (workspace, token, worker, until, released)
     VALUES ($1, 1, $2, clock_timestamp() + $3 * interval '1 ms', false)
     ON CONFLICT (workspace) DO UPDATE SET token = h.token + 1, worker = excluded.worker,
       until = clock_timestamp() + $3 * interval '1 ms', released = false
     WHERE h.released OR h.until + $4 * interval '1 ms' < clock_timestamp()
     RETURNING h.token::text AS token`,
    [workspace, worker, leaseMs, settleMs],
  );
  if (found === undefined) return undefined;
  const { token } = found;
  const lost = new AbortController();
  const lose = () => lost.abort(leaseLost());
  return {
    workspace,
    token,
    until: () => end,
    lost: lost.signal,
    lose,
    async renew() {
      const renewed = endAfter(leaseMs, time);
      const { rowCount } = await pool.query(
        `UPDATE longshore.holder SET until = clock_timestamp() + $3 * interval '1 ms'
         WHERE workspace = $1 AND token = $2 AND NOT released`,
        [workspace, token, leaseMs],
      );
      // A lease that was reported as lost stays lost: its job has stopped.
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
 * Renews a lease three times as often as it would end, until it is stopped or lost; a database that does not answer is
 * asked again as long as the lease lasts. `renewed` hears of each new end. Returns the stop.
 */
export function keepLease(
  lease: Lease,
  { leaseMs }: Pick<LeaseTimes, 'leaseMs'>,
  { clock, time = machineClock }: LeasePorts,
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
      const left = msUntil(lease.until(), time);
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

/** Whether a lease was renewed; a database that cannot be asked leaves it as it was, until it ends by itself. */
async function attempt(lease: Lease): Promise<boolean> {
  try {
    return await lease.renew();
  } catch {
    return false;
  }
}
