import { Writable } from 'node:stream';
import type { ProgressScreen } from '../../src/app/run/report/progress-display.ts';
import { Output } from '../../src/app/run/terminal/output.ts';
import { Screen } from '../../src/app/run/terminal/screen.ts';

/** What a terminal, a pipe or a file is given. */
export class TerminalStream extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number;

  constructor(isTTY: boolean, columns = 100) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }

  get lines(): string[] {
    return this.text.trimEnd().split('\n');
  }

  /** What was written since, without the moves of a bar. */
  take(): string {
    const plain = this.text.replace(moves, '|');
    this.text = '';
    return plain;
  }
}

/** The moves of a bar: to the left edge, up, and clearing. */
const moves = new RegExp(`\r|${String.fromCharCode(27)}\\[(\\d+A|[KJ])`, 'g');

/** The command's own screen on that stream, as a run shows its progress on it. */
export function progressOn(
  stream: TerminalStream,
  flags: { readonly progress?: 'bar' | 'plain' | 'none'; readonly env?: { readonly TERM?: string } } = {},
): ProgressScreen {
  const output = new Output(stream, stream, flags.env ?? {});
  const { progress } = new Screen({ json: false, quiet: false, progress: flags.progress }, output);
  if (progress === undefined) throw new Error('this screen shows no progress');
  return progress;
}
