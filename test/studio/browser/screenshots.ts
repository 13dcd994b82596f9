import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { onTestFinished, test, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { run, start } from '../../end-to-end/command.ts';
import { messyExport } from '../../end-to-end/messy-person.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Camera, cameraOf } from './camera.ts';
import { dropFiles } from './hands.ts';
import { type OpenPage, openPage } from './studio.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const sample = 'pipelines/import-sample.yaml';

/** A page with its camera, and a terminal in its project folder. */
interface Scene extends OpenPage {
  readonly shoot: Camera;
  types(...words: readonly string[]): Promise<string>;
  readonly folder: string;
}

test('every view, with the messy export and the shipped sample', async () => {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  const folder = join(path, 'crm-migration');
  for (const name of ['pipelines', 'mappings', 'fixtures'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  const at = await openPage({ folder });
  at.page.setDefaultTimeout(120_000);
  const types = async (...words: readonly string[]) => (await run(words, {}, undefined, folder)).stdout;
  const scene: Scene = { ...at, folder, types, shoot: cameraOf(at.page) };
  await files(scene);
  await mapping(scene);
  await plan(scene);
  await runs(scene);
  await merges(scene);
  await exports(scene);
  await history(scene);
  await readOnly(folder);
});

/** The schema is named as in the shipped mappings: where this checkout is, is of no interest. */
function hideThisCheckout(mapping: string): void {
  const text = readFileSync(mapping, 'utf8');
  writeFileSync(mapping, text.replace(/\$schema=.*/, '$schema=schema.json'));
}

async function files({ page, goTo, shoot, folder }: Scene): Promise<void> {
  await goTo('#/files');
  await page.getByRole('heading', { name: 'Drop a file here' }).waitFor();
  await shoot('files-empty');
  await dropFiles(page, page.getByRole('region', { name: 'Drop a file here' }), [messyExport('kunden.csv')]);
  await page.getByRole('grid', { name: 'The first rows' }).getByText('Jörg').first().waitFor();
  await shoot('files', ['wide light']);
  await page.getByRole('row').filter({ hasText: 'Dörte' }).click();
  await page.getByRole('button', { name: 'Draft a mapping' }).click();
  await page.getByRole('link', { name: 'Answer the questions' }).waitFor();
  await shoot('files-drafted');
  hideThisCheckout(join(folder, 'mappings/kunden.yaml'));
  await goTo('#/files/fixtures%2Fsuitecrm.sql');
  await page.getByRole('img', { name: /has the people/ }).waitFor();
  await shoot('files-dump');
}

async function mapping({ page, goTo, shoot }: Scene): Promise<void> {
  await goTo('#/mapping');
  await page.getByRole('heading', { name: 'Mappings of this project' }).waitFor();
  await shoot('mapping-list');
  await goTo('#/mapping/mappings%2Fkunden.yaml');
  await page.getByText('10 columns, all 20 rows read').waitFor();
  await shoot('mapping-questions');
  for (const answer of ['DE', 'Customer', 'Hot Lead', 'New Lead']) {
    const fields = page.locator('.question [data-answer]');
    const left = await fields.count();
    if (answer === 'DE') await fields.first().selectOption(answer);
    else await fields.first().fill(answer);
    await fields.first().press('Enter');
    await page.getByRole('heading', { name: left === 1 ? 'Every question' : `(${left - 1})` }).waitFor();
  }
  await page.getByText('All 20 rows of the input').waitFor();
  await page.getByText('Saved', { exact: true }).waitFor();
  await page
    .getByRole('row', { name: /^Telefon/ })
    .getByText('+493023125101', { exact: true })
    .waitFor();
  await page.getByRole('navigation').getByText('answered', { exact: true }).waitFor();
  await shoot('mapping', ['wide light']);
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page.getByRole('table', { name: /Values of/ }).waitFor();
  await shoot('mapping-rule');
  await page.getByRole('button', { name: /E-mail: not valid/ }).click();
  await page.getByRole('dialog').getByText('lars.gross@', { exact: true }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/is read as$/)
    .waitFor();
  await shoot('mapping-reason', ['wide light']);
  await page.keyboard.press('Escape');
  await goTo('#/mapping/mappings%2Fsample-crm.yaml');
  await page.getByText('all 1,977 rows read').waitFor();
  await page.getByText('All 1,977 rows of the input').waitFor();
  await page.getByRole('button', { name: 'Country', exact: true }).click();
  await shoot('mapping-sample');
}

async function plan({ page, goTo, shoot }: Scene): Promise<void> {
  await goTo(`#/plan/${encodeURIComponent(sample)}`);
  await page.getByRole('heading', { name: 'Plan an import' }).waitFor();
  await shoot('plan-none');
  await page.getByLabel('For the local sandbox, to try it out').check();
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByText('The plan is made.').waitFor();
  await page.getByRole('grid', { name: 'Every change' }).getByRole('row').nth(1).waitFor();
  await page.getByRole('button', { name: 'Import the first 20 only', disabled: false }).waitFor();
  await shoot('plan', ['wide light']);
  await page.getByLabel('Text').fill('Newname');
  await page.getByRole('grid', { name: 'Every change' }).getByText('Newname').first().click();
  await page.getByRole('dialog').getByRole('row').nth(1).waitFor();
  await shoot('plan-row');
  await page.keyboard.press('Escape');
  await goTo('#/plan/pipelines%2Fimport-hubspot.yaml');
  await page.getByLabel('For the local sandbox, to try it out').check();
  await page.getByRole('button', { name: 'Rehearse' }).click();
  await page.getByRole('heading', { name: 'Contacts before and after' }).waitFor();
  await page.locator('.contacts summary').first().click();
  await shoot('plan-rehearsed');
}

async function runs(scene: Scene): Promise<void> {
  const { page, goTo, shoot, types } = scene;
  await goTo('#/run');
  await page.getByLabel('Pipeline').selectOption(sample);
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await page
    .getByText(/would be rejected/)
    .first()
    .waitFor();
  await shoot('run-check');
  await page.getByLabel('Into the local sandbox, to try it out').check();
  await page.getByRole('button', { name: 'Import all 1,977 rows' }).click();
  await page.getByRole('dialog').getByText('the local sandbox').waitFor();
  await shoot('run-question');
  await page.getByRole('dialog').getByRole('button', { name: 'Import all 1,977 rows' }).click();
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  await page
    .getByRole('grid')
    .or(page.getByRole('region', { name: 'Cells of the rejected rows' }))
    .waitFor();
  const email = page.getByRole('textbox', { name: /^Email, line/ }).first();
  await email.fill('ada@example.com');
  await page.getByText('1 row corrected, saved').waitFor();
  await shoot('run', ['narrow light']);
  await shoot('run-rejects', ['wide dark'], page.getByRole('heading', { name: 'Rejected rows' }));
  await page.getByRole('button', { name: 'E-mail: not valid' }).click();
  await page.getByRole('grid', { name: 'Rows with E-mail: not valid' }).getByRole('row').nth(1).waitFor();
  await shoot('run-problem');
  await types('import', 'pipelines/import-hubspot.yaml', '--workspace', 'sandbox');
  await uncertain(scene);
  await atWork(scene);
  await goTo('#/run');
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await shoot('run-list');
}

async function workspaceOf(folder: string, more: Parameters<typeof startSandbox>[0]): Promise<Sandbox> {
  const sandbox = await startSandbox({ seed: join(folder, 'fixtures/sample/workspace.json'), ...more });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Comments whose answers are lost. */
async function uncertain({ page, goTo, shoot, folder }: Scene): Promise<void> {
  const sandbox = await workspaceOf(folder, { seed: join(folder, 'fixtures/freshdesk/workspace.json') });
  sandbox.scriptFault({ method: 'POST', path: '/contact/*/comment', kind: 'dropAfter', times: 3 });
  const words = ['import', 'pipelines/import-freshdesk.yaml', '--workspace', sandbox.baseUrl, '--json'];
  const { stdout } = await run(words, { LONGSHORE_TOKEN: 'sandbox' }, undefined, folder);
  await goTo(`#/run/${JSON.parse(stdout).run}`);
  await page.getByRole('heading', { name: 'Uncertain comments' }).waitFor();
  await page.getByLabel('It is there').first().check();
  await page.getByText(/decided, saved/).waitFor();
  await shoot('run-uncertain');
}

/** A run of a terminal, while it works. */
async function atWork({ page, goTo, shoot, folder }: Scene): Promise<void> {
  const sandbox = await workspaceOf(folder, { faults: { latency: { min: 150, max: 400 } } });
  const words = ['import', sample, '--workspace', sandbox.baseUrl];
  const running = start(words, { LONGSHORE_TOKEN: 'sandbox' }, undefined, folder);
  await goTo('#/run');
  await page
    .getByRole('listitem')
    .filter({ hasText: /^contacts\.csv, .*running/ })
    .getByRole('link')
    .click();
  await vi.waitFor(() => sandbox.log.length > 3_000 || Promise.reject(new Error('not yet')), {
    timeout: 300_000,
  });
  await page
    .getByText(/^Rows per second/)
    .first()
    .waitFor();
  await shoot('run-at-work', ['wide light']);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Yes, stop' }).click();
  await page.getByText('Asked to stop').waitFor();
  await running.ended;
  await page.getByText('stopped by hand', { exact: true }).waitFor();
  await shoot('run-interrupted');
}

async function merges({ page, goTo, shoot, types }: Scene): Promise<void> {
  await goTo(`#/merges/${await finishedSample(types)}`);
  await page.getByText(/^Pair 1 of/).waitFor();
  await page.keyboard.press('y');
  await page.getByText(/^Pair 2 of/).waitFor();
  await page.keyboard.press('n');
  await page.getByText(/^Pair 3 of/).waitFor();
  await shoot('merges', ['wide light']);
  await page.keyboard.press('e');
  await page.getByRole('button', { name: 'Save the result' }).waitFor();
  await shoot('merges-edit');
  await page.keyboard.press('Escape');
}

async function exports({ page, goTo, shoot, types }: Scene): Promise<void> {
  const nightly = 'pipelines/nightly-export.yaml';
  for (let night = 0; night < 3; night += 1) await types('export', nightly, '--workspace', 'sandbox');
  await goTo('#/exports');
  await page.getByRole('link', { name: 'nightly-export' }).waitFor();
  await shoot('exports-list');
  await page.getByRole('link', { name: 'New export' }).click();
  await page.getByLabel('Workspace URL').waitFor();
  await shoot('exports-new');
  await goTo('#/exports/nightly-export');
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('Every file is as it was written.').waitFor();
  await shoot('exports-one');
}

async function history({ page, goTo, shoot, types }: Scene): Promise<void> {
  await goTo('#/history');
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).waitFor();
  await shoot('history', ['wide light']);
  const run = await finishedSample(types);
  await goTo(`#/check/${run}`);
  await page.getByRole('button', { name: 'Check the import' }).click();
  await page.getByRole('button', { name: 'Show verification.html' }).waitFor();
  await shoot('check');
  await goTo(`#/hand-over/${run}`);
  await page.getByRole('button', { name: 'Show what would be put back' }).click();
  await page.getByRole('table', { name: 'Put back' }).waitFor();
  await shoot('hand-over');
  await page.getByRole('button', { name: 'Show report.html' }).click();
  await page.frameLocator('iframe').getByText('import-sample').first().waitFor();
  await shoot('hand-over-report', [], page.getByRole('heading', { name: 'Files' }));
  await noSession(page, shoot);
}

/** The page of `studio --read-only`: what would change something cannot be pressed. */
async function readOnly(folder: string): Promise<void> {
  const { page, goTo } = await openPage({ folder, readOnly: true });
  const shoot = cameraOf(page);
  await goTo('#/run');
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await shoot('read-only-run');
  await goTo('#/merges');
  await page.getByText(/^Pair \d of/).waitFor();
  await shoot('read-only-merges');
}

async function finishedSample(types: Scene['types']): Promise<string> {
  const listed: { run: string; pipeline: string; state: string }[] = JSON.parse(
    await types('runs', '--json', '--last', '100'),
  );
  const found = listed.find(({ pipeline, state }) => pipeline === 'import-sample' && state === 'finished');
  if (found === undefined) throw new Error('the sample was not imported');
  return found.run;
}

async function noSession(page: Page, shoot: Camera): Promise<void> {
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await page.getByText('This page is not connected to the studio.').waitFor();
  await shoot('no-session');
}
