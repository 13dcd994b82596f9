import { describe, expect, test } from 'vitest';
import type { RunListener } from '../../../src/app/run/events.ts';
import { startProgressDisplay } from '../../../src/app/run/report/progress.ts';
import { formatProgressBar } from '../../../src/app/run/report/progress-display.ts';
import { formatClockTime } from '../../../src/app/run/report/wait-words.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import { HandClock } from '../../report/hand-clock.ts';
import { progressOn, TerminalStream } from '../../report/terminal-stream.ts';

function rows(listen: RunListener, n: number, outcome: Outcome): void {
  const row = { kind: 'row', line: 2, key: null, outcome, contactId: null, problems: [] } as const;
  for (let i = 0; i < n; i += 1) listen(row);
}

const started = { kind: 'started', run: 'r1', total: 2_000, finished: 0, continued: false } as const;

test.each(['waiting', 'paused'] as const)(
  'a run that is %s says so in the bar in place of the time left, until rows end again or the time is over',
  async (kind) => {
    const clock = new HandClock();
    const screen = new TerminalStream(true);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock });
    listen(started);
    rows(listen, 100, 'created');
    await clock.move(10_000);
    const until = clock.now() + 600_000;
    const time = formatClockTime(until, until);
    expect(screen.take()).toMatch(/rows\/s, .* left/);
    listen({ kind, reason: 'nothing gets through', until });
    screen.take();
    await clock.move(1_000);
    const drawn = screen.take();
    expect(drawn).toContain(kind === 'paused' ? `paused, retrying until ${time}` : `waiting until ${time}`);
    expect(drawn).not.toContain('left');
    if (kind === 'paused') listen({ kind: 'resumed', afterSeconds: 61 });
    else rows(listen, 1, 'created');
    screen.take();
    await clock.move(2_000);
    expect(screen.take()).not.toContain(`until ${time}`);
    stop();
  },
);

describe('off a terminal', () => {
  test('says a plain line at the start, every ten seconds, on pauses and notes, and at the end', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock });
    listen({ kind: 'inspecting', name: 'a.csv' });
    listen({ kind: 'note', text: 'Read as windows-1252,\na guess.' });
    listen(started);
    await clock.move(4_000);
    rows(listen, 100, 'created');
    await clock.move(6_000);
    rows(listen, 90, 'updated');
    rows(listen, 10, 'rejected');
    listen({ kind: 'underWay', active: 64, waiting: 12, concurrency: 128 });
    await clock.move(10_000);
    const until = clock.now() + 880_000;
    listen({ kind: 'paused', reason: 'nothing gets through.', until });
    await clock.move(10_000);
    listen({ kind: 'resumed', afterSeconds: 10 });
    listen({ kind: 'stopping', reason: 'Ctrl-C.' });
    stop();
    expect(screen.lines).toEqual([
      'Reading a.csv once, before the first request.',
      'Read as windows-1252, a guess.',
      'Run r1: 2,000 rows.',
      '100 of 2,000 rows (5.0%), 10 rows/s, 3 min 10 s left; 100 created',
      '200 of 2,000 rows (10.0%), 10 rows/s, 3 min left; 100 created, 90 updated, 10 rejected, 12 waiting, 128 requests at once',
      `Paused, retrying until ${formatClockTime(until, until)}: nothing gets through.`,
      `200 of 2,000 rows (10.0%), paused, retrying until ${formatClockTime(until, until)}; 100 created, 90 updated, 10 rejected, 12 waiting, 128 requests at once`,
      'Continuing after 10 s.',
      'Stopping: Ctrl-C. Waiting for requests in flight.',
      '200 of 2,000 rows (10.0%); 100 created, 90 updated, 10 rejected, 12 waiting, 128 requests at once',
    ]);
  });

  test('no time left is said before ten rows in ten seconds: after the first row it would be anything', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock, every: 1_000 });
    const said: (string | undefined)[] = [];
    const see = async (seconds: number, done: number) => {
      rows(listen, done, 'created');
      await clock.move(seconds * 1_000);
      said.push(screen.lines.at(-1)?.replace(/;.*/, ''));
    };
    listen(started);
    await see(1, 1);
    await see(8, 189);
    await see(1, 10);
    listen({ kind: 'paused', reason: 'nothing gets through', until: clock.now() + 60_000 });
    listen({ kind: 'resumed', afterSeconds: 60 });
    await see(9, 180);
    await see(11, 220);
    stop();
    expect(said).toEqual([
      '1 of 2,000 rows (<0.1%), 1 rows/s',
      '190 of 2,000 rows (9.5%), 21 rows/s',
      '200 of 2,000 rows (10.0%), 20 rows/s, 1 min 30 s left',
      '380 of 2,000 rows (19.0%), 20 rows/s',
      '600 of 2,000 rows (30.0%), 20 rows/s, 1 min 10 s left',
    ]);
  });

  test('few rows tell no time left, however long they took', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock, every: 20_000 });
    listen(started);
    rows(listen, 9, 'created');
    await clock.move(20_000);
    stop();
    expect(screen.lines.at(1)).toBe('9 of 2,000 rows (0.5%), 0.45 rows/s; 9 created');
  });

  test('a continued run says what was done before, and measures only its own rows', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock, every: 10_000 });
    listen({ ...started, finished: 1_900, continued: true });
    rows(listen, 50, 'unchanged');
    await clock.move(10_000);
    stop();
    expect(screen.lines[0]).toBe('Continuing run r1: 1,900 of 2,000 rows are done.');
    expect(screen.lines[1]).toBe(
      '1,950 of 2,000 rows (97.5%), 5 rows/s, 10 s left; 1,900 before, 50 unchanged',
    );
  });

  test('the rate is that of the last thirty seconds, not of the whole run', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock, every: 1_000 });
    listen({ ...started, total: 1_000_000 });
    for (let second = 0; second < 60; second += 1) {
      rows(listen, 1_000, 'created');
      await clock.move(1_000);
    }
    for (let second = 0; second < 40; second += 1) {
      rows(listen, 10, 'created');
      await clock.move(1_000);
    }
    stop();
    expect(screen.lines.at(-1)).toContain(', 10 rows/s,');
  });

  test('nothing is left behind after the stop, and later events are not shown', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(false);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock });
    listen(started);
    expect(clock.sleeping).toBe(1);
    stop();
    stop();
    expect(clock.sleeping).toBe(0);
    const before = screen.text;
    rows(listen, 10, 'created');
    listen({ kind: 'note', text: 'late' });
    await clock.move(60_000);
    expect(screen.text).toBe(before);
  });
});

