import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { atMapping, chooseTarget, mapping } from './at-mapping.ts';
import { focusedLabel } from './hands.ts';
import { patienceMs, windows } from './studio.ts';

const none = browserPath === undefined;
const asked = mapping.replace(
  '  lastName:',
  '  phone: { from: Plan, country: "TODO: which country are they from?" }\n  lastName:',
);
const answered = asked.replace('"TODO: which country are they from?"', 'DE');

/** The names of the lines that are shown, in order. */
async function linesOf(page: Page): Promise<readonly string[]> {
  const names = page.getByRole('table', { name: 'Columns' }).getByRole('rowheader');
  return (await names.allInnerTexts()).map((name) => name.split('\n')[0] ?? '');
}

/** Returns true if the bar of the current row covers a part of what has the focus. */
async function isUnderRowBar(page: Page): Promise<boolean> {
  const bar = page.getByRole('button', { name: 'Make an example test' }).locator('xpath=..');
  return await bar.evaluate((element) => {
    const [one, own] = [document.activeElement, element].map((each) => each?.getBoundingClientRect());
    return one !== undefined && own !== undefined && one.top < own.bottom - 1 && one.bottom > own.top + 1;
  });
}

test.skipIf(none)(
  'each column has one line over the full width, and the YAML is closed at first',
  async () => {
    const { page, expectInOrder } = await atMapping();
    const editor = page.getByRole('textbox', { name: 'YAML of the mapping' });
    expect(await linesOf(page)).toEqual(['ID', 'First', 'Last', 'Email', 'Plan', 'Comment: origin']);
    const email = page.getByRole('row', { name: /^Email/ });
    await email.getByText('3 good').waitFor();
    const rejected = email.getByRole('button', { name: '1 rejected' });
    await rejected.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
    await dialog.getByText('1 row; the whole file searched.').waitFor();
    expect(await dialog.getByLabel('Problem').inputValue()).toBe('rejected email.invalid');
    await page.keyboard.press('Escape');
    await rejected.and(page.locator(':focus')).waitFor();
    await page.getByRole('row', { name: /^Plan/ }).getByText('list, 1 value translated').waitFor();
    expect(await email.getByRole('cell').allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('not-an-address'), '100%', 'ada@example.com']),
    );
    for (const width of [390, 1_440, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide, `at ${width}`).toBeLessThanOrEqual(width);
      const table = await page.getByRole('table', { name: 'Columns' }).boundingBox();
      expect(table?.width, `at ${width}`).toBeGreaterThan(width - 100);
      expect(await editor.count()).toBe(0);
    }
    // It stays open in this tab, also after a reload.
    await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
    await editor.waitFor();
    await page.reload();
    await editor.waitFor();
    await expectInOrder('the columns beside the YAML');
    await page.getByRole('button', { name: 'Hide the YAML' }).press('Enter');
    await editor.waitFor({ state: 'detached' });
  },
);

test.skipIf(none)(
  'arrow keys move between the lines, and Enter or a click opens the rules of one',
  async () => {
    const { page, expectInOrder } = await atMapping();
    await page.getByRole('button', { name: 'First', exact: true }).focus();
    for (const [key, name] of [
      ['ArrowDown', 'Last'],
      ['ArrowUp', 'First'],
      ['End', 'Comment: origin'],
      ['ArrowDown', 'Comment: origin'],
      ['Home', 'ID\nkey'],
      ['ArrowUp', 'ID\nkey'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focusedLabel(page)).toBe(name);
    }
    // Where the window is small, the bar of the row covers no line that has the focus.
    for (const size of [windows.zoomed, windows.phone, windows.desktop]) {
      await page.setViewportSize(size);
      await page.keyboard.press('End');
      for (let label = ''; label !== 'ID\nkey'; label = await focusedLabel(page)) {
        await page.keyboard.press('ArrowUp');
        expect(await isUnderRowBar(page), `${await focusedLabel(page)} at ${size.width}`).toBe(false);
      }
    }
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const values = page.getByRole('list', { name: 'Most frequent values of First' });
    await values.waitFor();
    await page.getByRole('textbox', { name: 'Cut the cell at' }).waitFor();
    await expectInOrder('an open line');
    await page.keyboard.press('Enter');
    await values.waitFor({ state: 'detached' });
    // A click on the line does the same, on a field in it not.
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole('cell', { name: 'Ada', exact: true }).first().click();
    await values.waitFor();
    await page.getByRole('combobox', { name: 'Target of Last' }).click();
    expect(await page.getByRole('list', { name: 'Most frequent values of Last' }).count()).toBe(0);
  },
);

test.skipIf(none)('the lines are filtered and searched, and a line that is changed stays', async () => {
  const { page, file, written } = await atMapping({ text: asked });
  const filter = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
  await filter('With a question 1');
  expect(await linesOf(page)).toEqual(['Plan']);
  await filter('With problems 2');
  expect(await linesOf(page)).toEqual(['Email', 'Plan']);
  await filter('Left out 0');
  await page.getByText('No column fits.').waitFor();
  await filter('All');
  await page.getByRole('searchbox', { name: 'Search the columns' }).fill('FAMILY');
  await page.getByText('No column fits.').waitFor();
  for (const text of ['Last', 'last name', 'lovelace']) {
    await page.getByRole('searchbox', { name: 'Search the columns' }).fill(text);
    expect(await linesOf(page)).toEqual(['Last']);
  }
  const target = page.getByRole('combobox', { name: 'Target of Last' });
  await page.getByRole('searchbox', { name: 'Search the columns' }).fill('last name');
  await chooseTarget(page, 'Target of Last', 'left out');
  await written(asked.replace('  lastName: { from: Last }   # the family\n', ''));
  await target.waitFor();
  await page.getByRole('searchbox', { name: 'Search the columns' }).fill('');
  await filter('Left out 1');
  expect(await linesOf(page)).toEqual(['Last']);
  await filter('All');
  // A text that is given up changes nothing; a column that the input does not have is shown.
  await page.getByRole('combobox', { name: 'Target of First' }).fill('Phone');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.getByRole('combobox', { name: 'Target of First' }).inputValue()).toBe('First name');
  writeFileSync(file, asked.replace('from: Last', 'from: Surname'));
  const line = page.getByRole('row', { name: /^Surname/ });
  await line.getByText('not in the input').waitFor();
  await line.getByText('Last name').waitFor();
  await line.getByRole('button', { name: 'Leave out' }).click();
  await written(asked.replace('  lastName: { from: Last }   # the family\n', ''));
});

