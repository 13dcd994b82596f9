import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { vi } from 'vitest';
import { main } from '../end-to-end/built.ts';

/** A machine with a worker: the real command, with the processes of its jobs in one group, and a work dir of its own. */
export class Machine {
  readonly workDir: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);
  #startedAt = 0;
  /** What its workers have printed. */
  said = '';

  constructor(workDir: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.workDir = workDir;
    this.#args = args;
    this.#env = env;
  }

  start(): void {
    this.#startedAt = this.said.length;
    const child = spawn(process.execPath, [main, 'worker', ...this.#args, '--work-dir', this.workDir], {
      env: { ...process.env, ...this.#env, NO_COLOR: '1' },
      // A group of its own: a machine that stops, stops with all that runs on it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        this.said += piece.toString();
        if (process.env.LONGSHORE_SHOW_WORKERS) process.stderr.write(`${basename(this.workDir)} ${piece}`);
      });
    this.#ended = new Promise((resolve) => child.once('close', (code) => resolve(code)));
    this.#process = child;
  }

  /** As a power failure. */
  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.#ended;
  }

  /** As a machine that hangs. */
  stop(): void {
    this.signal('SIGSTOP');
  }

  goOn(): void {
    this.signal('SIGCONT');
  }

  /** Lets it drain as soon as it works; its exit code. */
  async drain(): Promise<number | null> {
    await this.printed(/(up to \d+ jobs)/, this.#startedAt);
    this.#process?.kill('SIGTERM');
    return await this.#ended;
  }

  /** Resolves when its worker is gone; its exit code. */
  get ended(): Promise<number | null> {
    return this.#ended;
  }

  /** What it has printed where this pattern has its group, as soon as it has. */
  async printed(pattern: RegExp, from = 0): Promise<string> {
    return await vi.waitFor(
      () => {
        const [, group] = pattern.exec(this.said.slice(from)) ?? [];
        if (group === undefined) throw new Error(`not printed yet: ${pattern}\n${this.said}`);
        return group;
      },
      { timeout: 120_000, interval: 20 },
    );
  }

  loseDisk(): void {
    rmSync(this.workDir, { recursive: true, force: true });
  }

  signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process ?? {};
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // The group is gone already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}
