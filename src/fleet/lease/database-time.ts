import type { Pool } from 'pg';
import * as z from 'zod';
import { selectRows } from '../database/rows.ts';
import { type MachineClock, machineClock } from './lease-end.ts';

interface Sample {
  /** The monotonic time of this machine (ms). */
  readonly at: number;
  /** The database's time at that moment (ms since 1970), less `at`. */
  readonly ahead: number;
}

/**
 * The time of the database, as far as the clock of this machine confirms it: where the database's clock jumps ahead, a
 * lease that another machine still holds must not seem to be over.
 */
export class DatabaseTime {
  readonly #time: Pick<MachineClock, 'monotonic'>;
  #samples: readonly Sample[] = [];

  constructor(time: Pick<MachineClock, 'monotonic'> = machineClock) {
    this.#time = time;
  }

  /** Reads the database's time; samples that are older than `windowMs` are forgotten. */
  async read(pool: Pool, windowMs: number): Promise<void> {
    const [row] = await selectRows(
      pool,
      z.object({ now: z.number() }),
      'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
    );
    if (row === undefined) return;
    const at = this.#time.monotonic();
    const samples = [...this.#samples, { at, ahead: row.now - at }];
    // The last one before the window stays, because the clock may have jumped right after it.
    const first = samples.findLastIndex((sample) => sample.at <= at - windowMs);
    this.#samples = samples.slice(Math.max(0, first));
  }

  /**
   * Returns the database's time (ms since 1970) without what its clock has jumped ahead within `windowMs`; undefined
   * before it has been read for that long.
   */
  steadyNow(windowMs: number): number | undefined {
    const at = this.#time.monotonic();
    const [oldest] = this.#samples;
    if (oldest === undefined || oldest.at > at - windowMs) return undefined;
    return at + Math.min(...this.#samples.map(({ ahead }) => ahead));
  }
}
