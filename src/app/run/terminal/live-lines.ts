import { MultiBar } from 'cli-progress';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';

type Lines = (columns: number) => readonly string[];

/** A terminal on which lines can be redrawn. */
export interface RedrawableStream {
  readonly columns?: number | undefined;
  write(text: string): void;
}

const usualColumns = 80;

/** Lines that stay at the bottom of a terminal, below all messages. */
export class LiveLines {
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
      // So slow that the bar's own timer never draws: callers of `draw` decide when.
      fps: 0.001,
      // Without line wrapping, the terminal would cut off long messages above the lines.
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
 * The terminal for cli-progress: passes on its cursor moves, and escapes the texts of its bars. Messages
 * above the bars are passed on unchanged, as `Output` has escaped them.
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

  /** Writes the text of a bar, escaped and cut to the width, or a message (`said`), which is unchanged and may wrap. */
  write(text: string, said = false): void {
    this.#stream.write(said ? text : escapeControlCharacters(text).slice(0, this.getWidth() - 1));
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

  /**
   * Clears everything below the cursor, not only its line: cli-progress calls it before a message, which may
   * wrap.
   */
  clearLine(): void {
    this.clearBottom();
  }

  clearBottom(): void {
    this.#stream.write('\u001b[J');
  }
}
