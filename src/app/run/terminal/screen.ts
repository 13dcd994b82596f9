import { type ErrorPlace, FatalError } from '../../../model/fatal-error.ts';
import { toFatalSystemError } from '../../../storage/system-error.ts';
import { formatErrorNextStep, type Invocation } from '../command-line.ts';
import type { ProgressScreen } from '../report/progress-display.ts';
import { type Output, output } from './output.ts';

/** The global options that affect the screen. */
export interface ScreenFlags {
  readonly json: boolean;
  readonly quiet: boolean;
  /** How progress is shown; by default as a bar on a terminal, and as plain lines elsewhere. */
  readonly progress?: ProgressScreen['mode'] | undefined;
}

/** The output of a command: its result on standard output, everything else on standard error. */
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

  /** The width of a result; undefined where it goes into a file or to another program. */
  get columns(): number | undefined {
    return this.#output.columns;
  }

  /** The screen for progress; undefined under --json and --quiet. */
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

  /** Prints the result: text, or JSON under --json. */
  result(text: () => string, json: unknown): void {
    if (this.json) this.#output.json(json);
    else if (!this.quiet) this.#output.result(text());
  }

  /** Prints one of several results: a line of text, or of JSON under --json. */
  line(text: () => string, json: unknown): void {
    if (this.json) this.#output.jsonLine(json);
    else if (!this.quiet) this.#output.result(text());
  }

  /** The screen on which results can be redrawn; undefined unless results go to a terminal and progress is a bar. */
  get live(): Pick<ProgressScreen, 'draw' | 'clear'> | undefined {
    const { progress, columns } = this;
    return progress?.mode === 'bar' && columns !== undefined ? progress : undefined;
  }

  /** True where there is a user to answer a question. */
  get canAsk(): boolean {
    return this.#output.canAsk;
  }

  /** Asks the user, and returns the answer. */
  ask(question: string, signal: AbortSignal): Promise<string> {
    return this.#output.ask(question, signal);
  }

  /** Prints a note for the user. */
  note(text: string): void {
    if (!this.json && !this.quiet) this.#output.say(text);
  }

  /** Prints a line that the user requested with a separate flag, such as --log; also under --json and --quiet. */
  log(line: string): void {
    this.#output.say(line);
  }
}

/** Prints an error on standard error: what happened, where, and the command to type next. */
export function printError(error: unknown, invocation: Invocation): void {
  output.say(formatError(error, invocation));
}

/** Prints a warning on standard error, whatever the flags. */
export function printWarning(text: string): void {
  output.say(`warning: ${text}`);
}

/** Returns the text of an error as it is printed. */
export function formatError(thrown: unknown, invocation: Invocation): string {
  const error = toFatalSystemError(thrown) ?? thrown;
  if (!(error instanceof FatalError)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `error: unexpected error.\n${detail}`;
  }
  // The place is left out if the message names the file itself, as for a missing file or the mistakes of a YAML file.
  const named = error.place?.file !== undefined && error.message.includes(error.place.file);
  const where = named ? '' : formatErrorPlace(error.place);
  const hint = formatErrorNextStep(error, invocation);
  const next = hint === undefined ? '' : `\n${hint.replaceAll(/^/gm, '  ')}`;
  // A message that quotes a file or a server may have several lines; all but the first are indented, so that they do
  // not look like messages of Longshore.
  return `error: ${where}${error.message.replaceAll('\n', '\n       ')}${next}`;
}

/** Returns a place as the beginning of a line: `file:line:column (key): `, or an empty text. */
export function formatErrorPlace(place: ErrorPlace | undefined): string {
  if (place === undefined) return '';
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const key = place.key === undefined ? '' : position === '' ? place.key : ` (${place.key})`;
  return position === '' && key === '' ? '' : `${position}${key}: `;
}
