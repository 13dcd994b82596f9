import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isatty } from 'node:tty';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';
import { toTerminalText } from '../../../report/layout.ts';
import { LiveLines } from './live-lines.ts';

/** An output stream, with the properties of a terminal where it is one. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** The input from which answers to questions are read. */
type AnswerStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/**
 * The only writer to standard output and standard error. All text is escaped, so that no text of a file or a server
 * can control the terminal; only colours and the cursor moves of the progress bar are added to it.
 */
export class Output {
  /** True where results are coloured. */
  readonly colour: boolean;
  /** True where standard error can be redrawn. */
  readonly live: boolean;
  readonly #out: OutputStream;
  readonly #err: OutputStream;
  readonly #in: AnswerStream | undefined;
  readonly #lines: LiveLines;
  readonly #broken = new Set<OutputStream>();
  #lost = false;

  constructor(out: OutputStream, err: OutputStream, env: NodeJS.ProcessEnv, input?: AnswerStream) {
    this.#out = out;
    this.#err = err;
    this.#in = input;
    const dumb = env.TERM === 'dumb';
    this.colour = out.isTTY === true && !env.NO_COLOR && !dumb;
    this.live = err.isTTY === true && !dumb;
    this.#lines = new LiveLines({
      get columns() {
        return err.columns;
      },
      write: (text) => this.#write(err, text),
    });
    out.on('error', (error: NodeJS.ErrnoException) => this.#failed(out, error));
    err.on('error', (error: NodeJS.ErrnoException) => this.#failed(err, error));
  }

  /** The width of results; undefined if standard output is not a terminal. */
  get columns(): number | undefined {
    return this.#out.isTTY === true ? this.#out.columns : undefined;
  }

  /**
   * True if a result could not be written. A reader that closes the pipe, as `| head -1` does, does not
   * count.
   */
  get lost(): boolean {
    return this.#lost;
  }

  /** Prints the result, as text; ends with a line break. */
  result(text: string): void {
    this.#write(this.#out, toTerminalText(text.replace(/\n?$/, '\n')));
  }

  /** Prints the result as JSON. */
  json(value: unknown): void {
    this.#write(this.#out, `${escapeControlCharacters(JSON.stringify(value, null, 2))}\n`);
  }

  /** Prints one of several results, as JSON on a line of its own. */
  jsonLine(value: unknown): void {
    this.#write(this.#out, `${escapeControlCharacters(JSON.stringify(value))}\n`);
  }

  /** Prints a message on standard error, above the drawn lines. */
  say(text: string): void {
    const line = `${toTerminalText(text)}\n`;
    if (!this.#lines.above(line)) this.#write(this.#err, line);
  }

  /** True where there is a user to answer a question. */
  get canAsk(): boolean {
    return (this.#in ?? process.stdin).isTTY === true && this.#err.isTTY === true;
  }

  /**
   * Asks on standard error, and returns the line that is typed, or an empty text if the input ends (Ctrl-D); throws
   * the signal's reason if it is aborted.
   */
  async ask(question: string, signal: AbortSignal): Promise<string> {
    this.#write(this.#err, toTerminalText(question));
    const typed = createInterface({ input: this.#in ?? process.stdin, signal });
    try {
      for await (const line of typed) return line;
    } finally {
      typed.close();
    }
    signal.throwIfAborted();
    this.#write(this.#err, '\n');
    return '';
  }

  draw(lines: (columns: number) => readonly string[]): void {
    this.#lines.draw(lines);
  }

  clear(): void {
    this.#lines.clear();
  }

  #write(stream: OutputStream, text: string): void {
    if (!this.#broken.has(stream)) stream.write(text);
  }

  #failed(stream: OutputStream, error: NodeJS.ErrnoException): void {
    if (this.#broken.has(stream)) return;
    this.#broken.add(stream);
    if (stream !== this.#out || error.code === 'EPIPE') return;
    this.#lost = true;
    this.say(`error: standard output could not be written: ${error.message}`);
  }
}

/** The output of the current command. */
export let output = new Output(process.stdout, process.stderr, process.env);

/** Redirects all output from now on, for a program that runs a command itself and reads its output. */
export function redirectOutput(next: Output): void {
  output = next;
}

/**
 * At the exit of the process, closes the descriptors of terminals that no longer exist; Node would abort because it
 * cannot reset them.
 */
export function closeHungUpTerminalsOnExit(): void {
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  process.on('exit', () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}
