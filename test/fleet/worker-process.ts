import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { basename } from 'node:path';
import { main } from '../end-to-end/built.ts';

/** A machine with a worker: the real command, with the processes of its jobs in one group, and a work dir of its own. */
export class Machine {
  readonly workDir: string;
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  #process: ChildProcess | undefined;
  #ended: Promise<number | null> = Promise.resolve(null);
  /** What its workers have printed. */
  said = '';

  constructor(workDir: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.workDir = workDir;
    this.#args = args;
    this.#env = env;
  }

  start(): void {
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

  /** Lets it drain; its exit code. */
  async drain(): Promise<number | null> {
    this.#process?.kill('SIGTERM');
    return await this.#ended;
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
