import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { run } from '../../end-to-end/command.ts';
import { isLong } from '../../long.ts';
import { atMapping, countsOf, mapping } from './at-mapping.ts';
import { patienceMs } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)('targets and the YAML of a mapping are changed in step, by the keyboard', async () => {
  const { page, written, expectInOrder } = await atMapping();
  expect(await countsOf(page)).toEqual([
    '1 pass 25%',
    '2 pass, but lose a value 50%',
    '1 rejected 25%',
    'value lost Plan: not an allowed value 2 rows',
    'rejected E-mail: not valid 1 row',
  ]);
  await expectInOrder('a mapping');
  await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');

  // A target, without a mouse.
  await page.getByRole('combobox', { name: 'Target of Last', exact: true }).focus();
  await page.keyboard.type('Left out');
  await page.keyboard.press('Enter');
  // It is the same field, which keeps the focus.
  const without = mapping.replace('  lastName: { from: Last }   # the family\n', '');
  await written(without);
  expect(await page.evaluate('document.activeElement.labels[0].innerText')).toBe('Target of Last');
  const editor = page.getByRole('textbox', { name: 'YAML of the mapping' });
  expect(await editor.innerText()).not.toContain('lastName');

  // The text, and the left side follows.
  await editor.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('lifecycle: { from: Last }\n');
  const target = page.getByRole('combobox', { name: 'Target of Last', exact: true });
  await vi.waitFor(async () => expect(await target.inputValue()).toBe('Lifecycle stage'), {
    timeout: patienceMs,
  });
  await written(`${without}lifecycle: { from: Last }\n`);
});

test.skipIf(none || !isLong)(
  'values, counts, reasons and example tests of a mapping, by the keyboard',
  async () => {
    const { page, written, people, folder, expectInOrder } = await atMapping();
    await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
    await page.getByRole('textbox', { name: 'Platinum becomes' }).fill('gold');
    await page.keyboard.press('Enter');
    const translated = mapping.replace('Gold tier: gold }', 'Gold tier: gold, Platinum: gold }');
    await written(translated);
    await vi.waitFor(async () => expect((await countsOf(page)).join()).not.toContain('value lost'), {
      timeout: patienceMs,
    });

    const { stdout } = await run(['check', people.pipeline, '--json', '--work-dir', join(folder, 'w')]);
    const { pass, rejected, rejects } = JSON.parse(stdout).rows;
    expect({ pass, rejected, rejects: rejects.length }).toEqual({ pass: 3, rejected: 1, rejects: 1 });
    expect(await countsOf(page)).toEqual([
      `${pass} pass 75%`,
      `${rejected} rejected 25%`,
      `rejected E-mail: not valid ${rejects[0].n} row`,
    ]);

    // A reason, its row, and an example test of it.
    await page.getByRole('button', { name: /E-mail: not valid/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
    await dialog.getByText('<b>Byte</b>').waitFor();
    await dialog.getByRole('grid').press('Enter');
    await dialog.getByRole('heading', { name: 'Line 3, Email' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByText('Row 2, line 3 rejected').waitFor();
    await page.getByRole('button', { name: 'Make an example test' }).press('Enter');
    await page.getByText('Added to the tests of the mapping.').waitFor();
    await vi.waitFor(
      () => expect(readFileSync(join(folder, 'mapping.yaml'), 'utf8')).toContain('rejects: email.invalid'),
      { timeout: patienceMs },
    );
    await expectInOrder('a mapping that was changed');
  },
);

test.skipIf(none || !isLong)('what somebody else writes is shown, and not written over', async () => {
  const { page, file, written } = await atMapping();
  const theirs = mapping.replace('people\n', 'folk\n');
  writeFileSync(file, theirs);
  await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
  const editor = page.getByRole('textbox', { name: 'YAML of the mapping' });
  await vi.waitFor(async () => expect(await editor.innerText()).toContain('mapping: folk'), {
    timeout: patienceMs,
  });
  // Half of a key: it stays in the page, so that the next change of the file meets it.
  await editor.focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('broken: [');
  await page.getByText('Not saved: fix the YAML first').waitFor();
  writeFileSync(file, mapping);
  await page.getByText('The file was changed in another tab or an editor, and here, too.').waitFor();
  await written(mapping);
  await page.getByRole('button', { name: 'Load the file' }).press('Enter');
  await page.getByText('Saved', { exact: true }).waitFor();
  await vi.waitFor(async () => expect(await editor.innerText()).not.toContain('broken'), {
    timeout: patienceMs,
  });
  await written(mapping);
});

test.skipIf(none || !isLong)(
  'rows are found by a value and a text, and a cell says what it becomes',
  async () => {
    const { page, expectInOrder } = await atMapping();
    await page.getByRole('button', { name: 'Search the rows' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
    const becomes = dialog.locator('.becomes');
    await dialog.getByText('4 rows; the whole file searched.').waitFor();
    await expectInOrder('the rows of a file');
    await dialog.getByLabel('Search all columns').fill('EXAMPLE');
    await page.keyboard.press('Enter');
    await dialog.getByText('3 rows; the whole file searched.').waitFor();
    await dialog.getByLabel('Column', { exact: true }).selectOption('Plan');
    await dialog.getByLabel('Has the value').fill('platinum');
    await page.keyboard.press('Enter');
    await dialog.getByText('2 rows; the whole file searched.').waitFor();
    // A lost value is marked, comes first, and is chosen by the keyboard.
    await dialog.locator('b.wrong').first().waitFor();
    const rows = dialog.getByRole('grid', { name: 'Rows' });
    await rows.press('ArrowDown');
    await rows.press('ArrowRight');
    await rows.press('ArrowRight');
    await rows.press('Enter');
    await dialog.getByRole('heading', { name: 'Line 5, Plan' }).waitFor();
    await becomes.getByText('nothing', { exact: true }).waitFor();
    await dialog.getByText('"Platinum" is not').first().waitFor();
    await expectInOrder('a cell with a problem');
    await rows.press('End');
    await dialog.getByRole('gridcell', { name: 'dee@example.com' }).click();
    await becomes.getByText('dee@example.com').waitFor();
    await dialog.getByLabel('Problem').selectOption({ index: 2 });
    await dialog.getByText('0 rows; the whole file searched.').waitFor();
  },
);
