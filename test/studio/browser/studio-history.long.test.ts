import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { run as inProcess } from '../../end-to-end/in-process.ts';
import { isLong } from '../../long.ts';
import { nightsAgo } from '../nights-ago.ts';
import { atStudioPage, type StudioPage } from './studio.ts';

const none = browserPath === undefined;

async function imported({ people, workDir, token }: StudioPage): Promise<string> {
  const words = ['import', people.pipeline, '--work-dir', workDir, '--json'];
  const { stdout } = await inProcess(words, { LONGSHORE_TOKEN: token });
  return JSON.parse(stdout).run;
}

async function confirm({ page, token }: StudioPage, label: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Token of the workspace');
  await dialog.getByRole('button', { name: label, exact: true }).waitFor();
  if (await field.isVisible()) await field.fill(token);
  await dialog.getByRole('button', { name: label, exact: true }).click();
}

test.skipIf(none)('an export is made by the form, run, and its folder verified', async () => {
  const studio = await atStudioPage({ rows: 4 });
  const { page, folder, sandbox, goTo, expectInOrder } = studio;
  await goTo('#/exports');
  await page.getByRole('link', { name: 'New export' }).click();
  await page.getByLabel('Name').fill('every night');
  await page.getByLabel('Which contacts').selectOption('created');
  await page.getByLabel('Date, such as').fill('soon');
  await page.getByLabel('Which contacts').selectOption('all contacts');
  await page.getByLabel('How many exports to keep').fill('none');
  await page
    .getByRole('alert')
    .getByText(/Line \d+/)
    .waitFor();
  await page.getByLabel('How many exports to keep').fill('7');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByLabel('Workspace URL').fill(sandbox.baseUrl);
  await page.getByLabel('Messages').check();
  await expectInOrder('the form of an export');
  await page.getByRole('button', { name: 'Write the file' }).click();
  await page.getByRole('heading', { name: 'every night' }).waitFor();
  const yaml = readFileSync(join(folder, 'pipelines/every-night.yaml'), 'utf8');
  expect(yaml).toContain('keep: 7');

  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await confirm(studio, 'Export');
  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  await goTo('#/exports/every%20night');
  await page.getByRole('grid', { name: 'Exports so far' }).getByText('finished').waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Every file is as it was written.').waitFor();
  await expectInOrder('an export that was verified');
});

test.skipIf(none || !isLong)('a past run shows its report, and is verified and undone', async () => {
  const studio = await atStudioPage({ rows: 8 });
  const { page, folder, sandbox, goTo, expectInOrder } = studio;
  const input = join(folder, 'people.csv');
  const hostile = '<script>parent.x=1</script>';
  writeFileSync(input, readFileSync(input, 'utf8').replace('person1@example.com', hostile));
  const run = await imported(studio);
  await goTo('#/history');
  await page.getByLabel('Search').fill('nothing like it');
  await page.getByText('0 runs').waitFor();
  await page.getByLabel('Search').fill('people');
  await expectInOrder('the history');
  await page.getByRole('link', { name: /^people\.csv, \d+ \w+, 8 rows$/ }).waitFor();
  await page.getByRole('grid', { name: 'Runs' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/#/history/${run}`);
  await page.getByRole('button', { name: 'Check the import' }).click();
  await confirm(studio, 'Check the import');
  await page.getByText('Everything that can be read back').waitFor();
  const before = sandbox.log.filter(({ applied }) => applied).length;
  await page.getByRole('button', { name: 'Show what would be put back' }).click();
  await page.getByRole('table', { name: 'Put back' }).waitFor();
  await page.getByRole('rowheader', { name: 'person3@example.com', exact: true }).first().waitFor();
  await expectInOrder('the plan of an undo');
  expect(sandbox.log.filter(({ applied }) => applied)).toHaveLength(before);
  // axe waits in vain for an answer of a frame that runs no scripts.
  await page.getByRole('button', { name: 'Show report.html' }).click();
  await page.frameLocator('iframe').getByText(hostile).first().waitFor();
  await page.getByRole('button', { name: 'Hide report.html' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByRole('dialog').getByText('would be put back: ').waitFor();
  await expectInOrder('the question before an undo');
  await confirm(studio, 'Undo');
  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  expect(sandbox.contacts().filter(({ lastName }) => lastName === 'Before')).toHaveLength(1);
  expect(await page.evaluate('window.x')).toBeUndefined();
});

test.skipIf(none || !isLong)('exports that did not come are shown, and how that is guessed', async () => {
  const studio = await atStudioPage({ rows: 4 });
  const { page, folder, workDir, sandbox, token, goTo, expectInOrder } = studio;
  mkdirSync(join(folder, 'pipelines'), { recursive: true });
  const file = join(folder, 'pipelines/nightly.yaml');
  writeFileSync(file, 'pipeline: nightly\nexport: { to: "../exports/{date}", contacts: { format: csv } }\n');
  for (let night = 0; night < 5; night += 1)
    await inProcess(['export', file, '--workspace', sandbox.baseUrl, '--work-dir', workDir, '--json'], {
      LONGSHORE_TOKEN: token,
    });
  nightsAgo(workDir, [8, 7, 6, 4, 3]);
  await goTo('#/exports');
  const words = /nightly: no export since .*, expected every day: 2 are missing\./;
  await page.getByText(words).waitFor();
  await page.getByText('Guessed from when the latest 5 runs began: every day, by the median.').waitFor();
  await expectInOrder('a pipeline that is late');
  await goTo('#/exports/nightly');
  await page.getByText(words).waitFor();
  await page
    .getByRole('listitem')
    .filter({ hasText: /^1 between .* and / })
    .waitFor();
  await expectInOrder('nights that are missing');
  await goTo('#/history');
  await page.getByText(words).waitFor();
});
