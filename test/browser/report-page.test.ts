import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { renderOutcomeSection } from '../../src/app/import/report/page/outcome-section.ts';
import type { RowCounts } from '../../src/model/outcome.ts';
import { pageCss } from '../../src/report/page/style.ts';
import { atEveryReport } from '../end-to-end/every-report.ts';
import { isLong } from '../long.ts';
import { expectFigures } from '../report/expect-figures.ts';
import { axeViolations, browserPath, openFile, startBrowser, views } from './browser.ts';

/** A page is in order at every width and in both schemes, loads nothing, and prints; gives what it shows. */
async function expectInOrder(browser: Browser, path: string): Promise<string> {
  const { page, complaints } = await openFile(browser, path);
  for (const { width, colorScheme } of views) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, media: 'screen' });
    const shown = `${path} at ${width}, ${colorScheme}`;
    expect(await axeViolations(page), shown).toEqual([]);
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(wide, `${shown}: the page can be scrolled sideways`).toBeLessThanOrEqual(width);
  }
  // As wide as a sheet of paper between its margins: nothing is cut off there.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ colorScheme: 'light', media: 'print' });
  const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('table, pre, svg, dl')]
    .filter((each) => each.getBoundingClientRect().right > 719).map((each) => each.outerHTML.slice(0, 200))`);
  expect(cut, `${path}: cut off in print`).toEqual([]);
  const printed = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(printed.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
  const html = await page.content();
  await page.context().close();
  return html;
}

test.skipIf(browserPath === undefined || !isLong)(
  'reports of every kind and the page of a verification are in order in a browser',
  async () => {
    const browser = await startBrowser();
    // Those that differ: the others have the same sections.
    const looked = new Set(['an import that was verified', 'an export', 'a run that stopped']);
    await atEveryReport(
      async ({ what, page, summary }) => {
        if (looked.delete(what)) expectFigures(await expectInOrder(browser, page), JSON.parse(summary));
      },
      async (page) => {
        await expectInOrder(browser, page);
        expect(readFileSync(page, 'utf8')).not.toMatch(/<script/);
      },
    );
    expect([...looked]).toEqual([]);
  },
);

test.skipIf(browserPath === undefined)(
  'no outcome is broken within its name, however long its meaning is',
  async () => {
    const browser = await startBrowser();
    const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
    const rows: RowCounts = {
      ...{ created: 1_692, updated: 94, folded: 39, unchanged: 67, proposed: 15, rejected: 70, read: 1_977 },
      ...{ merged: 0, skipped: 0, filtered: 0, stale: 0, failed: 0, uncertain: 0, notReached: 0 },
    };
    const { text } = renderOutcomeSection({ rows, steps: {} });
    await page.setContent(`<style>${pageCss}</style><main>${text}</main>`);
    const linesOfNames = await page.locator('.outcomes tbody th').evaluateAll((heads) =>
      heads.map((head) => {
        const name = document.createRange();
        name.selectNodeContents(head.lastChild ?? head);
        return name.getClientRects().length;
      }),
    );
    expect(new Set(linesOfNames)).toEqual(new Set([1]));
  },
);
