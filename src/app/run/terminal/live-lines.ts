import { MultiBar } from 'cli-progress';
import { escapeControls } from '../../../model/escape-controls.ts';

type Lines = (columns: number) => readonly string[];

/** A terminal on which lines can be redrawn. */
export interface RedrawableStream {
  readonly columns?: number | undefined;
  write(text: string): void;
}

const usualColumns = 80;

/** Lines that stay at the bottom of a terminal, below all messages. */
export class RedrawnLines {
  readonly #terminal: BarTerminal;
  #bars: MultiBar | undefined;
  #lines: Lines = () => [];

  constructor(stream: RedrawableStream) {
    this.#terminal = new BarTerminal(stream);
  }

  draw(lines: Lines): void {
    this.#lines = lines;
    this.#bars ??= this.#open();
    this.#bars.update();
  }

  /** Writes above the drawn lines; returns false where none are drawn. */
  above(text: string): boolean {
    if (this.#bars === undefined) return false;
    this.#bars.log(text);
    this.#bars.update();
    return true;
  }

  clear(): void {
    this.#bars?.stop();
    this.#bars = undefined;
  }

  #open(): MultiBar {
    const options = {
      terminal: this.#terminal,
      // Disables the bar's own timer by making it very slow: drawing is timed here.
      fps: 0.001,
      // Without it the terminal would cut the messages above the lines.
      linewrap: true,
      forceRedraw: true,
      clearOnComplete: true,
    };
    const bars = new MultiBar(options);
    this.#lines(this.#terminal.getWidth()).forEach((_, index) => {
      const format = () => this.#lines(this.#terminal.getWidth())[index] ?? '';
      bars.create(1, 0, {}, { format });
    });
    return bars;
  }
}

/**
 * The terminal for cli-progress: its cursor moves are the only controls that reach the terminal, and its texts are
 * escaped.
 */
class BarTerminal {
  readonly #stream: RedrawableStream;
  /** The number of drawn lines below the first. */
  #below = 0;

  constructor(stream: RedrawableStream) {
    this.#stream = stream;
  }

  isTTY(): boolean {
    return true;
  }

  getWidth(): number {
    return this.#stream.columns || usualColumns;
  }

  /** Writes above the lines: long texts wrap, as everywhere else in a terminal. */
  write(text: string, said = false): void {
    this.#stream.write(said ? text : escapeControls(text).slice(0, this.getWidth() - 1));
  }

  newline(): void {
    this.#stream.write('\n');
    this.#below += 1;
  }

  cursorTo(): void {
    this.#stream.write('\r');
  }

  cursorRelativeReset(): void {
    this.#stream.write(this.#below === 0 ? '\r' : `\u001b[${this.#below}A\r`);
    this.#below = 0;
  }

  clearRight(): void {
    this.#stream.write('\u001b[K');
  }

  /** Clears the lines before a message, which may take more lines than are drawn. */
  clearLine(): void {
    this.clearBottom();
  }

  clearBottom(): void {
    this.#stream.write('\u001b[J');
  }
}
