import { FatalError, type Place } from '../model/fatal-error.ts';
import { exitCodeOf } from '../runs/exit-code.ts';
import { systemError } from '../storage/system-error.ts';

/** What a command shows: its result on standard output, everything else on standard error. */
export class Screen {
  readonly json: boolean;
  readonly quiet: boolean;

  constructor(flags: { readonly json: boolean; readonly quiet: boolean }) {
    this.json = flags.json;
    this.quiet = flags.quiet;
  }

  get colour(): boolean {
    return process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  }

  /** The result: text for a person, or JSON under --json. */
  result(text: () => string, json: unknown): void {
    if (this.json) process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
    else if (!this.quiet) process.stdout.write(text().replace(/\n?$/, '\n'));
  }

  /** Something a person should know meanwhile. */
  note(text: string): void {
    if (!this.json && !this.quiet) process.stderr.write(`${text}\n`);
  }
}

/** Says on standard error what happened, where, and what to type next. */
export function printError(error: unknown): void {
  process.stderr.write(`${describe(error)}\n`);
}

/** Says on standard error what a person should know whatever was asked for, and that changes nothing. */
export function printWarning(text: string): void {
  process.stderr.write(`warning: ${text}\n`);
}

export function exitCodeOfError(error: unknown): number {
  return error instanceof FatalError ? exitCodeOf(error.reason, error.signal) : exitCodeOf('unexpected');
}

/** Lets work go on when nobody reads its output any more, as after `| head -1`; other trouble of an output is an error. */
export function survivesClosedPipes(...streams: readonly NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return;
      process.exitCode = exitCodeOf('unexpected');
      if (stream !== process.stderr)
        process.stderr.write(`error: the output could not be written: ${error.message}\n`);
    });
  }
}

/** An error as it is printed. */
export function describe(thrown: unknown): string {
  const error = systemError(thrown) ?? thrown;
  if (!(error instanceof FatalError)) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return `error: something went wrong that should not.\n${detail}`;
  }
  // A YAML file's mistakes name their places line by line themselves, and what is not there is named once.
  const named = error.place?.file !== undefined && error.message.includes(error.place.file);
  const where = named ? '' : placeText(error.place);
  const next = error.next === undefined ? '' : `\n${indent(error.next)}`;
  return `error: ${where}${error.message}${next}`;
}

/** A place as the beginning of a line: `file:line:column (key): `, or nothing. */
export function placeText(place: Place | undefined): string {
  if (place === undefined) return '';
  const position = [place.file, place.line, place.column].filter((part) => part !== undefined).join(':');
  const key = place.key === undefined ? '' : position === '' ? place.key : ` (${place.key})`;
  return position === '' && key === '' ? '' : `${position}${key}: `;
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}
