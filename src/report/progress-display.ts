import { MultiBar } from 'cli-progress';
import { count, percent } from './figures.ts';
import { lineText, paceText, type Reading } from './progress-count.ts';

/** Where progress is seen. */
export interface Display {
  /** Shows where the run stands, as often as it is asked. */
  show(reading: Reading): void;
  /** Says something once, for good. */
  say(text: string): void;
  /** Shows the last state, and leaves the stream as it was. */
  end(reading: Reading): void;
}

/** A line of text each time: for a log, a pipe, a night. */
export function plainLines(stream: NodeJS.WritableStream): Display {
  const say = (text: string) => void stream.write(`${text}\n`);
  return { show: (reading) => say(lineText(reading)), say, end: (reading) => say(lineText(reading)) };
}

const widestBar = 40;
const narrowestBar = 8;

/** A bar and a line of counts below it, drawn over and over at the bottom of a terminal. */
export function terminalBar(stream: NodeJS.WritableStream): Display {
  let reading: Reading | undefined;
  let bars: MultiBar | undefined;
  const open = () => {
    // Its own timer would be a second pace beside ours: so slow that it never comes to it.
    const multi = new MultiBar({
      stream,
      fps: 0.001,
      hideCursor: true,
      clearOnComplete: true,
      gracefulExit: false,
    });
    multi.create(1, 0, {}, { format: (_, { maxWidth }) => barText(reading, maxWidth) });
    multi.create(1, 0, {}, { format: (_, { maxWidth }) => countText(reading, maxWidth) });
    return multi;
  };
  return {
    show(now) {
      reading = now;
      bars ??= open();
      bars.update();
    },
    say(text) {
      if (bars === undefined) stream.write(`${text}\n`);
      else {
        // The line that it is written over may be longer.
        bars.log(`${text}\u001b[K\n`);
        bars.update();
      }
    },
    end(last) {
      reading = last;
      bars?.update();
      bars?.stop();
      bars = undefined;
    },
  };
}

/** How far the run is, in `width` columns: the bar gives way first, then the pace. */
export function barText(reading: Reading | undefined, width: number): string {
  if (reading === undefined) return '';
  const { done, total } = reading;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const figures = [percent(done, total), `${count(done)} of ${count(total)}`, paceText(reading)].filter(
    Boolean,
  );
  const text = figures.join('  ');
  const room = Math.min(widestBar, width - 2 - text.length);
  if (room < narrowestBar) return cut(text, width);
  const full = Math.floor(share * room);
  return `${'█'.repeat(full)}${'░'.repeat(room - full)} ${text}`;
}

/** What became of the rows so far, in `width` columns. */
function countText(reading: Reading | undefined, width: number): string {
  return cut(reading?.parts.join(', ') ?? '', width);
}

/** A text that stays on one line of `width` columns. */
export function cut(text: string, width: number): string {
  return text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;
}
