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
  await dialog.getByText('Keys', { exact: true }).click();
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
