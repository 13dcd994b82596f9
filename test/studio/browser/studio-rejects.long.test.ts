import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { changed } from '../../cli/site.ts';
import { start } from '../../end-to-end/command.ts';
import { run as inProcess } from '../../end-to-end/in-process.ts';
import { isLong } from '../../long.ts';
import { gateAfter } from '../gate.ts';
import { atStudioPage, type StudioPage } from './studio.ts';

const none = browserPath === undefined;

/** A command as it is typed in a terminal of the project folder. */
function terminal({ workDir, token }: StudioPage, ...words: readonly string[]) {
  return [[...words, '--work-dir', workDir], { LONGSHORE_TOKEN: token }] as const;
}

/** Runs it to its end, and gives what it prints. */
async function inTerminal(studio: StudioPage, ...words: readonly string[]) {
  const ended = await inProcess(...terminal(studio, ...words, '--json'));
  return JSON.parse(ended.stdout);
}

/** Answers the question of a button, the first time with the token. */
async function confirm({ page, token }: StudioPage, label: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const field = dialog.getByLabel('Token of the workspace');
  await dialog.getByRole('button', { name: label }).waitFor();
  if (await field.isVisible()) await field.fill(token);
  await dialog.getByRole('button', { name: label }).click();
}

test.skipIf(none)('rejected rows are corrected in the grid and retried until nothing is open', async () => {
  const studio = await atStudioPage({ rows: 6 });
  const { page, folder, people, goTo, expectInOrder, expectExact } = studio;
  const path = join(folder, 'people.csv');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('person1@example.com', 'person1').replace('person2@example.com', '@x'));
  const { run } = await inTerminal(studio, 'import', people.pipeline);

  await goTo(`#/run/${run}`);
  await page.getByRole('button', { name: 'E-mail: not valid' }).click();
  await page
    .getByRole('grid', { name: 'Rows with E-mail: not valid' })
    .getByText('person1', { exact: true })
    .waitFor();
  await page.getByRole('button', { name: 'Correct the rows here' }).press('Enter');
  await page.keyboard.press('Tab');
  const cell = page.getByLabel('Email, line 3');
  await cell.fill('person1@');
  await page.getByText('"person1@" is not an e-mail address').waitFor();
  await page.getByText('1 row corrected, saved; 1 row still has a problem').waitFor();
  expect(await cell.getAttribute('aria-invalid')).toBe('true');
  await cell.fill('person1@example.com');
  await page.getByText('The rules of the mapping accept the row now.').waitFor();
  expect(await cell.getAttribute('aria-invalid')).toBe('false');
  await page.getByText('1 row corrected, saved').waitFor();
  const columns = page.getByLabel(/^All \d+ columns/);
  await columns.check();
  await expectInOrder('a grid of rejected rows');
  await columns.uncheck();
  await page.reload();
  expect(await page.getByLabel('Email, line 3').inputValue()).toBe('person1@example.com');
  await page.getByRole('button', { name: 'Retry with 1 corrected row' }).click();
  await confirm(studio, 'Retry with 1 corrected row');
  await page.waitForURL((url) => /^#\/run\/\d{8}-/.test(url.hash) && !url.hash.endsWith(run));

  await page.getByText('1 of 2 rows').or(page.getByText('2 of 2 rows processed')).first().waitFor();
  await page.getByLabel(/^Email, line/).fill('person2@example.com');
  await page.getByText('1 row corrected, saved').waitFor();
  await page.getByRole('button', { name: 'Retry with 1 corrected row' }).click();
  await confirm(studio, 'Retry with 1 corrected row');
  await page.getByText('1 of 1 rows processed').or(page.getByText('1 of 1 row processed')).waitFor();
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  expectExact();
  expect(await inTerminal(studio, 'status', run)).toMatchObject({ open: 0 });

  // The files to hand over are those of the import and of its retries.
  await goTo(`#/hand-over/${run}`);
  const files = page.getByRole('region', { name: 'Files' });
  await files
    .getByRole('link', { name: /^Retry with corrected rows/ })
    .nth(1)
    .waitFor();
  await files.getByRole('button', { name: 'Download report.html' }).nth(2).waitFor();
});