test.skipIf(none)('a question is answered in the line of its column, and undo asks it again', async () => {
  const { page, written, expectInOrder } = await atMapping({ text: asked });
  await page.getByText('One is in the table below, under the column in question.').waitFor();
  const question = page.getByRole('row').getByLabel('Phone: Which country are they from?');
  await expectInOrder('a question in its line');
  await question.selectOption('Germany');
  await page.getByRole('button', { name: 'Answer' }).press('Enter');
  await page
    .getByRole('heading', { name: 'Every question is answered' })
    .and(page.locator(':focus'))
    .waitFor();
  await written(answered);
  await page.getByRole('row', { name: /^Plan/ }).getByText('Germany').waitFor();
  await page.keyboard.press('Control+z');
  await question.waitFor();
  await written(asked);
  await page.getByRole('button', { name: 'Redo' }).press('Enter');
  await question.waitFor({ state: 'detached' });
  await written(answered);
});

test.skipIf(none)('every change is undone and redone, until the file is changed elsewhere', async () => {
  const { page, file, written } = await atMapping();
  const undo = page.getByRole('button', { name: 'Undo' });
  const redo = page.getByRole('button', { name: 'Redo' });
  const isOff = async () => [
    await undo.getAttribute('aria-disabled'),
    await redo.getAttribute('aria-disabled'),
  ];
  expect(await isOff()).toEqual(['true', 'true']);
  const without = mapping.replace('  lastName: { from: Last }   # the family\n', '');
  await chooseTarget(page, 'Target of Last', 'Left out');
  await written(without);
  await chooseTarget(page, 'Target of First', 'Left out');
  await written(without.replace('  firstName: { from: First }\n', ''));
  await page.keyboard.press('Control+z');
  await written(without);
  await undo.press('Enter');
  await written(mapping);
  expect(await isOff()).toEqual(['true', 'false']);
  await page.keyboard.press('Control+Shift+Z');
  await written(without);
  // In a text field, the keys are those of the field.
  await page.getByRole('searchbox', { name: 'Search the columns' }).press('Control+z');
  await page.getByRole('textbox', { name: 'Line' }).press('Control+z');
  expect(await isOff()).toEqual(['false', 'false']);
  // A burst of typing in the YAML is one step.
  await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
  await page.getByRole('textbox', { name: 'YAML of the mapping' }).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('# ok');
  await written(`${without}# ok`);
  await undo.press('Enter');
  await written(without);
  writeFileSync(file, mapping.replace('people\n', 'folk\n'));
  await page.getByText('The file was changed elsewhere: what you did before cannot be undone').waitFor();
  expect(await isOff()).toEqual(['true', 'true']);
  expect(readFileSync(file, 'utf8')).toContain('folk');
});

test.skipIf(none)('a mistake in the mapping leads to its line of the YAML', async () => {
  const { page, file } = await atMapping();
  writeFileSync(file, `${mapping}lifecycle: { form: Plan }\n`);
  const line = mapping.split('\n').length;
  await page
    .getByRole('list', { name: 'Mistakes in the mapping' })
    .getByRole('button', { name: `Line ${line}` })
    .first()
    .press('Enter');
  await page.getByRole('textbox', { name: 'YAML of the mapping' }).and(page.locator(':focus')).waitFor();
  await vi.waitFor(
    async () => expect(await page.locator('.cm-activeLine').innerText()).toContain('form: Plan'),
    { timeout: patienceMs },
  );
});

test.skipIf(none)(
  'the mistakes in a mapping are listed once, not again where its rows are counted',
  async () => {
    const { page, file } = await atMapping();
    writeFileSync(file, `${mapping}lifecycle: { form: Plan }\n`);
    await page.getByRole('list', { name: 'Mistakes in the mapping' }).waitFor();
    const counts = page.getByRole('region', { name: 'Rows by outcome' });
    const words = counts.getByText('The rows are counted once the mistakes in the mapping are corrected.');
    await counts.getByRole('alert').or(words).waitFor();
    expect(await counts.getByRole('alert').count()).toBe(0);
  },
);
