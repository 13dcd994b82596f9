import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { atMapping, mapping } from './at-mapping.ts';
import { patienceMs } from './studio.ts';

const none = browserPath === undefined;

/** Opens what a tab shows in another tab of the browser. */
async function duplicate(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await editorOf(tab).waitFor();
  return tab;
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'YAML of the mapping' });

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}

async function expectEditor(page: Page, text: string): Promise<void> {
  await vi.waitFor(async () => expect(await editorOf(page).innerText()).toContain(text), {
    timeout: patienceMs,
  });
}

test.skipIf(none)(
  'a mapping that is open in two tabs says so in both, and shows what the other one saves',
  async () => {
    const { page, written, expectInOrder } = await atMapping();
    const isOpenElsewhere = 'This mapping is open in another tab, too.';
    expect(await page.getByText(isOpenElsewhere).count()).toBe(0);
    const other = await duplicate(page);
    await other.getByText(isOpenElsewhere).waitFor();
    await page.getByText(isOpenElsewhere).waitFor();
    await expectInOrder('a mapping that another tab has open, too');
    await typeAtEnd(other, '# from the other tab\n');
    await expectEditor(page, '# from the other tab');
    await written(`${mapping}# from the other tab\n`);
    await other.close();
    await page.getByText(isOpenElsewhere).waitFor({ state: 'detached' });
  },
);

test.skipIf(none)(
  'of two tabs with unsaved changes the later one shows what differs and asks which to keep, and loses nothing',
  async () => {
    const { page, written, expectInOrder } = await atMapping();
    const other = await duplicate(page);
    // Half of a key is not saved.
    await typeAtEnd(page, 'broken: [');
    await page.getByText('Not saved: fix the YAML first').waitFor();
    await typeAtEnd(other, '# from the other tab\n');
    await page.getByText('The file was changed in another tab or an editor, and here, too.').waitFor();
    const differs = page.getByRole('region', { name: 'What differs' }).getByRole('row');
    expect(await differs.allInnerTexts()).toEqual([
      'Line\tIn the file\tHere',
      '15\t# from the other tab\tbroken: [',
    ]);
    await expectInOrder('a choice of two texts');
    await page.getByRole('button', { name: 'Load the file' }).press('Enter');
    await expectEditor(page, '# from the other tab');
    expect(await editorOf(page).innerText()).not.toContain('broken');
    await editorOf(page).focus();
    await page.keyboard.press('Control+z');
    await expectEditor(page, 'broken: [');
    await page.keyboard.insertText(']');
    await written(`${mapping}broken: []`);
    await expectEditor(other, 'broken: []');
  },
);
