import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { layOut, newestWith, type } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { axeViolations, browserPath, openFile, schemes, startBrowser, widths } from './browser.ts';

/** The page of a file is in order at every width and in both schemes. */
async function expectInOrder(browser: Browser, path: string): Promise<void> {
  const { page, complaints } = await openFile(browser, path);
  for (const width of widths) {
    for (const colorScheme of schemes) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, media: 'screen' });
      const shown = `${path} at ${width}, ${colorScheme}`;
      expect(await axeViolations(page), shown).toEqual([]);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide, `${shown}: the page can be scrolled sideways`).toBeLessThanOrEqual(width);
    }
  }
  expect(complaints).toEqual([]);
}

test.skipIf(browserPath === undefined)('the report of an import is a page in order', async () => {
  const folder = temporaryFolder();
  layOut(folder.path, [], 120);
  const imported = await type(
    'npx longshore import pipelines/import-sample.yaml --workspace sandbox',
    folder.path,
    {},
  );
  expect(imported.code).toBe(3);
  const { file } = newestWith('report.html', join(folder.path, '.longshore'));
  await expectInOrder(await startBrowser(), file);
  folder.remove();
});
