import { expect, test } from 'vitest';
import { startExportProgress } from '../../src/report/export-progress.ts';
import { HandClock } from './hand-clock.ts';
import { progressOn, TerminalStream } from './terminal-stream.ts';

test('the line that is written over stays on one line of the terminal', () => {
  const stream = new TerminalStream(true, 40);
  const progress = startExportProgress({ screen: progressOn(stream), clock: new HandClock() });
  progress.listen({ kind: 'fetched', contacts: 1_234_567, read: 1_200_000, messages: 12_345_678 });
  const line = stream.take().replaceAll('|', '');
  expect(line).toMatch(/^1,234,567 contacts, 12,345,678/);
  expect(line.length).toBeLessThan(40);
  progress.stop();
});
