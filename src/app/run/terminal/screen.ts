import { FatalError, type Place } from '../../../model/fatal-error.ts';
import { systemError } from '../../../storage/system-error.ts';
import type { ProgressScreen } from '../report/progress-display.ts';
import { type Output, output } from './output.ts';

/** The flags of every command that its screen depends on. */
export interface ScreenFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  /** A bar, where nothing is said and there is a terminal. */
  readonly progress?: ProgressScreen['mode'] | undefined;
}

/** What a command shows: its result on standard output, everything else on standard error. */
export class Screen {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #progress: ScreenFlags['progress'];
  readonly #output: Output;

  constructor(flags: ScreenFlags, to: Output = output) {
    this.json = flags.json;
    this.quiet = flags.quiet;
    this.#progress = flags.progress;
    this.#output = to;
  }

  get colour(): boolean {
    return this.#output.colour;
  }

  /** How wide a result can be; undefined where it goes into a file or to another program. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  /** Where progress is shown; undefined where nobody wants to see it. */
  get progress(): ProgressScreen | undefined {
    if (this.json || this.quiet) return undefined;
    const to = this.#output;
    const wanted = this.#progress ?? 'bar';
    return {
      mode: wanted === 'bar' && !to.live ? 'plain' : wanted,
      say: (text) => to.say(text),
      draw: (lines) => to.draw(lines),
      clear: () => to.clear(),
    };
  }

  /** The result: text for a person, or JSON under --json. */
  result(text: () => string, json: unknown): void {
    if (this.json) this.#output.json(json);
    else if (!this.quiet) this.#output.result(text());
  }

  /** One of several results: a line of text, or of JSON under --json. */
  line(text: () => string, json: unknown): void {
    if (this.json) this.#output.jsonLine(json);
    else if (!this.quiet) this.#output.result(text());
  }

  /** Where results can be drawn over: a terminal whose user did not ask for plain lines. */
  get live(): Pick<ProgressScreen, 'draw' | 'clear'> | undefined {
    const { progress, columns } = this;
    return progress?.mode === 'bar' && columns !== undefined ? progress : undefined;
  }

  /** Whether there is somebody who can answer a question. */
  get canAsk(): boolean {
    return this.#output.canAsk;
  }

  /** Asks a person, and gives what they type. */
  ask(question: string, signal: AbortSignal): Promise<string> {
    return this.#output.ask(question, signal);
  }

  /** Something a person should know meanwhile. */
  note(text: string): void {
    if (!this.json && !this.quiet) this.#output.say(text);
  }

  /** A line that was asked for by a flag of its own. */
  log(line: string): void {
    this.#output.say(line);
  }
}

/** Says on standard error what happened, where, and what to type next. */
export function printError(error: unknown): void {
  output.say(describe(error));
}

/** Says on standard error what a person should know whatever was asked for, and that changes nothing. */
export function printWarning(text: string): void {
  output.say(`warning: ${text}`);
}

/** An error as it is printed. */
export function describe(thrown: unknown): string {
  const error = systemError(thrown) ?? thrown;
  if (!(error instanceof FatalError)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `error: unexpected error.\n${detail}`;
  }
  // A YAML file's mistakes name their places line by line themselves, and what is not there is named once.
  const named = error.place?.file !== undefined && error.message.includes(error.place.file);
  const where = named ? '' : placeText(error.place);
  const next = error.next === undefined ? '' : `\n${error.next.replaceAll(/^/gm, '  ')}`;
  // What a file or a server says may have lines of its own: only the first one begins as ours do.
  return `error: ${where}${error.message.replaceAll('\n', '\n       ')}${next}`;
}

/** A place as the beginning of a line: `file:line:column (key): `, or nothing. */
export function placeText(place: Place | undefined): string {
  if (place === undefined) return '';
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const key = place.key === undefined ? '' : position === '' ? place.key : ` (${place.key})`;
  return position === '' && key === '' ? '' : `${position}${key}: `;
}
