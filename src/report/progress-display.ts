import { count, percent } from './figures.ts';
import { lineText, paceText, type Reading } from './progress-count.ts';
import type { ProgressScreen } from './progress-screen.ts';

const widestBar = 40;
const narrowestBar = 8;

/** Shows where a run stands. */
export function showReading(screen: ProgressScreen, reading: Reading): void {
  if (screen.mode === 'bar')
    screen.draw((columns) => [barText(reading, columns), countText(reading, columns)]);
  else if (screen.mode === 'plain') screen.say(lineText(reading));
}

/** How far the run is, in `width` columns: the bar gives way first, then the pace. */
export function barText(reading: Reading, width: number): string {
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
function countText(reading: Reading, width: number): string {
  return cut(reading.parts.join(', '), width);
}

/** A text that stays on one line of `width` columns. */
export function cut(text: string, width: number): string {
  return text.length < width ? text : `${text.slice(0, Math.max(0, width - 2))}…`;
}
