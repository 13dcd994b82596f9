import { expect, test } from 'vitest';
import { startExportProgress } from '../../../src/app/export/report/export-progress.ts';
import { formatClockTime } from '../../../src/app/run/report/wait-words.ts';
import { HandClock } from '../../report/hand-clock.ts';
import { progressOn, TerminalStream } from '../../report/terminal-stream.ts';

test('the line that is written over stays on one line of the terminal', () => {
  const stream = new TerminalStream(true, 40);
  const progress = startExportProgress({ screen: progressOn(stream), clock: new HandClock() });
  progress.listen({ kind: 'fetched', contacts: 1_234_567, read: 1_200_000, messages: 12_345_678 });
  const line = stream.take().replaceAll('|', '');
  expect(line).toMatch(/^1,234,567 contacts, 12,345,678/);
  expect(line.length).toBeLessThan(40);
  progress.stop();
});

test('an export that waits says so in its line, in place of how fast it is, until something comes', () => {
  const stream = new TerminalStream(true, 200);
  const clock = new HandClock();
  const progress = startExportProgress({ screen: progressOn(stream), clock });
  const until = clock.now() + 60_000;
  progress.listen({ kind: 'waiting', reason: 'no answer from https://host/v1 yet', until });
  expect(stream.text).toContain(
    `Waiting until ${formatClockTime(until, until)}: no answer from https://host/v1 yet\n`,
  );
  progress.listen({ kind: 'fetched', contacts: 0, read: 0, messages: 0 });
  expect(stream.text).toContain(`0 messages; waiting until ${formatClockTime(until, until)}`);
  stream.text = '';
  progress.listen({ kind: 'fetched', contacts: 99, read: 0, messages: 0 });
  expect(stream.text).not.toContain('waiting');
  progress.stop();
});
