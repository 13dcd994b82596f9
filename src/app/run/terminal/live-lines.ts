import { MultiBar } from 'cli-progress';
import { escapeControls } from '../../../model/escape-controls.ts';

type Lines = (columns: number) => readonly string[];

/** A terminal that lines can be drawn over on. */
export interface LiveStream {
  readonly columns?: number | undefined;
  write(text: string): void;
}

const usualColumns = 80;

/** Lines that stay at the bottom of a terminal, with whatever is said above them. */
export class LiveLines {
  readonly #terminal: BarTerminal;
  #bars: MultiBar | undefined;
  #lines: Lines = () => [];

  constructor(stream: LiveStream) {
    this.#terminal = new BarTerminal(stream);
  }

  draw(lines: Lines): void {
    this.#lines = lines;
    this.#bars ??= this.#open();
    this.#bars.update();
  }

  /** Writes above what is drawn; false where nothing is. */
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
      // Its own timer would be a second pace beside ours: so slow that it never comes to it.
      fps: 0.001,
      // Without it the terminal would cut what is said above the lines.
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

/** What cli-progress draws with: its moves are the only controls that reach the terminal, and its texts are escaped. */
class BarTerminal {
  readonly #stream: LiveStream;
  /** Lines below the first of those that are drawn. */
  #below = 0;

  constructor(stream: LiveStream) {
    this.#stream = stream;
  }

  isTTY(): boolean {
    return true;
  }

  getWidth(): number {
    return this.#stream.columns || usualColumns;
  }

  /** Said above the lines: long texts wrap, as everywhere else in a terminal. */
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

  /** Before something is said: it may take more lines than are drawn. */
  clearLine(): void {
    this.clearBottom();
  }

  clearBottom(): void {
    this.#stream.write('\u001b[J');
  }
}
