import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { standing } from '../../end-to-end/people.ts';
import { atStudioPage, type StudioPage } from './studio.ts';

const none = browserPath === undefined;

async function importFirst({ page, token, goTo }: StudioPage): Promise<void> {
  await goTo('#/run');
  // It is the primary action in a real workspace.
  await page.locator('button:not(.quiet)', { hasText: 'Import the first 20 only' }).waitFor();
  await page.locator('button.quiet', { hasText: 'Import all rows' }).waitFor();
  await page.getByRole('button', { name: 'Import the first 20 only' }).click();
  const dialog = page.getByRole('dialog', { name: 'Start this import?' });
  await dialog.getByText('Only the first 20 rows are imported now.').waitFor();
  await dialog.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The first rows' }).waitFor();
}

test.skipIf(none)(
  'the first 20 rows are imported and looked at, and the rest is imported after them',
  async () => {
    const studio = await atStudioPage({ rows: 30 });
    const { page, sandbox, expectInOrder, expectExact } = studio;
    await importFirst(studio);
    const table = page.getByRole('grid', { name: 'The first rows' });
    await table.getByText('person1@example.com').waitFor();
    await page.getByText('20 rows read').waitFor();
    await expectInOrder('the first rows of an import');
    // Seven of the people are in the workspace before.
    expect(standing(sandbox)).toHaveLength(15 + 7);
    await page.getByRole('button', { name: 'Continue with the rest' }).click();
    const question = page.getByRole('dialog', { name: 'Continue with the rest?' });
    await question.getByRole('button', { name: 'Continue with the rest' }).click();
    await page.getByText('30 of 30 rows processed').waitFor();
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expectExact();
  },
);

test.skipIf(none)('the first 20 rows are undone, and then the run cannot be continued', async () => {
  const studio = await atStudioPage({ rows: 30 });
  const { page, goTo } = studio;
  await importFirst(studio);
  const run = page.url().split('/').at(-1);
  await page.getByRole('button', { name: 'Undo these' }).click();
  await page.getByRole('button', { name: 'Show what would be put back' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  await page.waitForURL(/#\/run\/\d{8}-\d{6}-undo/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  await goTo(`#/run/${run}`);
  await page.getByText('20 of 30 rows processed').waitFor();
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0);
});
