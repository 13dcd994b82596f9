import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { atStudioPage, patienceMs } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)('a stream that is refused is not asked for again', async () => {
  const { page, goTo } = await atStudioPage();
  await page.clock.install();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/yaml/watch')) asked += 1;
  });
  await goTo('#/mapping/gone.yaml');
  await page.getByText('There is no gone.yaml.').first().waitFor();
  await page.getByText('It may have been moved or renamed: choose it again.').first().waitFor();
  await page.clock.runFor(300_000);
  // Whatever the page asks for comes in its order: an attempt more would have been seen.
  await page.evaluate("fetch('/')");
  expect(asked).toBe(1);
});

test.skipIf(none)('a stream that was lost is taken up again, after longer and longer waits', async () => {
  const { page, goTo } = await atStudioPage();
  await page.clock.install();
  await page.addInitScript({
    content: `waits = []; { const set = setTimeout;
      setTimeout = (work, ms, ...more) => { if (ms >= 1000) waits.push(ms); return set(work, ms, ...more); }; }`,
  });
  await page.reload();
  await page.route('**/api/yaml/watch*', (route) => route.abort());
  await goTo('#/mapping/mapping.yaml');
  await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
  await page.getByText('The studio does not answer.').waitFor();
  // The editor waits for a second, too.
  const wanted = [2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  await vi.waitFor(
    async () => {
      await page.clock.runFor(30_000);
      const waits = await page.evaluate<readonly number[]>('waits.filter((ms) => ms > 1000)');
      expect(waits.slice(0, wanted.length)).toEqual(wanted);
    },
    { timeout: patienceMs },
  );
  await page.unroute('**/api/yaml/watch*');
  await vi.waitFor(
    async () => {
      await page.clock.runFor(30_000);
      expect(await page.getByRole('textbox', { name: 'YAML of the mapping' }).innerText()).toContain(
        'key: ID',
      );
    },
    { timeout: patienceMs },
  );
  await page.getByText('The studio does not answer.').waitFor({ state: 'detached' });
});

test.skipIf(none)(
  'a page that nobody sees holds no connection, and goes on when it is seen again',
  async () => {
    const { page, folder, goTo } = await atStudioPage();
    const open = new Set<object>();
    page.on('request', (request) => {
      if (request.url().includes('/api/yaml/watch')) open.add(request);
    });
    page.on('requestfailed', (request) => open.delete(request));
    page.on('requestfinished', (request) => open.delete(request));
    const turn = async (state: 'hidden' | 'visible') =>
      await page.evaluate((now) => {
        Object.defineProperty(document, 'hidden', { get: () => now === 'hidden', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    const openNow = async (n: number) =>
      await vi.waitFor(() => expect(open.size).toBe(n), { timeout: patienceMs });
    await goTo('#/mapping/mapping.yaml');
    await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
    const editor = page.getByRole('textbox', { name: 'YAML of the mapping' });
    await editor.waitFor();
    await openNow(1);
    await turn('hidden');
    await openNow(0);
    writeFileSync(join(folder, 'mapping.yaml'), 'mapping: folk\n');
    await turn('visible');
    await openNow(1);
    await vi.waitFor(async () => expect(await editor.innerText()).toContain('mapping: folk'), {
      timeout: patienceMs,
    });
  },
);
