import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { axeViolations, browserPath } from '../../browser/browser.ts';
import { writePeople } from '../../end-to-end/people.ts';
import { projectOfTest } from '../at-studio.ts';
import { atMapping, chooseTarget, mapping } from './at-mapping.ts';
import { atStudioPage, openLink, openPage, patienceMs, studioAt, windows } from './studio.ts';

const none = browserPath === undefined;

/** Opens what a tab shows in another tab of the browser. */
async function duplicate(page: Page): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await showYaml(tab);
  return tab;
}

async function showYaml(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Show the YAML' }).click();
  await editorOf(page).waitFor();
}

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'YAML of the mapping' });

async function typeAtEnd(page: Page, text: string): Promise<void> {
  await editorOf(page).focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(text);
}

async function expectEditor(page: Page, text: string): Promise<void> {
  await vi.waitFor(async () => expect(await editorOf(page).innerText()).toContain(text), {
    timeout: patienceMs,
  });
}

test.skipIf(none)(
  'a mapping that is open in two tabs says so in both, and shows what the other one saves',
  async () => {
    const { page, written, expectInOrder } = await atMapping();
    await showYaml(page);
    const isOpenElsewhere = 'This mapping is open in another tab, too.';
    expect(await page.getByText(isOpenElsewhere).count()).toBe(0);
    const other = await duplicate(page);
    await other.getByText(isOpenElsewhere).waitFor();
    await page.getByText(isOpenElsewhere).waitFor();
    await expectInOrder('a mapping that another tab has open, too');
    await typeAtEnd(other, '# from the other tab\n');
    await expectEditor(page, '# from the other tab');
    await written(`${mapping}# from the other tab\n`);
    await other.close();
    await page.getByText(isOpenElsewhere).waitFor({ state: 'detached' });
  },
);

test.skipIf(none)(
  'of two tabs with unsaved changes the later one shows what differs and asks which to keep, and loses nothing',
  async () => {
    const { page, written, expectInOrder } = await atMapping();
    await showYaml(page);
    const other = await duplicate(page);
    // Half of a key is not saved.
    await typeAtEnd(page, 'broken: [');
    await page.getByText('Not saved: fix the YAML first').waitFor();
    await typeAtEnd(other, '# from the other tab\n');
    await page.getByText('The file was changed in another tab or an editor, and here, too.').waitFor();
    const differs = page.getByRole('region', { name: 'What differs' }).getByRole('row');
    expect(await differs.allInnerTexts()).toEqual([
      'Line\tIn the file\tHere',
      '14\t# from the other tab\n\tbroken: [',
    ]);
    await expectInOrder('a choice of two texts');
    await page.getByRole('button', { name: 'Load the file' }).press('Enter');
    await expectEditor(page, '# from the other tab');
    expect(await editorOf(page).innerText()).not.toContain('broken');
    await editorOf(page).focus();
    await page.keyboard.press('Control+z');
    await expectEditor(page, 'broken: [');
    await page.keyboard.insertText(']');
    await written(`${mapping}broken: []`);
    await expectEditor(other, 'broken: []');
  },
);

/** Opens a mapping in a studio of its own, at the port of its project, which can be closed and started again. */
async function atRestartableMapping() {
  const folder = projectOfTest();
  writePeople(folder, 3, '{}');
  const file = join(folder, 'mapping.yaml');
  writeFileSync(file, mapping);
  const start = (from = folder, port?: number) =>
    studioAt({ from, workDir: undefined, port, readOnly: false });
  const studio = await start();
  const { page, goTo } = await openLink(studio.newUrl());
  // The question of the browser whether to leave a page with unsaved changes.
  page.on('dialog', (dialog) => void dialog.accept());
  await goTo('#/mapping/mapping.yaml');
  await page.getByText('Saved', { exact: true }).waitFor();
  await showYaml(page);
  const written = async (text: string) =>
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(text), { timeout: patienceMs });
  return { page, goTo, studio, start, file, folder, written };
}

const away = 'The studio does not answer. What you typed is kept and sent when it is back.';
const unsaved = 'Not saved yet: kept in this tab';

