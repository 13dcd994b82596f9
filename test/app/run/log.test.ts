import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appendToRunLog, startRunLog } from '../../../src/app/run/report/log.ts';
import { createSecretScrubber } from '../../../src/report/scrub.ts';
import { controls, hostileText } from '../../cli/hostile-text.ts';
import { HandClock } from '../../report/hand-clock.ts';

let dir: string;
const path = () => join(dir, 'runs', 'r1', 'log.ndjson');

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'longshore-log-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const started = { kind: 'started', run: 'r1', total: 3, finished: 0, continued: false } as const;

function open(trouble: string[] = [], rotation?: { maxBytes: number; keep: number }) {
  return startRunLog({
    ...(rotation && { rotation }),
    runsDir: join(dir, 'runs'),
    clock: new HandClock(),
    scrub: createSecretScrubber(['tok"en-0123456789']),
    problem: (sentence) => trouble.push(sentence),
  });
}

function lines(): Record<string, unknown>[] {
  return readFileSync(path(), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('says what happened when, from before the run had a name on, and adds to what is there', async () => {
  const log = open();
  log.listen({ kind: 'note', text: 'Read as UTF-8.' });
  log.listen(started);
  log.listen({ kind: 'paused', reason: 'nothing gets through', until: Date.UTC(2026, 2, 1, 10, 15) });
  log.listen({ kind: 'waiting', reason: 'no answer yet', until: Date.UTC(2026, 2, 1, 10, 1) });
  log.listen({ kind: 'resumed', afterSeconds: 5 });
  log.listen({ kind: 'stopping', reason: 'SIGINT' });
  await log.close();
  const again = open();
  again.listen({ ...started, continued: true });
  await again.close();
  expect(lines()).toMatchObject([
    { level: 'info', time: '2026-03-01T10:00:00.000Z', event: 'note', msg: 'Read as UTF-8.' },
    { event: 'started', run: 'r1', total: 3, finished: 0, continued: false },
    { level: 'warn', event: 'paused', until: '2026-03-01T10:15:00.000Z', msg: 'nothing gets through' },
    { level: 'warn', event: 'waiting', until: '2026-03-01T10:01:00.000Z', msg: 'no answer yet' },
    { event: 'resumed', afterSeconds: 5 },
    { event: 'stopping', msg: 'SIGINT' },
    { event: 'started', continued: true },
  ]);
  expect(statSync(path()).mode & 0o777).toBe(0o600);
});

test('names rows that need a look by line and code, never by what stands in their cells', async () => {
  const log = open();
  log.listen(started);
  const problems = [{ code: 'email.invalid', column: 'Email', reason: '"ada@" is not an e-mail' }];
  const row = { kind: 'row', line: 7, key: 'ada@example.com', contactId: 4, problems } as const;
  log.listen({ ...row, outcome: 'created' });
  log.listen({ ...row, outcome: 'rejected' });
  await log.close();
  const text = readFileSync(path(), 'utf8');
  expect(text).not.toContain('ada@');
  expect(lines().slice(1)).toMatchObject([
    { event: 'row', line: 7, outcome: 'rejected', codes: ['email.invalid'] },
  ]);
});

test('a secret is replaced wherever it stands', async () => {
  const log = open();
  log.listen(started);
  log.listen({ kind: 'note', text: 'Bearer tok"en-0123456789 it is' });
  log.failed(new Error('header Authorization: Bearer tok"en-0123456789'));
  await log.close();
  expect(readFileSync(path(), 'utf8')).not.toContain('0123456789');
  expect(lines().at(-1)).toMatchObject({ level: 'error', msg: 'header Authorization: Bearer [secret]' });
});

test('a log that cannot be written says so once and stops nothing', async () => {
  writeFileSync(join(dir, 'runs'), 'a file where the folder should be');
  const trouble: string[] = [];
  const log = open(trouble);
  log.listen(started);
  log.listen({ kind: 'note', text: 'still here' });
  await log.close();
  expect(trouble).toEqual([expect.stringContaining('cannot be written')]);
});

test('a large log goes on in a new file, its earlier pieces are kept up to a number, and none is larger', async () => {
  const note = (number: number) =>
    ({ kind: 'note', text: `${String(number).padStart(3, '0')} ${'é'.repeat(40)}` }) as const;
  const rotation = { maxBytes: 1_000, keep: 2 };
  for (const half of [0, 1]) {
    const log = open([], rotation);
    log.listen(started);
    for (let number = 0; number < 20; number += 1) log.listen(note(20 * half + number));
    await log.close();
  }
  const folder = join(dir, 'runs', 'r1');
  expect(readdirSync(folder).sort()).toEqual(['log.1.ndjson', 'log.2.ndjson', 'log.ndjson']);
  const pieces = ['log.2.ndjson', 'log.1.ndjson', 'log.ndjson'].map((name) => join(folder, name));
  for (const piece of pieces) {
    expect(statSync(piece).size).toBeLessThanOrEqual(1_000);
    expect(statSync(piece).mode & 0o777).toBe(0o600);
  }
  // What is kept is the end, whole and in order.
  const numbers = pieces
    .flatMap((piece) => readFileSync(piece, 'utf8').trimEnd().split('\n'))
    .map((line): { event: string; msg: string } => JSON.parse(line))
    .filter(({ event }) => event === 'note')
    .map(({ msg }) => Number(msg.slice(0, 3)));
  expect(numbers.length).toBeGreaterThan(10);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 40 - numbers.length + index));
});

test('what is known only after the end is added to the log', async () => {
  const log = open();
  log.listen(started);
  await log.close();
  const options = {
    runsDir: join(dir, 'runs'),
    clock: new HandClock(),
    scrub: createSecretScrubber(['0123456789']),
    problem: () => undefined,
  };
  await appendToRunLog('r1', options, { event: 'alert', warning: true, text: 'not sent: 0123456789' });
  expect(lines().at(-1)).toMatchObject({ level: 'warn', event: 'alert', msg: 'not sent: [secret]' });
  expect(lines()).toHaveLength(2);
});

test('without a run there is no log', async () => {
  const log = open();
  log.listen({ kind: 'note', text: 'nothing began' });
  await log.close();
  expect(() => statSync(join(dir, 'runs'))).toThrow();
});

test('what a terminal would obey is escaped, before the run has a name and in what is added later, too', async () => {
  const log = open();
  log.listen({ kind: 'inspecting', name: hostileText });
  log.listen(started);
  log.listen({ kind: 'paused', reason: hostileText, until: 0 });
  await log.close();
  const options = {
    runsDir: join(dir, 'runs'),
    clock: new HandClock(),
    scrub: createSecretScrubber([]),
    problem: () => {},
  };
  await appendToRunLog('r1', options, { event: 'alert', warning: true, text: hostileText });
  expect(readFileSync(path(), 'utf8')).not.toMatch(controls);
  const quoted = lines().map(({ name, msg }) => name ?? msg);
  expect(quoted).toEqual([hostileText, undefined, hostileText, hostileText]);
});
