import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { FatalError } from '../../../model/fatal-error.ts';
import type { yamlJobs } from './yaml-jobs.ts';

type Jobs = typeof yamlJobs;

interface Thread {
  readonly worker: Worker;
  /** Rejects when the thread has ended. */
  readonly gone: Promise<never>;
}

/** Runs YAML jobs in a thread, so that no text blocks the studio or uses up its memory. */
export class YamlWorker {
  readonly #entry: string;
  readonly #mostMemory: number;
  #thread: Thread | undefined;

  /**
   * `main` is the path of the compiled CLI script; the script of the thread is in the same folder. `mostMemory` is the
   * heap limit of the thread (MiB).
   */
  constructor(main: string, mostMemory = 512) {
    this.#mostMemory = mostMemory;
    this.#entry = join(dirname(main), 'yaml-thread.js');
  }

  /** Runs a job; throws its FatalError, or a FatalError (input) if it runs out of memory. */
  async run<N extends keyof Jobs>(
    name: N,
    sent: Parameters<Jobs[N]>[0],
  ): Promise<Awaited<ReturnType<Jobs[N]>>> {
    this.#thread ??= this.#start();
    const { worker, gone } = this.#thread;
    const { port1, port2 } = new MessageChannel();
    try {
      worker.postMessage({ name, sent, port: port2 }, [port2]);
      const [answer] = await Promise.race([once(port1, 'message'), gone]);
      if (answer.refused !== undefined)
        throw new FatalError(answer.refused.reason, answer.refused.message, answer.refused.more);
      if (answer.failed !== undefined) throw new Error(answer.failed);
      return answer.result;
    } finally {
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#thread?.worker.terminate();
  }

  #start(): Thread {
    const worker = new Worker(this.#entry, { resourceLimits: { maxOldGenerationSizeMb: this.#mostMemory } });
    const gone = new Promise<never>((_, reject) => {
      worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuch() : error));
      worker.once('exit', () => reject(new Error('The thread that parses YAML has ended.')));
    });
    // Waiting jobs are rejected, and the next job starts a new thread.
    gone.catch(() => {
      if (this.#thread?.worker === worker) this.#thread = undefined;
    });
    worker.unref();
    return { worker, gone };
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuch(): FatalError {
  return new FatalError('input', 'This YAML needs more memory than the studio gives to a text.', {
    next: 'Shorten it, or check it in a terminal.',
  });
}