test.skipIf(none)(
  'what is typed while the studio is away is saved once a link of the new studio is open in another tab',
  async () => {
    const { page, studio, start, written } = await atRestartableMapping();
    await studio.close();
    await page.getByText(away).waitFor();
    await typeAtEnd(page, '# typed while it is away\n');
    await page.getByText(unsaved).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const again = await start();
    expect(again.port).toBe(studio.port);
    await page.getByText('This page is not connected to the studio.').waitFor();
    await page.getByText('Press Enter in the terminal in which the studio runs').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const other = await page.context().newPage();
    await other.goto(again.newUrl());
    await page.getByText('This page is not connected to the studio.').waitFor({ state: 'detached' });
    await written(`${mapping}# typed while it is away\n`);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await editorOf(page).innerText()).toContain('# typed while it is away');
  },
);

test.skipIf(none)(
  'what is typed while requests get no answer is saved, and the page says so once and no longer',
  async () => {
    const { page, written } = await atRestartableMapping();
    await page.route('**/api/**', (route) => route.abort());
    await typeAtEnd(page, '# typed while it is away\n');
    await page.getByText(away).waitFor();
    await page.getByText(unsaved).waitFor();
    expect(await page.getByText('The studio does not answer.').count()).toBe(1);
    await page.unroute('**/api/**');
    await written(`${mapping}# typed while it is away\n`);
    await page.getByText(away).waitFor({ state: 'detached' });
    await expectEditor(page, '# typed while it is away');
  },
);

test.skipIf(none)(
  'what is typed while the studio is away is there after a reload of the tab, and is no token',
  async () => {
    const { page, studio, start, written, goTo } = await atRestartableMapping();
    await studio.close();
    await page.getByText(away).waitFor();
    await typeAtEnd(page, '# typed while it is away\n');
    await page.getByText(unsaved).waitFor();
    const token = await page.evaluate<string>("localStorage.getItem('longshore-session')");
    const kept = await page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
    expect(kept).toContain('# typed while it is away');
    expect(kept).not.toContain(token);
    await expect(page.reload()).rejects.toThrow('ERR_CONNECTION_REFUSED');
    await page.waitForURL('chrome-error://chromewebdata/');
    const again = await start();
    await page.goto(again.newUrl());
    await page.getByRole('navigation', { name: 'Views' }).waitFor();
    await goTo('#/mapping/mapping.yaml');
    await expectEditor(page, '# typed while it is away');
    await written(`${mapping}# typed while it is away\n`);
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain('# typed');
  },
);

test.skipIf(none)(
  'a file that was changed while the studio was away is not written over by what was typed, also after a reload',
  async () => {
    const { page, studio, start, file, written } = await atRestartableMapping();
    await studio.close();
    await page.getByText(away).waitFor();
    await typeAtEnd(page, '# ours\n');
    await page.getByText(unsaved).waitFor();
    writeFileSync(file, `${mapping}# theirs\n`);
    const again = await start();
    // A link that is opened in the tab itself leads back to the mapping.
    await page.getByText('This page is not connected to the studio.').waitFor();
    await page.goto(again.newUrl());
    const conflict = page.getByText('The file was changed in another tab or an editor, and here, too.');
    await conflict.waitFor();
    await page.reload();
    await conflict.waitFor();
    await expectEditor(page, '# ours');
    await written(`${mapping}# theirs\n`);
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await written(`${mapping}# ours\n`);
  },
);

test.skipIf(none)(
  'what was typed in one project is not written into another one that is opened at its address',
  async () => {
    const { page, studio, start, written } = await atRestartableMapping();
    const elsewhere = projectOfTest();
    writePeople(elsewhere, 3, '{}');
    writeFileSync(join(elsewhere, 'mapping.yaml'), mapping);
    await studio.close();
    await page.getByText(away).waitFor();
    await typeAtEnd(page, '# of the first project\n');
    await page.getByText(unsaved).waitFor();
    const foreign = await start(elsewhere, studio.port);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent.push(request.url());
    });
    const other = await page.context().newPage();
    await other.goto(foreign.newUrl());
    await page.locator('header').getByText(basename(elsewhere)).waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    expect(await editorOf(page).innerText()).not.toContain('# of the first project');
    await foreign.close();
    const again = await start();
    await other.goto(again.newUrl());
    await written(`${mapping}# of the first project\n`);
    expect(sent).toHaveLength(1);
    expect(readFileSync(join(elsewhere, 'mapping.yaml'), 'utf8')).toBe(mapping);
  },
);

test.skipIf(none)('a choice that is made while the studio is away is applied when it is back', async () => {
  const { page, studio, start, written } = await atRestartableMapping();
  const target = page.getByRole('combobox', { name: 'Target of Last', exact: true });
  await target.waitFor();
  await studio.close();
  await page.getByText(away).waitFor();
  await chooseTarget(page, 'Target of Last', 'Left out');
  const again = await start();
  await page.getByText('This page is not connected to the studio.').waitFor();
  const other = await page.context().newPage();
  await other.goto(again.newUrl());
  await written(mapping.replace('  lastName: { from: Last }   # the family\n', ''));
});