test.skipIf(none)(
  'corrections that were not retried are announced with a newer file, and shown after its import',
  async () => {
    const studio = await atStudioPage({ rows: 4 });
    const { page, folder, people, goTo, expectInOrder } = studio;
    const path = join(folder, 'people.csv');
    const older = readFileSync(path, 'utf8')
      .replace('person1@example.com', 'person1')
      .replace('person2@example.com', 'person2');
    writeFileSync(path, older);
    writeFileSync(join(folder, 'newer.csv'), older.replace('First2', 'Ann'));
    const { run: earlier } = await inTerminal(studio, 'import', people.pipeline);
    await goTo(`#/run/${earlier}`);
    for (const [line, email] of [
      [3, 'person1@example.com'],
      [4, 'person2@example.com'],
    ] as const)
      await page.getByLabel(`Email, line ${line}`).fill(email);
    await page.getByText('2 rows corrected, saved').waitFor();

    await goTo('#/files/newer.csv/pipeline.yaml');
    await page.getByText('2 corrected rows of people.csv were not retried yet.').waitFor();
    await expectInOrder('a newer file while corrections were not retried');
    await page.getByRole('button', { name: 'Use this file from now on' }).click();
    await page.getByText('pipeline.yaml reads newer.csv now.').waitFor();
    const { run } = await inTerminal(studio, 'import', people.pipeline);
    await goTo(`#/run/${run}`);
    await page.getByText('The correction of a row that is the same as in the earlier file').waitFor();
    expect(await page.getByLabel('Email, line 3').inputValue()).toBe('person1@example.com');
    expect(await page.getByLabel('Email, line 4').inputValue()).toBe('person2');
    await page.getByText('A correction of a row of people.csv was not carried over').waitFor();
    await page.getByText('line 4, key 2: Email: person2@example.com').waitFor();
    await page.getByRole('button', { name: 'Retry with 1 corrected row' }).waitFor();
    await expectInOrder('corrections of an earlier file');
  },
);

test.skipIf(none)('the place of a row is not cut where a line has several rows', async () => {
  const studio = await atStudioPage({ rows: 1 });
  const { page, folder, people, goTo } = studio;
  const values = Array.from({ length: 20 }, (_, n) => `(${n},'Ann','Doe','none','',${n})`);
  writeFileSync(
    join(folder, 'people.sql'),
    `-- MySQL dump 10.13
CREATE TABLE people (ID int, First varchar(20), Last varchar(20), Email varchar(90), Phone varchar(20), Score int);
INSERT INTO people VALUES ${values.join(',')};
-- Dump completed on 2024-01-01
`,
  );
  const pipeline = readFileSync(people.pipeline, 'utf8');
  writeFileSync(
    people.pipeline,
    pipeline.replace('format: csv', 'format: sql').replace('people.csv', 'people.sql'),
  );
  const { run } = await inTerminal(studio, 'import', people.pipeline);
  await goTo(`#/run/${run}`);
  await page.getByRole('button', { name: 'E-mail: not valid' }).click();
  const place = page.getByRole('gridcell', { name: '3, row 12', exact: true }).first();
  await place.waitFor();
  expect(await place.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
});

test.skipIf(none)('a save that fails is shown, and is made again by a button', async () => {
  const studio = await atStudioPage({ rows: 4 });
  const { page, folder, people, goTo, expectInOrder } = studio;
  const path = join(folder, 'people.csv');
  writeFileSync(path, readFileSync(path, 'utf8').replace('person1@example.com', 'person1'));
  const { run } = await inTerminal(studio, 'import', people.pipeline);
  const address = '**/api/runs/*/rejects';
  await page.route(address, async (route) => {
    if (route.request().method() !== 'PUT') return await route.continue();
    await route.fulfill({ status: 500, json: { message: 'The disk is full.', next: 'Make room on it.' } });
  });
  await goTo(`#/run/${run}`);
  await page.getByLabel('Email, line 3').fill('person1@example.com');
  await page.getByText('Not saved: The disk is full.').waitFor();
  await page.getByText('1 row corrected…').waitFor();
  await expectInOrder('corrections that could not be saved');
  await page.unroute(address);
  await page.getByRole('button', { name: 'Save again' }).click();
  await page.getByText('1 row corrected, saved').waitFor();
  await page.getByText('Not saved: ').waitFor({ state: 'detached' });
  // A retry in a terminal is seen on the page of the run that was retried.
  const { run: retried } = await inTerminal(studio, 'retry', run);
  await page.getByRole('heading', { name: 'people.csv' }).getByText('finished, 1 row to retry').waitFor();
  writeFileSync(path, readFileSync(path, 'utf8').replace(',person1,', ',person1@example.com,'));
  await inTerminal(studio, 'retry', run);
  await page.getByRole('heading', { name: 'Rejected rows' }).waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'people.csv' }).getByText('finished', { exact: true }).waitFor();
  expect(retried).not.toBe(run);
});