describe('on a terminal', () => {
  test('draws a bar with rows, pace, time left and counts, notes above it, and clears it at the end', async () => {
    const clock = new HandClock();
    const screen = new TerminalStream(true);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock });
    listen(started);
    screen.take();
    rows(listen, 480, 'created');
    rows(listen, 20, 'rejected');
    await clock.move(10_000);
    const drawn = screen.take();
    expect(drawn).toContain(`${'█'.repeat(10)}${'░'.repeat(30)} 25.0%  500 of 2,000  50 rows/s, 30 s left`);
    expect(drawn).toContain('480 created, 20 rejected');
    listen({ kind: 'note', text: 'The file has no header.' });
    expect(screen.take()).toMatch(/^\|{3}The file has no header\.\n\|/);
    stop();
    expect(screen.take()).toMatch(/\|{3}$/);
    expect(clock.sleeping).toBe(0);
  });

  test('shows no pace and no time left before there is a rate', () => {
    const clock = new HandClock();
    const screen = new TerminalStream(true);
    const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock });
    listen(started);
    const drawn = screen.take();
    stop();
    expect(drawn).toContain('0 of 2,000');
    expect(drawn).not.toMatch(/left|rows\/s/);
  });

  test.each([10, 30, 45, 60, 120])('fits into %i columns', (width) => {
    const reading = { total: 5_000_000, done: 1_234_567, pace: '12,345 rows/s, 5 min 5 s left' };
    expect(formatProgressBar(reading, width).length).toBeLessThan(width);
  });
});

test('a row costs a run next to nothing: nothing is drawn for it', () => {
  const screen = new TerminalStream(true);
  const { listen, stop } = startProgressDisplay({ screen: progressOn(screen), clock: new HandClock() });
  listen({ ...started, total: 1_000_000 });
  screen.take();
  const before = process.cpuUsage();
  rows(listen, 1_000_000, 'created');
  const { user, system } = process.cpuUsage(before);
  expect(screen.text).toBe('');
  stop();
  // 100,000 rows a second may cost a tenth of one core at the most: CPU time, so that a busy machine does not count.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
