import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { browserPath } from '../../browser/browser.ts';
import { changed } from '../../cli/site.ts';
import { run } from '../../end-to-end/command.ts';
import { inOrder, standing, writePeople } from '../../end-to-end/people.ts';
import { isLong } from '../../long.ts';
import { projectOfTest } from '../at-studio.ts';
import { gateAfter } from '../gate.ts';
import { atStudioPage, openLink, openPage, studioAt } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)('a pipeline is checked and imported in the browser, by the keyboard alone', async () => {
  const { page, people, sandbox, token, goTo, expectInOrder, expectExact } = await atStudioPage();
  await goTo('#/run');
  await page.getByRole('button', { name: 'Check the rows' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText(`${people.rows} rows of ${people.rows} pass`).waitFor();
  await expectInOrder('a checked pipeline');

  await page.getByRole('button', { name: `Import all ${people.rows} rows` }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Start this import?' });
  await dialog.getByText(sandbox.baseUrl).waitFor();
  await dialog.getByText(`${people.rows} rows in the input`).waitFor();
  await expectInOrder('the question before an import');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  // The focus comes back to the button that has asked.
  const start = page.getByRole('button', { name: `Import all ${people.rows} rows` });
  await start.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');

  await page.waitForURL(/#\/run\/\d{8}-/);
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
  await page.getByText(`${people.rows} of ${people.rows} rows processed`).waitFor();
  await expectInOrder('a finished run');
  expectExact();
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(token);

  await page.reload();
  await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
});

test.skipIf(none)(
  'beside the run of another pipeline, the steps do not say how far this one is',
  async () => {
    const { page, folder, people, token, goTo } = await atStudioPage();
    const text = readFileSync(people.pipeline, 'utf8');
    writeFileSync(join(folder, 'other.yaml'), text.replace(/^pipeline: .*/m, 'pipeline: other'));
    await run(['import', people.pipeline], { LONGSHORE_TOKEN: token }, undefined, folder);
    await goTo('#/plan/other.yaml');
    const steps = page.getByRole('list', { name: 'Steps of an import' });
    await steps.getByText('not started').waitFor();
    await goTo('#/run');
    await page.getByRole('link', { name: /^people\.csv, / }).click();
    await page.getByText(`${people.rows} of ${people.rows} rows processed`).waitFor();
    expect(await steps.innerText()).not.toContain('not started');
    await goTo('#/plan/pipeline.yaml');
    await steps.getByText('done').waitFor();
    await page.goBack();
    await page.getByText(`${people.rows} of ${people.rows} rows processed`).waitFor();
    await steps.getByText('done').waitFor();
  },
);

test.skipIf(none || !isLong)(
  'a run is stopped and continued in the browser, also one of a closed page',
  async () => {
    const gate = gateAfter(3);
    const { page, sandbox, token, goTo, expectInOrder, expectExact } = await atStudioPage({
      rows: 40,
      onPhase: gate.pass,
    });
    await goTo('#/run');
    await page.getByRole('button', { name: 'Import all rows' }).click();
    await page.getByLabel('Token of the workspace').fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Import all rows' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await changed(sandbox, 2);
    await expectInOrder('a run at work');
    await goTo('#/run');
    await page.getByRole('link', { name: /^people\.csv, / }).click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Yes, stop' }).click();
    await page.getByText('Asked to stop').waitFor();
    gate.open();
    await page.getByText('stopped by hand', { exact: true }).waitFor();
    await expectInOrder('a run that was stopped');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expectExact();
  },
);

test.skipIf(none)(
  'every tab of the browser is connected by one link, and by a new link after a restart',
  async () => {
    const ofProject = { from: projectOfTest(), workDir: undefined, port: undefined, readOnly: false };
    const open = await studioAt(ofProject);
    const { page } = await openLink(open.newUrl());
    const pasted = await page.context().newPage();
    await pasted.goto(`http://127.0.0.1:${open.port}/#/history`);
    await pasted.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await open.close();
    const again = await studioAt(ofProject);
    expect(again.port).toBe(open.port);
    await pasted.reload();
    await pasted.getByText('This page is not connected to the studio.').waitFor();
    await page.goto(again.newUrl());
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await pasted.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    // A link that is used already shows the page to a browser that is connected.
    const used = again.newUrl();
    await page.goto(used);
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await pasted.goto(used);
    await pasted.waitForURL(/#\/history$/);
    await pasted.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  },
);

test.skipIf(none)('a page without a session says what to do, and read-only starts nothing', async () => {
  const { page, browser, goTo } = await atStudioPage({ readOnly: true });
  await goTo('#/run');
  await page.getByText('read-only').waitFor();
  expect(await page.getByRole('button', { name: 'Import all rows' }).isDisabled()).toBe(true);
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(page.url());
  await stranger.getByText('This page is not connected to the studio.').waitFor();
});

test.skipIf(none)(
  'a pipeline without a workspace asks for one, and takes the sandbox or an address',
  async () => {
    const folder = projectOfTest();
    const token = 'a-secret-token-of-this-test';
    const people = writePeople(folder, 3, '{}');
    const sandbox = await startSandbox({ strict: true, seed: people.seed, tokens: [token] });
    onTestFinished(() => sandbox.close());
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/mapping/mapping.yaml');
    await page.getByRole('button', { name: 'Ask the workspace for its fields and users' }).click();
    const dialog = page.getByRole('dialog', { name: 'Which workspace?' });
    await dialog.getByRole('button', { name: 'Use the sandbox' }).waitFor();
    await expectInOrder('the question for a workspace');
    await dialog.getByRole('button', { name: 'Use the sandbox' }).click();
    await page.getByText('The local sandbox has 0 custom fields').waitFor();

    // The sandbox is chosen for the whole tab, until a workspace is connected.
    await goTo('#/plan');
    const inSandbox = page.getByRole('checkbox', { name: 'For the local sandbox, to try it out' });
    expect(await inSandbox.isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Workspace: the local sandbox' }).click();
    const connect = page.getByRole('dialog', { name: 'Which workspace?' });
    await connect.getByLabel('Address of the workspace').fill(sandbox.baseUrl);
    await connect.getByLabel('Token of the workspace').fill('another-token');
    await connect.getByRole('button', { name: 'Connect', exact: true }).click();
    await connect.getByText('refused').first().waitFor();
    await connect.getByLabel('Token of the workspace').fill(token);
    await page.keyboard.press('Enter');
    await connect.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Workspace: ${new URL(sandbox.baseUrl).host}` }).waitFor();
    expect(await inSandbox.isChecked()).toBe(false);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      token,
    );

    await goTo('#/run');
    await page.getByRole('button', { name: 'Import all rows' }).click();
    const question = page.getByRole('dialog', { name: 'Start this import?' });
    await question.getByText(sandbox.baseUrl).waitFor();
    await question.getByRole('button', { name: 'Import all rows' }).click();
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));

    // The steps of the import say how far it has come, and lead to the next one.
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Run' }).getByText('done').waitFor();
    expect(await steps.allInnerTexts()).toEqual([
      'Files\ndrafted',
      'Mapping\nanswered',
      'Plan\nnot needed',
      'Run\ndone',
      'Check\nnot checked',
      'Hand over\nready',
    ]);
    await page.getByRole('link', { name: 'Next: Check the import' }).click();
    await page.getByRole('button', { name: 'Check the import' }).click();
    await steps.filter({ hasText: 'Check' }).getByText('as written', { exact: true }).waitFor();
  },
);
