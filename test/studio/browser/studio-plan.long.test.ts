import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storePlanDiff } from '../../../src/app/plan/diff.ts';
import { summarisePlanFile } from '../../../src/app/plan/summary.ts';
import { planOfMany } from '../../app/plan/many-rows.ts';
import { browserPath } from '../../browser/browser.ts';
import { isLong } from '../../long.ts';
import { atStudioPage, type StudioPage } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)('a plan is made, looked at and imported exactly in the browser', async () => {
  const { page, token, goTo, expectInOrder, expectExact } = await atStudioPage({ rows: 8 });
  await goTo('#/plan');
  await page.getByRole('button', { name: 'Make a plan' }).press('Enter');
  await page.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');
  await page.getByRole('list', { name: 'What would happen to the rows' }).waitFor();
  await page.getByRole('heading', { name: 'Every change' }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  await expectInOrder('a plan');

  const table = page.getByRole('grid', { name: 'Every change' });
  await table.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Line 2/ });
  await dialog.getByRole('row').nth(1).waitFor();
  await expectInOrder('a row of a plan');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await page.reload();
  await page.getByRole('button', { name: 'Import all 8 rows' }).click();
  const question = page.getByRole('dialog', { name: 'Import exactly this plan?' });
  await question.getByRole('button', { name: 'Import all 8 rows' }).click();
  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  expectExact();
  await goTo('#/plan');
  await page.getByText('This plan is out of date: another import has run since it was made.').waitFor();
  await page.getByRole('button', { name: 'Rehearse' }).waitFor();
  await goTo('#/plan/pipelines%2Fgone.yaml');
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: 'Rehearse' }).count()).toBe(0);
});

test.skipIf(none).each([
  ['an empty row', 'skipEmpty: true'],
  ['left out by a filter of the pipeline', 'where: { Email: { not: "" } }'],
  ['left out by a filter of the pipeline, or an empty row', 'skipEmpty: true, where: { Score: { not: x } }'],
])('the bar of a plan says what leaves rows out: %s', async (meaning, options) => {
  const { page, folder, token, goTo } = await atStudioPage({ rows: 3 });
  const file = join(folder, 'pipeline.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('people.csv }', `people.csv, ${options} }`));
  appendFileSync(join(folder, 'people.csv'), ',,,,,\n');
  await goTo('#/plan');
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');
  const filtered = page
    .getByRole('list', { name: 'What would happen to the rows' })
    .getByTitle(meaning, { exact: true });
  expect(await filtered.innerText()).toMatch(/^1 /);
});

test.skipIf(none)(
  'the question before an import says what a plan has found about the rows, or where their check has failed',
  async () => {
    const { page, folder, token, goTo, expectInOrder } = await atStudioPage({ rows: 8 });
    const question = page.getByRole('dialog', { name: 'Start this import?' });
    const ask = async () => {
      await page.getByRole('button', { name: 'Import all rows' }).click();
      await question.waitFor();
    };
    const leave = async () => {
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
    };
    await goTo('#/run');
    await ask();
    await question.getByText('The rows were not checked').waitFor();
    await leave();

    await goTo('#/plan');
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByLabel('Token of the workspace').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'What would happen to the rows' }).waitFor();
    await goTo('#/run');
    await ask();
    await question.getByText('Every row was checked for the plan of').waitFor();
    await question.getByText('8 rows, as the plan says:').waitFor();
    await expectInOrder('the question before an import with a plan');
    await leave();

    const wrong =
      'tests:\n  - { row: { Email: a@example.com }, expect: { contact: { email: b@example.com } } }\n';
    appendFileSync(join(folder, 'mapping.yaml'), wrong);
    await ask();
    await question.getByText(/^The plan of .* is out of date: /).waitFor();
    await leave();
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await page.getByText('example: test 1').waitFor();
    await ask();
    await question.getByText('The check of the rows failed: how many will pass is not known.').waitFor();
    await question.getByText('(mapping.yaml, line 11)').waitFor();
    await expectInOrder('the question before an import after a check that failed');
  },
);

/** A plan of so many rows, beside the pipeline of the page. */
async function keepPlanOfMany({ folder }: StudioPage, rows: number): Promise<void> {
  const file = planOfMany(join(folder, 'many.db'), rows, { pipeline: 'people' });
  await storePlanDiff(file, summarisePlanFile(file, { perPath: 5, concurrency: 1, latencies: new Map() }));
  file.close();
}

test.skipIf(none)('a plan of many rows is scrolled and filtered in the browser', async () => {
  const at = await atStudioPage();
  const { page, goTo, expectInOrder, people } = at;
  appendFileSync(people.pipeline, '  guard: { creates: 10, updates: 90% }\n');
  const rows = isLong ? 1_000_000 : 3_000;
  await keepPlanOfMany(at, rows);
  await goTo('#/plan');
  const figure = (n: number) => new Intl.NumberFormat('en-GB').format(n);
  await page.getByText(`${figure(rows * 2)} of ${figure(rows * 2)} changes`).waitFor();
  await page.getByText('stops the import').waitFor();
  const table = page.getByRole('grid', { name: 'Every change' });
  await table.focus();
  await page.keyboard.press('End');
  const last = isLong ? 500_001 : rows + 1;
  await table.getByText(figure(last), { exact: true }).first().waitFor();
  await expectInOrder('the end of a long plan');

  const search = page.getByLabel('Text');
  await search.fill('last name');
  await page.getByText(new RegExp(`^(?!0 of).* of ${figure(rows * 2)} changes$`)).waitFor();
  await table.getByText('Last name').first().waitFor();
  await search.fill('');
  await page.getByLabel('Kind').selectOption({ label: `cleared (${figure(rows / 5)})` });
  await page.getByText(`${figure(rows / 5)} of ${figure(rows * 2)} changes`).waitFor();
  await search.fill(`k-${rows - 10}`);
  await page.getByText(`1 of ${figure(rows * 2)} changes`, { exact: true }).waitFor();
  await table.getByText(`see ${rows - 10}`).waitFor();
  await table.focus();
  await page.keyboard.press('Enter');
  await page
    .getByRole('dialog')
    .getByText(`Müller ${rows - 10}`)
    .waitFor();
  await page.keyboard.press('Escape');
});

test.skipIf(none)(
  'a plan that cannot be made says why, and leads to the mistake in the mapping',
  async () => {
    const { page, token, goTo, expectInOrder, folder } = await atStudioPage();
    appendFileSync(join(folder, 'mapping.yaml'), '\nlifecycle: { form: Stage }\n');
    await goTo('#/plan');
    await page.getByRole('button', { name: 'Make a plan' }).press('Enter');
    await page.getByLabel('Token of the workspace').fill(token);
    await page.keyboard.press('Enter');
    await page.getByText('No plan could be made.').waitFor();
    await page.getByText('lifecycle').first().waitFor();
    await expectInOrder('a plan that could not be made');
    await page
      .getByRole('link', { name: /^mapping\.yaml, line \d+$/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Mapping', level: 1 }).waitFor();
  },
);
