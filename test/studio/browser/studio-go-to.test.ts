import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { run as inProcess } from '../../end-to-end/in-process.ts';
import { atStudioPage } from './studio.ts';

test.skipIf(browserPath === undefined)('Ctrl-K goes to a view, a file or a run by its name', async () => {
  const { page, people, workDir, token, expectInOrder } = await atStudioPage();
  const words = ['import', people.pipeline, '--work-dir', workDir, '--json'];
  const { stdout } = await inProcess(words, { LONGSHORE_TOKEN: token });
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  const search = dialog.getByRole('searchbox', { name: 'View, file or run' });
  await page.getByRole('heading', { name: 'Start an import' }).waitFor();
  await page.getByText('finished').first().waitFor();

  await page.keyboard.press('Control+k');
  await search.fill('mapping.yaml');
  await dialog.getByRole('link', { name: 'mapping.yaml' }).waitFor();
  await dialog.getByText('Keyboard shortcuts', { exact: true }).click();
  await expectInOrder('the list of places and keys');
  await search.fill('hist');
  await dialog.getByText('1 of 1 shown').waitFor();
  await search.press('Enter');
  await page.waitForURL('**/#/history');
  await dialog.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Go to…' }).press('Enter');
  await search.fill('people.csv rows run');
  await dialog.getByText('1 of 1 shown').waitFor();
  await search.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/#/run/${JSON.parse(stdout).run}`);

  await page.keyboard.press('Control+k');
  await search.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(page.url()).toContain(JSON.parse(stdout).run);

  await page.keyboard.press('Control+k');
  await search.fill('undo');
  await search.press('Enter');
  await page.getByRole('heading', { name: 'Undo', exact: true }).waitFor();
  // The next Tab leads to the content and not to the navigation.
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
});

test.skipIf(browserPath === undefined)(
  'lines are close together where somebody wants it, in every tab; what appears moves only where motion is welcome',
  async () => {
    const { page, goTo } = await atStudioPage();
    await goTo('#/files/people.csv');
    const row = page.getByRole('grid').getByRole('row').nth(1);
    const heightOf = async () => (await row.boundingBox())?.height;
    await row.waitFor();
    expect(await heightOf()).toBe(28);
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await dialog.waitFor();
    const durationOf = async (reducedMotion: 'reduce' | 'no-preference') => {
      await page.emulateMedia({ reducedMotion });
      return await page.evaluate("getComputedStyle(document.querySelector('dialog')).transitionDuration");
    };
    expect([await durationOf('no-preference'), await durationOf('reduce')]).toEqual(['0.18s', '0s']);
    const box = dialog.getByLabel('Compact tables and lists');
    await box.check();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await heightOf()).toBe(24);

    const other = await page.context().newPage();
    await other.goto(page.url());
    const rowThere = other.getByRole('grid').getByRole('row').nth(1);
    await rowThere.waitFor();
    expect((await rowThere.boundingBox())?.height).toBe(24);
    await other.keyboard.press('Control+k');
    await other.getByLabel('Compact tables and lists').uncheck();
    await expect.poll(heightOf).toBe(28);
  },
);

test.skipIf(browserPath === undefined)(
  'a placeholder has the colour of a note, also in the dark',
  async () => {
    const { page } = await atStudioPage();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    const note = await dialog.getByRole('status').evaluate((element) => getComputedStyle(element).color);
    const placeholder = await dialog
      .getByRole('searchbox')
      .evaluate((element) => getComputedStyle(element, '::placeholder').color);
    expect(placeholder).toBe(note);
  },
);
