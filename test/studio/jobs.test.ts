import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PreviewJobRunner, yieldLatestEvents } from '../../src/studio/server/jobs/jobs.ts';
import type { PreviewJob, PreviewJobEvent } from '../../src/studio/wire/jobs.ts';
import { main } from '../end-to-end/built.ts';
import { usualInvocation } from '../invocation.ts';
import { projectOfTest } from './at-studio.ts';

const never = new AbortController().signal;

function jobOn(rows: number, kind: 'look' | 'columns'): PreviewJob {
  const folder = projectOfTest();
  const path = join(folder, 'people.csv');
  writeFileSync(path, `id,name\n${Array.from({ length: rows }, (_, n) => `${n},Person ${n}\n`).join('')}`);
  const input = { path, spoolDir: join(folder, 'spool') };
  return kind === 'look' ? { kind, input, rows: 3, seed: 0.5 } : { kind, input };
}

async function all(events: AsyncIterable<PreviewJobEvent>): Promise<readonly PreviewJobEvent[]> {
  const heard: PreviewJobEvent[] = [];
  for await (const event of events) heard.push(event);
  return heard;
}

describe('a job', () => {
  it('tells what it finds in a process of its own, and ends', async () => {
    const warnings: string[] = [];
    const jobs = new PreviewJobRunner(main, usualInvocation, (text) => warnings.push(text));
    const [event, ...more] = await all(jobs.run(jobOn(20, 'look'), never));
    expect(event).toMatchObject({ kind: 'look', look: { format: 'csv', read: { rows: 20 } } });
    expect(more).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('says what it cannot do', async () => {
    const input = { path: '/nowhere/at-all.csv', spoolDir: '/nowhere' };
    const heard = await all(
      new PreviewJobRunner(main, usualInvocation, () => {}).run(
        { kind: 'look', input, rows: 3, seed: 0 },
        never,
      ),
    );
    expect(heard).toMatchObject([{ kind: 'refused', message: expect.stringContaining('at-all.csv') }]);
  });

  it('is ended at once when nobody hears it', async () => {
    const jobs = new PreviewJobRunner(main, usualInvocation, () => {});
    const gone = new AbortController();
    const events = jobs.run(jobOn(200_000, 'columns'), gone.signal);
    expect((await events.next()).value).toMatchObject({ kind: 'columns', columns: { done: false } });
    gone.abort();
    // It ends when its process has.
    expect((await all(events)).filter((event) => event.kind === 'columns' && event.columns.done)).toEqual([]);
  });

  it('is not disturbed by another of its kind: two pages look at one mapping', async () => {
    const jobs = new PreviewJobRunner(main, usualInvocation, () => {});
    const first = jobs.run(jobOn(50_000, 'columns'), never);
    await first.next();
    const [second, rest] = await Promise.all([all(jobs.run(jobOn(10, 'columns'), never)), all(first)]);
    expect(second.at(-1)).toMatchObject({ columns: { done: true, rows: 10 } });
    expect(rest.at(-1)).toMatchObject({ columns: { done: true, rows: 50_000 } });
  });

  it('that breaks down is told in the terminal, and is no end of the server', async () => {
    const warnings: string[] = [];
    const jobs = new PreviewJobRunner(join(projectOfTest(), 'main.js'), usualInvocation, (text) =>
      warnings.push(text),
    );
    expect(await all(jobs.run(jobOn(1, 'look'), never))).toMatchObject([
      { kind: 'refused', message: 'The preview ended unexpectedly.' },
    ]);
    expect(warnings.join()).toContain('Cannot find module');
  });
});

it('is built beside the command', () => {
  expect(existsSync(join(main, '../input-process.js'))).toBe(true);
});

it('of events that are not taken, the newest is kept', async () => {
  const taken: number[] = [];
  const events = yieldLatestEvents<number>(async (tell) => {
    for (const n of [1, 2, 3]) tell(n);
    await Promise.resolve();
    tell(4);
  });
  for await (const event of events) taken.push(event);
  expect(taken).toEqual([3, 4]);
  const failing = yieldLatestEvents<number>(() => Promise.reject(new Error('broken')));
  await expect(failing.next()).rejects.toThrow('broken');
});
