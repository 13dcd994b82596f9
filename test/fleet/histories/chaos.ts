import { setTimeout as wait } from 'node:timers/promises';
import type { Machine } from '../worker-process.ts';
import { randomOf } from './randomness.ts';

/** Of the fleet: machines that hang are stopped for longer than both. */
export const leaseMs = 4_000;
export const settleMs = 1_000;

/** Kills, stops and restarts, as its seed says, until it is ended. */
export class Chaos {
  readonly told = { badKilled: 0, killed: 0, stopped: 0, disksLost: 0, restarts: 0, uncertain: 0 };
  readonly #random: () => number;
  readonly #machines: readonly Machine[];
  /** They are killed and started again, but keep their disks, which may be what is wrong with them. */
  readonly #bad: readonly Machine[];
  /** Of its own, so that what becomes of the others does not depend on them. */
  readonly #randomOfBad: () => number;
  readonly #stopMs: number;
  readonly #restart: () => Promise<void>;
  readonly #over = new AbortController();
  #raging: Promise<void> = Promise.resolve();
  readonly #stopped: Promise<void>[] = [];

  constructor(
    seed: number,
    { good, bad }: Readonly<Record<'good' | 'bad', readonly Machine[]>>,
    stopMs: number,
    restart: () => Promise<void>,
  ) {
    this.#random = randomOf(seed);
    this.#randomOfBad = randomOf(seed);
    this.#machines = good;
    this.#bad = bad;
    this.#stopMs = stopMs;
    this.#restart = restart;
  }

  rage(): Promise<void> {
    this.#raging = this.#rage();
    return this.#raging;
  }

  async end(): Promise<void> {
    this.#over.abort();
    await this.#raging;
    await Promise.all(this.#stopped);
  }

  async #rage(): Promise<void> {
    while (!this.#over.signal.aborted) {
      await this.#pass(2_000 + this.#random() * 6_000);
      if (this.#over.signal.aborted) return;
      await this.#killBad();
      const machine = this.#machines[Math.floor(this.#random() * this.#machines.length)];
      if (machine === undefined) return;
      const dice = this.#random();
      if (dice < 0.5) await this.#kill(machine);
      else if (dice < 0.85) await this.#hang(machine);
      else {
        this.told.restarts += 1;
        await this.#restart();
      }
    }
  }

  async #kill(machine: Machine): Promise<void> {
    this.told.killed += 1;
    await machine.kill();
    if (this.#random() < 0.5) {
      this.told.disksLost += 1;
      machine.loseDisk();
    }
    machine.start();
  }

  /** Each of them once in a while: seldom, as some things need a machine that is bad for long. */
  async #killBad(): Promise<void> {
    const machine = this.#bad[Math.floor(this.#randomOfBad() * 8)];
    if (machine === undefined) return;
    this.told.badKilled += 1;
    await machine.kill();
    machine.start();
  }

  /** Longer than the lease and what follows it, so that another machine takes over; then it goes on as if nothing were. */
  async #hang(machine: Machine): Promise<void> {
    this.told.stopped += 1;
    machine.stop();
    const longer = leaseMs + settleMs + 500 + this.#random() * 3_000;
    if (this.#stopMs === 0 || this.#random() >= 0.25) {
      await wait(longer);
      machine.goOn();
    } else this.#stopped.push(this.#pass(this.#stopMs).then(() => machine.goOn()));
  }

  async #pass(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }
}
