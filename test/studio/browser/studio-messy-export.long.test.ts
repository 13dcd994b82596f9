import { readdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { leftBehindTitle } from '../../../src/model/left-behind.ts';
import { browserPath } from '../../browser/browser.ts';
import { answers, corrections, exports, messyExport, person } from '../../end-to-end/messy-person.ts';
import { wholeWorkspace } from '../../end-to-end/whole-workspace.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { startStudio } from '../start-studio.ts';
import { dropFiles, focusedLabel, tabTo } from './hands.ts';
import { type OpenPage, openLink } from './studio.ts';

const none = browserPath === undefined;
/** axe looks at eight pages at both widths and in both schemes. */
const minutes = 15;

test.skipIf(none).each(exports)(
  '$fixture, from the drop to the verified import, with mouse and keyboard alone',
  async ({ fixture, filtered }) => {
    const { path: folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const { url } = await startStudio(folder);
    const at = await openLink(url);

    await dropAndDraft(at, fixture);
    await answerQuestions(at);
    await checkAndImport(at, 16 + filtered);
    await fixAndRetry(at);
    await verify(at.page, 'Check the import');
    await at.expectInOrder('a verified run');

    await at.page.getByRole('link', { name: 'History' }).click();
    const runs = at.page.getByRole('grid', { name: 'Runs' });
    await runs.getByRole('row').filter({ hasText: fixture }).click();
    // The import, which is checked already, is on the same page.
    await verify(at.page, 'Check this run', 1);

    // Nothing but what the page has made is there.
    expect(readdirSync(folder).toSorted()).toEqual(['.longshore', 'mappings', 'pipelines']);
    const byCommands = await workspaceByCommands(fixture);
    expect(byCommands.contacts).toHaveLength(14);
    expect(wholeWorkspace(folder)).toEqual(byCommands);
  },
  minutes * 60_000,
);

/** The file goes in by the mouse, and becomes a mapping. */
async function dropAndDraft({ page, expectInOrder }: OpenPage, fixture: string): Promise<void> {
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor();
  await expectInOrder('an empty project');
  await dropFiles(page, page.getByRole('region', { name: 'Drop a file here' }), [messyExport(fixture)]);
  const rows = page.getByRole('grid', { name: 'The first rows' });
  await rows.getByText('Jörg').first().waitFor();
  await rows.getByRole('row').filter({ hasText: 'emil.krueger at example.com' }).click();
  await page.getByRole('definition').filter({ hasText: 'emil.krueger at example.com' }).waitFor();
  await page.getByRole('button', { name: 'Random rows' }).click();
  await page.getByRole('grid', { name: 'Random rows' }).getByText('example.com').first().waitFor();
  await expectInOrder('the preview of a messy export');
  await page.getByRole('button', { name: 'Draft a mapping' }).click();
  await page.getByText(/ questions? to answer\.$/).waitFor();
  await expectInOrder('a draft with questions');
  await page.getByRole('link', { name: 'Answer the questions' }).click();
}

/** Every question is answered by the keyboard alone: each answer leads to the next one. */
async function answerQuestions({ page, expectInOrder }: OpenPage): Promise<void> {
  const head = page.getByRole('heading', { name: /^Questions to answer/ });
  await head.waitFor();
  const questions = page.getByRole('button', { name: 'Answer', exact: true });
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  await expectInOrder('questions of a draft');
  await tabTo(page, page.locator('.question :is(textarea, input)').first());
  for (let left = await questions.count(); left > 0; left -= 1) {
    await head.filter({ hasText: `(${left})` }).waitFor();
    const asked = (await focusedLabel(page)).toLowerCase();
    const found = Object.entries(answers).find(([piece]) => asked.includes(piece));
    expect(found, `an answer to ${asked}`).toBeDefined();
    // In a list of countries their names are typed.
    await page.keyboard.type(found?.[1] === 'DE' ? 'Germany' : (found?.[1] ?? ''));
    await page.keyboard.press('Enter');
  }
  await head.waitFor({ state: 'detached' });
  await page.getByText('Saved', { exact: true }).waitFor();
  const reason = page.getByRole('button', { name: /^rejected E-mail: not valid 2 rows$/ });
  await tabTo(page, reason);
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
  for (const [wrong] of corrections)
    await dialog.getByRole('gridcell', { name: wrong, exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expectInOrder('a mapping without questions');
}

/** Also by the keyboard alone, but for the way to the view. */
async function checkAndImport({ page, expectInOrder }: OpenPage, rows: number): Promise<void> {
  const steps = page.getByRole('list', { name: 'Steps of an import' });
  await steps.getByRole('link').filter({ hasText: 'Run' }).click();
  await tabTo(page, page.getByRole('button', { name: 'Check the rows' }));
  await page.keyboard.press('Enter');
  const leftOut = rows === 17 ? '1 row is left out' : `${rows - 16} rows are left out`;
  const result = `2 rows would be rejected; ${leftOut}.`;
  await page.getByText(`14 rows of ${rows} pass; ${result}`).waitFor();
  const left = page.getByRole('list', { name: leftBehindTitle }).getByRole('listitem');
  expect(await left.allInnerTexts()).toEqual(
    expect.arrayContaining(['Rows rejected: 2', 'Rows merged into another row, as the same person: 2']),
  );
  await expectInOrder('a check that finds rows to reject');
  await tabTo(page, page.getByRole('checkbox', { name: 'Into the local sandbox, to try it out' }));
  await page.keyboard.press('Space');
  await tabTo(page, page.getByRole('button', { name: `Import all ${rows} rows` }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Start this import?' });
  await dialog.getByText('the local sandbox').waitFor();
  await dialog.getByText(`${rows} rows in the input: 14 rows pass; ${result}`).waitFor();
  await page.keyboard.press('Enter');
  await atFinishedRun(page);
  await expectInOrder('an import with rejected rows');
  expect(await outcomes(page)).toMatchObject({ created: 12, rejected: 2 });
}

async function fixAndRetry({ page }: OpenPage): Promise<void> {
  const before = runOf(page);
  await tabTo(page, page.getByRole('button', { name: 'Correct the rows here' }));
  await page.keyboard.press('Enter');
  const cells = page.getByRole('textbox', { name: /^E-Mail, line/ });
  for (const [index, [wrong, right]] of corrections.entries()) {
    await tabTo(page, cells.nth(index));
    expect(await cells.nth(index).inputValue()).toBe(wrong);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(right);
  }
  await page.getByText('2 rows corrected, saved').waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Retry with 2 corrected rows' }));
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Retry these rows?' });
  await dialog.getByText('the local sandbox').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => /^#\/run\/\d{8}-/.test(url.hash) && !url.hash.endsWith(before));
  await atFinishedRun(page);
  expect(await outcomes(page)).toEqual({ created: 2 });
  await page.getByRole('link', { name: 'Hand over, files and undo' }).click();
}

async function verify(page: Page, label: string, checked = 0): Promise<void> {
  await page.getByRole('button', { name: label }).click();
  await page.getByText('Everything that can be read back is as it was written.').nth(checked).waitFor();
}

async function atFinishedRun(page: Page): Promise<void> {
  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
}

function runOf(page: Page): string {
  return new URL(page.url()).hash.split('/').at(-1) ?? '';
}

/** The figures of the bar: how many rows became what. */
async function outcomes(page: Page): Promise<Readonly<Record<string, number>>> {
  const parts = page.getByRole('list', { name: 'Rows by outcome' }).getByRole('listitem');
  const texts = await parts.allInnerTexts();
  return Object.fromEntries(
    texts.map((text) => {
      const [n, name = ''] = text.trim().split(/\s+/);
      return [name, Number(n)];
    }),
  );
}

/** The same workspace, made by the commands in a folder of its own. */
async function workspaceByCommands(fixture: string) {
  const me = person(fixture);
  onTestFinished(me.remove);
  const pipeline = 'pipelines/import-kunden.yaml';
  await me.types(`draft ${fixture}`);
  for (const file of ['mappings/kunden.yaml', pipeline]) me.answers(file);
  const imported = await me.types(`import ${pipeline} --workspace sandbox --json`);
  const { run: name } = JSON.parse(imported.stdout);
  me.corrects(name);
  await me.types(`retry ${name} --from rejects.csv --workspace sandbox`);
  return wholeWorkspace(me.folder);
}
