import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { changed } from '../../cli/site.ts';
import { isLong } from '../../long.ts';
import { gateAfter } from '../gate.ts';
import { atStudioPage } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)('a pipeline is checked and imported in the browser, by the keyboard alone', async () => {
  const { page, people, sandbox, token, goTo, expectInOrder, expectExact } = await atStudioPage();
  await goTo('#/run');
  await page.getByRole('button', { name: 'Check', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`${people.rows} rows of ${people.rows} pass`).waitFor();
  await expectInOrder('a checked pipeline');

  await page.getByRole('button', { name: 'Start the import' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Start this import?' });
  await dialog.getByText(sandbox.baseUrl).waitFor();
  await dialog.getByText(`${people.rows} rows in the input`).waitFor();
  await expectInOrder('the question before an import');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The focus comes back to the button that has asked.
  const start = page.getByRole('button', { name: 'Start the import' });
  await start.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');

  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText('finished', { exact: true }).waitFor();
  await page.getByText(`${people.rows} of ${people.rows} rows done`).waitFor();
  await expectInOrder('a finished run');
  expectExact();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(token);

  await page.reload();
  await page.getByText('finished', { exact: true }).waitFor();
});

test.skipIf(none || !isLong)(
  'a run is stopped and continued in the browser, also one of a closed page',
  async () => {
    const gate = gateAfter(3);
    const { page, sandbox, token, goTo, expectInOrder, expectExact } = await atStudioPage({
      rows: 40,
      onPhase: gate.pass,
    });
    await goTo('#/run');
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByLabel('Token of the workspace').fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Start the import' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await changed(sandbox, 2);
    await expectInOrder('a run at work');
    await goTo('#/run');
    await page.getByRole('link', { name: /^\d{8}-/ }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Asked to stop').waitFor();
    gate.open();
    await page.getByText('interrupted', { exact: true }).waitFor();
    await expectInOrder('a run that was stopped');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByText('finished', { exact: true }).waitFor();
    expectExact();
  },
);

test.skipIf(none)('a page without a session says what to do, and read-only starts nothing', async () => {
  const { page, browser, goTo } = await atStudioPage({ readOnly: true });
  await goTo('#/run');
  await page.getByText('read-only').waitFor();
  expect(await page.getByRole('button', { name: 'Start the import' }).isDisabled()).toBe(true);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(page.url());
  await stranger.getByText('This page is not connected to the studio.').waitFor();
});
