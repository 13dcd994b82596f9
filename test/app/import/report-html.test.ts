import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { setRunTableUse } from '../../../src/journal/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { asItIs, JournalOfARun } from '../../report/journal-of-a-run.ts';
import { textOf } from '../../report/page-text.ts';

const opened: JournalOfARun[] = [];

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

async function page(items: number, fill: (run: JournalOfARun) => void | Promise<void>): Promise<string> {
  const evil = '"><script>alert(1)</script>';
  const run = new JournalOfARun(items, { pipeline: `p${evil}`, file: `f${evil}`, inputName: `i${evil}` });
  opened.push(run);
  await fill(run);
  await writeRunFiles({
    invocation: usualInvocation,
    file: run.file,
    run: run.run,
    runDir: run.runDir,
    scrub: asItIs,
  });
  return readFileSync(join(run.runDir, 'report.html'), 'utf8');
}

const hostile = '<img src=x onerror="alert(1)">\'&\u202e';

test('nothing from the data becomes markup, and nothing is loaded or run', async () => {
  const html = await page(3, async (run) => {
    const problem = { code: hostile, column: hostile, reason: hostile };
    run.finish(0, 'rejected', { problems: [problem], cells: [[hostile, hostile]] });
    run.finish(1, 'created', { problems: [problem] });
    await run.send(1, hostile, 'acked');
    run.beat({ [`GET ${hostile}`]: { sent: 1, ok: 1, retried: 0, limited: 0, queued: 0 } });
    run.end('failed', 1, hostile);
  });
  expect(html).not.toMatch(/<img|<script|\u202e/i);
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;');
  expect(html).not.toMatch(
    /(src|href)="(?!summary\.json|rejects\.csv|contacts\.csv|dropped\.csv|log\.ndjson)/,
  );
  expect(html).not.toMatch(/url\(|@import|https?:\/\/(?!workspace\.example)/);
  expect(html).toContain('content="default-src &#39;none&#39;;');
});

test('the sum is shown, and every figure has its thousands separator', async () => {
  const html = await page(2_000, (run) => {
    for (let seq = 0; seq < 1_993; seq += 1) run.finish(seq, 'created');
    for (let seq = 1_993; seq < 2_000; seq += 1) run.finish(seq, 'rejected');
    run.end('finished', 3);
  });
  expect(textOf(html)).toContain('1,993 + 7 = 2,000 read');
  expect(html).toContain('Finished: 1,993 of 2,000 rows done, 7 need a look.');
});

test('what became of the rows of joined tables, with the sums of each', async () => {
  const html = await page(1, (run) => {
    run.finish(0, 'created');
    const unjoined = [{ reason: 'unknownId', rows: 2, examples: [{ line: 4, id: null }] }] as const;
    const notes = { table: `notes${hostile}`, role: 'joined', rows: 5, used: 2, people: 1 } as const;
    setRunTableUse(run.file, run.run, {
      named: [{ ...notes, filtered: 1, unjoined }],
      others: [{ table: 'deals', rows: 7 }],
    });
    run.end('finished', 0);
  });
  const text = textOf(html);
  expect(text).toContain('5 rows: 2 used by 1 person, 1 left out by a filter, 2 unknown id (line 4 …)');
  expect(text).toContain('not read: deals (7 rows)');
  expect(html).not.toMatch(/<img/);
});

test('a bar of every outcome is as long as the page is wide, however few rows an outcome has', async () => {
  const html = await page(1_000_000, (run) => {
    run.finish(0, 'created');
    run.finish(1, 'failed');
    run.end('stopped', 4);
  });
  const stack = /<svg class="stack".*?<\/svg>/s.exec(html)?.[0] ?? '';
  const rects = [...stack.matchAll(/x="([\d.]+)" width="([\d.]+)"/g)].map(([, x, w]) => [
    Number(x),
    Number(w),
  ]);
  expect(rects).toHaveLength(3);
  for (const [, width] of rects) expect(width).toBeGreaterThanOrEqual(5);
  const [x = 0, width = 0] = rects.at(-1) ?? [];
  expect(x + width).toBeCloseTo(800, 0);
});

test('a killed session and what is in the air are said to be what they are', async () => {
  const html = await page(10, async (run) => {
    run.finish(0, 'created');
    await run.send(1, 'createContact');
    run.goOn(86_400_000);
    run.now += 1_000;
    run.beat();
  });
  expect(html).toContain('interrupted or killed');
  expect(html).toContain('killed: the process died');
  expect(html).toContain('The end of 2 sessions is not recorded');
  expect(html).toContain('1 request had no answer yet when the process ended');
  expect(html).toContain('longshore resume');
});

test('many sessions and codes leave a page of bounded length', async () => {
  const html = await page(1_000, (run) => {
    for (let n = 0; n < 200; n += 1) {
      run.finish(n, 'rejected', { problems: [{ code: `c${n}.x`, column: null, reason: 'r'.repeat(5_000) }] });
      run.goOn(60_000);
      run.now += 10;
    }
    run.end('finished', 3);
  });
  expect(html.length).toBeLessThan(100_000);
  expect(html).toContain('/problems/length" data-as="count">200</span> codes');
  expect(textOf(html)).toContain('The newest of 201 sessions');
  expect(html).not.toMatch(/NaN|Infinity|undefined/);
});

test('the steps stand in their order with plain words, and what is left to people names its list', async () => {
  const html = await page(3, async (run) => {
    await run.send(0, 'comment', 'uncertain', { item: 'a/1' });
    await run.send(0, 'create', 'acked');
    await run.send(1, 'merge', 'refused');
    await run.send(1, 'somethingNew', 'acked');
    const cells = [['_line', '3']] as const;
    run.finish(0, 'uncertain');
    run.finish(1, 'proposed', {}, { proposals: [{ seq: 1, pair: 0, contacts: [1, 2], cells }] });
    const tagged = { contact: 1, email: null, phone: null, tags: ['vip'] };
    run.finish(2, 'created', {}, { tagged });
    run.beat({ 'GET /contact/{identifier}': { sent: 2, ok: 2, retried: 0, limited: 0, queued: 0 } });
    run.end('finished', 3);
  });
  const rows = [...html.matchAll(/<tr><th scope="row">([a-zA-Z ]+)<\/th>((?:<td class="n.*?<\/td>){3})/g)];
  expect(rows.map(([, label, cells = '']) => [label, textOf(cells).trim()])).toEqual([
    ['contacts created', '1 – –'],
    ['contacts merged', '– – 1'],
    ['comments added', '– 1 –'],
    ['somethingNew', '1 – –'],
  ]);
  const left = /<h2>Needs manual action<\/h2>.*?<\/section>/s.exec(html)?.[0] ?? '';
  const lists = [...left.matchAll(/>(\d+)<\/span>.*?<a href="(.*?)">/gs)];
  expect(lists.map(([, n, list]) => [list, n])).toEqual([
    ['merge-proposals.csv', '1'],
    ['uncertain.csv', '1'],
    ['contact-tags.csv', '1'],
  ]);
  expect(html).toContain('write yes under &quot;approve&quot;');
  expect(html).toContain('people were looked up one by one');
});

test('a page says what its run was about, and nothing is left to people where nothing is', async () => {
  const html = await page(1, (run) => {
    run.beginAnother({ items: 1, selection: { kind: 'retry', run: 'R<0>', resend: true } });
    run.finish(0, 'created');
    run.end('finished', 0);
  });
  expect(html).toContain('A retry of run R&lt;0&gt;: its rows that were rejected, failed or are uncertain;');
  expect(html).not.toContain('left to people');
  expect(html).not.toContain('step by step');
});