test.skipIf(none)('a mapping whose outline got no answer at first is shown once there is one', async () => {
  const { page, goTo, folder } = await atStudioPage();
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  let lost = 0;
  await page.route('**/api/mapping/shown', async (route) => {
    lost += 1;
    await (lost === 1 ? route.abort() : route.continue());
  });
  await goTo('#/mapping/mapping.yaml');
  await page.getByRole('table', { name: 'Columns' }).waitFor();
  await page.getByRole('combobox', { name: 'Target of Last', exact: true }).waitFor();
  expect(lost).toBeGreaterThan(1);
});

test.skipIf(none)('at a zoom of 200 %, the dialog shows why a workspace is not connected', async () => {
  const { page, sandbox } = await atStudioPage();
  await page.setViewportSize(windows.zoomed);
  await page.getByRole('button', { name: 'Connect a workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Which workspace?' });
  await dialog.getByLabel('Address of the workspace').fill(sandbox.baseUrl);
  await dialog.getByLabel('Token of the workspace').fill('wrong');
  await page.keyboard.press('Enter');
  const alert = await dialog.getByRole('alert').boundingBox();
  const buttons = await dialog.getByRole('button', { name: 'Cancel' }).boundingBox();
  expect((alert?.y ?? 0) + (alert?.height ?? 0)).toBeLessThan(buttons?.y ?? 0);
});

test.skipIf(none)('a workspace that is connected in one tab shows in the others', async () => {
  const folder = projectOfTest();
  const token = 'a-secret-token-of-this-test';
  const { seed } = writePeople(folder, 1, '{}');
  const sandbox = await startSandbox({ seed, tokens: [token] });
  onTestFinished(() => sandbox.close());
  const { page } = await openPage({ folder });
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Connect a workspace' }).waitFor();
  await page.getByRole('button', { name: 'Connect a workspace' }).click();
  const connect = page.getByRole('dialog', { name: 'Which workspace?' });
  await connect.getByLabel('Address of the workspace').fill(sandbox.baseUrl);
  await connect.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');
  for (const tab of [page, other])
    await tab.getByRole('button', { name: `Workspace: ${new URL(sandbox.baseUrl).host}` }).waitFor();
});

test.skipIf(none)(
  'the steps of an import follow its files, and nothing is asked again and again',
  async () => {
    const { page, folder, goTo } = await atStudioPage();
    await page.clock.install();
    await goTo('#/history');
    await page.reload();
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Mapping' }).getByText('answered').waitFor();
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    await page.clock.runFor(60_000);
    // Whatever the page asks for comes in its order.
    await page.evaluate("fetch('/')");
    expect(asked).toBe(1);
    writeFileSync(
      join(folder, 'mapping.yaml'),
      mapping.replace('from: Email', 'from: "TODO: which column?"'),
    );
    await steps.filter({ hasText: 'Mapping' }).getByText('1 question').waitFor();
  },
);

test.skipIf(none)(
  'an import whose start got no answer is not started again, and the page shows whether it was started',
  async () => {
    const { page, token, goTo, expectExact } = await atStudioPage();
    const posts = '**/api/processes';
    let starts = 0;
    let isForwarded = false;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(posts, async (route) => {
      if (route.request().method() === 'GET') {
        await released;
        return await route.continue();
      }
      starts += 1;
      if (isForwarded) await route.fetch();
      await route.abort();
    });
    await goTo('#/run');
    await page.getByRole('button', { name: 'Import all rows' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start this import?' });
    await dialog.getByLabel('Token of the workspace').fill(token);
    const confirm = dialog.getByRole('button', { name: 'Import all rows' });
    await confirm.click();
    await dialog.getByText('it is not known whether this was started.').waitFor();
    // While it is not known, it cannot be started again.
    await confirm.click({ force: true });
    release();
    await dialog.getByText('It was not started.').waitFor();
    expect(starts).toBe(1);

    isForwarded = true;
    await confirm.click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    expect(starts).toBe(2);
    expectExact();
    await goTo('#/run');
    await page.getByRole('link', { name: /^people\.csv, / }).waitFor();
    expect(await page.getByRole('link', { name: /^people\.csv, / }).count()).toBe(1);
  },
);
