import { fork } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { InputEvent, InputJob } from '../../wire/jobs.ts';
import { newestOf } from './newest-of.ts';

/** MiB of heap that a job may have: what it keeps does not grow with its input. */
const mostMemory = 256;

/** As much as is kept of what a process says when it breaks down. */
const mostSaid = 10_000;

/**
 * Finds things out of inputs, each in a process of its own that is ended as soon as nobody hears it: no input can block
 * the server or take its memory.
 */
export class Jobs {
  readonly #entry: string;
  readonly #told: (text: string) => void;

  /** `main` is the built command: the process of a job is built beside it. */
  constructor(main: string, told: (text: string) => void) {
    this.#entry = join(dirname(main), 'input-process.js');
    this.#told = told;
  }

  /**
   * The events of a job, until it has nothing more to tell, or `gone`. Where they come faster than they are taken, only
   * the newest is given: each says all that is known.
   */
  async *run(job: InputJob, gone: AbortSignal): AsyncGenerator<InputEvent> {
    if (gone.aborted) return;
    const child = fork(this.#entry, [], {
      execArgv: [`--max-old-space-size=${mostMemory}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-mostSaid);
    });
    const ended = new Promise<{ code: number | null; by: NodeJS.Signals | null }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, by) => resolve({ code, by }));
    });
    const end = (): void => void child.kill('SIGKILL');
    gone.addEventListener('abort', end, { once: true });
    try {
      yield* newestOf<InputEvent>((tell) => {
        child.on('message', (text) => tell(JSON.parse(String(text))));
        child.send(JSON.stringify(job), () => {
          // A process that could not be started or broke down says so by its end.
        });
        return ended.then(() => {});
      });
      const { code, by } = await ended;
      if (code === 0 || gone.aborted) return;
      if (by === 'SIGABRT' || code === 134)
        yield refused(
          'This input needs more memory than a preview may have.',
          'The commands read it all the same: draft it or check it in a terminal.',
        );
      else {
        this.#told(said === '' ? `The process of a preview ended by ${by ?? code}.` : said);
        yield refused('The preview ended unexpectedly.', 'The terminal in which the studio runs says more.');
      }
    } finally {
      gone.removeEventListener('abort', end);
      end();
    }
  }
}

function refused(message: string, next: string): InputEvent {
  return { kind: 'refused', message, place: null, next };
}
