import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const [yaml, template] = ['YAML of the mapping', 'Text; {Column} inserts a cell'];

/** A Chromium of this machine, found as the browser tests find it; undefined where there is none. */
export function findBrowser() {
  const named = process.env.LONGSHORE_TEST_BROWSER;
  if (named !== undefined) return named === '' ? undefined : named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return ['chromium-headless-shell', 'chromium']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/**
 * Opens the page in a browser, and then a mapping: the ms until the files are shown and until the first counts are, and how long the page was blocked at the most (ms)
 * while a user types so many characters into the YAML and into a template, and the rows are counted meanwhile. On a busy machine that
 * is waiting for a processor, too: `cpuMs` is what the longest task took of it.
 */
export async function typeInto({ executablePath, origin, token, mapping, characters }) {
  const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    context.setDefaultTimeout(200_000);
    await context.addInitScript((own) => localStorage.setItem('longshore-session', own), token);
    const page = await context.newPage();
    const asked = performance.now();
    await page.goto(`${origin}/#/files`);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await page.getByText('people.csv').first().waitFor({ state: 'attached' });
    const firstView = performance.now() - asked;
    const since = performance.now();
    await page.evaluate((path) => {
      location.hash = `#/mapping/${encodeURIComponent(path)}`;
    }, mapping);
    await page.getByText(/columns?, (?:all .* rows?|.* of the file) read/).waitFor();
    const firstCounts = performance.now() - since;
    await page
      .getByRole('button', { name: /^Comment/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Show the YAML' }).click();
    const areas = [page.getByRole('textbox', { name: yaml }), page.getByLabel(template).first()];
    await page.evaluate(watchBlocks);
    const blocked = [];
    for (const area of areas) {
      await area.focus();
      await page.keyboard.press('Control+End');
      // A comment of the YAML, and more text of the template.
      await page.keyboard.type('\n# ');
      await page.waitForTimeout(500);
      await page.evaluate(() => {
        window.blocks.length = 0;
      });
      await browser.startTracing(page, { categories: ['toplevel'] });
      // In three goes: after each the counts begin again, and the next is typed meanwhile.
      for (let go = 0; go < 3; go += 1) {
        await page.keyboard.type('typing on '.repeat(characters).slice(0, characters / 3), { delay: 50 });
        await page.waitForTimeout(700);
      }
      const cpuMs = longestTask(await browser.stopTracing());
      blocked.push({ ms: await page.evaluate(() => Math.max(0, ...window.blocks)), cpuMs });
    }
    return { firstView, firstCounts, yaml: blocked[0], template: blocked[1] };
  } finally {
    await browser.close();
  }
}

/** The most processor time (ms) that a task of the page took, in a trace of Chromium. */
function longestTask(trace) {
  const { traceEvents } = JSON.parse(trace.toString());
  const threadOf = ({ pid, tid }) => `${pid} ${tid}`;
  const ofPages = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain',
  );
  const threads = new Set(ofPages.map(threadOf));
  const tasks = traceEvents.filter((each) => each.name.endsWith('RunTask') && threads.has(threadOf(each)));
  return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1_000), 0);
}

/** Notes tasks of the page that take long, and how long each key waits until the page has dealt with it. */
function watchBlocks() {
  window.blocks = [];
  const note = (each) => (list) => window.blocks.push(...list.getEntries().map(each));
  new PerformanceObserver(note(({ duration }) => duration)).observe({ type: 'longtask' });
  const keys = new PerformanceObserver(note(({ startTime, processingEnd }) => processingEnd - startTime));
  keys.observe({ type: 'event', durationThreshold: 16 });
}