test.skipIf(none || !isLong)(
  'uncertain comments are decided one by one, and retried as decided',
  async () => {
    const studio = await atStudioPage({ rows: 2, limits: '{ concurrency: 1 }' });
    const { page, folder, people, sandbox, goTo, expectInOrder } = studio;
    const mapping = join(folder, 'mapping.yaml');
    writeFileSync(
      mapping,
      `${readFileSync(mapping, 'utf8')}comments: [{ name: origin, text: "Record {ID}" }]\n`,
    );
    sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter', times: 2 });
    const { run } = await inTerminal(studio, 'import', people.pipeline);
    await goTo(`#/run/${run}`);
    await page.getByRole('button', { name: 'Decide here' }).click();
    const [one, other] = [page.getByRole('group').nth(0), page.getByRole('group').nth(1)];
    await one.getByLabel('It is there').check();
    await page.getByText('1 comment of 2 decided, saved').waitFor();
    await other.getByLabel('It is missing: send it again').check();
    await page.getByText('2 comments of 2 decided, saved').waitFor();
    await expectInOrder('uncertain comments');
    sandbox.resetLog();
    await page.getByRole('button', { name: 'Retry as decided' }).click();
    await page.getByText('1 comment is sent again; 1 comment is taken as sent.').waitFor();
    await confirm(studio, 'Retry as decided');
    await page.waitForURL((url) => /^#\/run\/\d{8}-/.test(url.hash) && !url.hash.endsWith(run));
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expect(sandbox.log.filter((entry) => entry.path.endsWith('/comment'))).toHaveLength(1);
    expect(await inTerminal(studio, 'status', run)).toMatchObject({ open: 0 });
  },
);

test.skipIf(none || !isLong)(
  'a run that was started in a terminal is watched, stopped and continued in the browser',
  async () => {
    const gate = gateAfter(3);
    // One at a time: with all of them in flight, a stop would find nothing left to continue.
    const studio = await atStudioPage({ rows: 40, limits: '{ concurrency: 1 }', onPhase: gate.pass });
    const { page, people, sandbox, goTo, expectInOrder, expectExact } = studio;
    const running = start(...terminal(studio, 'import', people.pipeline));
    await changed(sandbox, 2);
    await goTo('#/run');
    await page.getByRole('link', { name: /^people\.csv, / }).click();
    await page.getByText(/^\d+ of 40 rows processed/).waitFor();
    await page.getByText('The limit is 5 a second').waitFor();
    await expectInOrder('a run of a terminal at work');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Yes, stop' }).click();
    await page.getByText('Asked to stop').waitFor();
    gate.open();
    await running.ended;
    await page.getByRole('button', { name: 'Continue' }).click();
    await confirm(studio, 'Continue');
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expectExact();
  },
);
