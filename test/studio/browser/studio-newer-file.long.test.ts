import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { wholeWorkspace } from '../../end-to-end/whole-workspace.ts';
import { projectOfTest } from '../at-studio.ts';
import { dropBytes } from './hands.ts';
import { openPage } from './studio.ts';

const none = browserPath === undefined;

const mapping = `mapping: kunden
key: Nr
contact:
  firstName: { from: Vorname }
  lastName: { from: Nachname }
  email: { from: E-Mail }
comments:
  - { name: notiz, text: '{Notiz}' }
`;

const pipeline = `# The customers of the old CRM.
pipeline: import-kunden
import:
  source: { format: csv, path: ../Kunden.csv, delimiter: ";" } # the trial export
  mapping: ../mappings/kunden.yaml
`;

const head = 'Nr;Vorname;Nachname;E-Mail;Notiz';
const equal = ['1;Ada;Alt;ada@example.com;Rief an', '2;Ben;Neu;ben@example.com;Will ein Angebot'];
const trial = [head, ...equal, '3;Cleo;Lang;cleo@example.com;Zieht um', ''].join('\n');
const newer = [
  head,
  ...equal,
  '3;Cleo;Kurz;cleo@example.com;Zieht um',
  '4;Dora;Dorn;dora@example.com;Neu im März',
  '',
].join('\n');

function projectWithTrial(): string {
  const folder = projectOfTest();
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(join(folder, 'mappings', 'kunden.yaml'), mapping);
  writeFileSync(join(folder, 'pipelines', 'import-kunden.yaml'), pipeline);
  writeFileSync(join(folder, 'Kunden.csv'), trial);
  return folder;
}

async function start(page: Page, button = 'Import all rows'): Promise<void> {
  const sandbox = page.getByRole('checkbox', { name: 'Into the local sandbox, to try it out' });
  if (!(await sandbox.isChecked())) await sandbox.check();
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByText('the local sandbox').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/run\/\d{8}-/);
}

async function importAll(page: Page): Promise<void> {
  await start(page);
  await page.getByText(/^finished$/).waitFor();
}

function people(folder: string) {
  return wholeWorkspace(folder).contacts.map(({ email, lastName, comments }) => ({
    ...{ email, lastName, comments },
  }));
}

test.skipIf(none)(
  'a newer file of the same system is imported with the same memory, also after a restart of the studio',
  async () => {
    const folder = projectWithTrial();
    const first = await openPage({ folder });
    await importAll(first.page);
    await first.page.getByRole('link', { name: 'Hand over, files and undo' }).click();
    await first.page.getByRole('link', { name: 'Import a newer file from the same system' }).click();
    await first.page.getByRole('heading', { name: 'A newer file for import-kunden.yaml' }).waitFor();
    await first.expectInOrder('the choice of a newer file');
    await dropBytes(first.page, 'Kunden.csv', Buffer.from(newer));
    await first.page.getByText('It has every column that the mapping reads.').waitFor();
    await first.expectInOrder('a newer file with the same columns');
    await first.page.getByRole('button', { name: 'Use this file from now on' }).click();
    await first.page.getByText('import-kunden.yaml reads Kunden.csv now.').waitFor();
    await first.close();
    await first.browser.close();

    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    await page.getByRole('link', { name: /^Kunden\.csv, .*, 3 rows$/ }).waitFor();
    await expectInOrder('the imports of a project');
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Run' }).filter({ hasText: 'not started' }).waitFor();
    await steps.filter({ hasText: 'Hand over' }).filter({ hasText: 'earlier file' }).waitFor();
    await steps.getByRole('link', { name: 'Run' }).click();
    await importAll(page);
    await page.getByRole('link', { name: 'Hand over, files and undo' }).click();
    await page.getByRole('heading', { name: /^Kunden\.csv, .*, 4 rows/ }).waitFor();
    const counts = page.getByRole('region', { name: /^Kunden\.csv, .*, 4 rows/ });
    for (const figure of [/^created.*1$/s, /^updated.*1$/s, /^unchanged.*2$/s])
      await counts.getByText(figure).first().waitFor();
    const before = page.getByRole('region', { name: 'What earlier imports of this project have done' });
    await before.getByRole('link', { name: /^Kunden\.csv, .*, 3 rows$/ }).waitFor();
    await before
      .getByText(/^created.*3$/s)
      .first()
      .waitFor();
    await expectInOrder('a hand-over with an earlier import');
    expect(people(folder)).toEqual([
      { email: 'ada@example.com', lastName: 'Alt', comments: ['Rief an'] },
      { email: 'ben@example.com', lastName: 'Neu', comments: ['Will ein Angebot'] },
      { email: 'cleo@example.com', lastName: 'Kurz', comments: ['Zieht um'] },
      { email: 'dora@example.com', lastName: 'Dorn', comments: ['Neu im März'] },
    ]);
  },
);

test.skipIf(none)(
  'a file with the same columns is offered as a newer one, and can be taken back',
  async () => {
    const folder = projectWithTrial();
    writeFileSync(join(folder, 'Kunden neu.csv'), newer);
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo(`#/files/${encodeURIComponent('Kunden neu.csv')}`);
    await page.getByText('The same columns as Kunden.csv: imported as a newer file').waitFor();
    await expectInOrder('the offer of a newer file');
    await page.getByRole('link', { name: 'Import as a newer file of Kunden.csv' }).click();
    await page.getByRole('button', { name: 'Use this file from now on' }).click();
    await page.getByText('import-kunden.yaml reads Kunden neu.csv now.').waitFor();
    await page.getByRole('button', { name: 'Use Kunden.csv again' }).click();
    await page.getByRole('button', { name: 'Use this file from now on' }).waitFor();
    await goTo('#/files');
    await page.getByRole('link', { name: 'Kunden.csv', exact: true }).waitFor();
  },
);

test.skipIf(none)('an import that is not finished can be followed by that of a newer file', async () => {
  const folder = projectWithTrial();
  const rows = Array.from({ length: 25 }, (_, n) => `${n};P${n};Q;p${n}@example.com;Notiz ${n}`);
  writeFileSync(join(folder, 'Kunden.csv'), [head, ...rows.slice(0, 22), ''].join('\n'));
  writeFileSync(join(folder, 'neu.csv'), [head, ...rows, ''].join('\n'));
  const { page, goTo, expectInOrder } = await openPage({ folder });
  await start(page, 'Import the first 20 only');
  await page.getByRole('heading', { name: 'The first rows' }).waitFor();
  await goTo(`#/files/neu.csv/${encodeURIComponent('pipelines/import-kunden.yaml')}`);
  await page.getByText('The import of Kunden.csv is not finished.').waitFor();
  await expectInOrder('a newer file while an import is not finished');
  await page.getByRole('button', { name: 'Use this file from now on' }).click();
  await page.getByText('import-kunden.yaml reads neu.csv now.').waitFor();
  await goTo('#/run');
  await page.getByRole('list', { name: 'Steps of an import' }).getByText('newer file').waitFor();
  await importAll(page);
  expect(people(folder).map(({ comments }) => comments)).toEqual(
    rows.map((_, n) => [`Notiz ${n}`]).toSorted(),
  );
});

test.skipIf(none)('the step Mapping has no tick while an example test of the mapping fails', async () => {
  const folder = projectWithTrial();
  const { page, goTo, expectInOrder } = await openPage({ folder });
  const step = page
    .getByRole('list', { name: 'Steps of an import' })
    .getByRole('listitem')
    .filter({ hasText: 'Mapping' });
  await step.and(page.locator('.done')).getByText('answered').waitFor();
  const mail = 'expect: { contact: { email: ada@example.com } }';
  const example = `tests:\n  - { row: { Mail: ada@example.com }, ${mail} }\n`;
  appendFileSync(join(folder, 'mappings', 'kunden.yaml'), example);
  await step.getByText('has mistakes').waitFor();
  expect(await step.getAttribute('class')).toBe('');
  await goTo('#/files');
  await page.getByRole('link', { name: 'Next: Map the columns' }).click();
  const mistakes = page.getByRole('list', { name: 'Mistakes in the mapping' });
  await mistakes.getByRole('listitem').filter({ hasText: 'Error' }).getByText('example: test 1').waitFor();
  await expectInOrder('a mapping whose example fails');
});

test.skipIf(none)(
  'a file with a renamed column may be a newer one of an import: it is offered, with what differs, and not forced',
  async () => {
    const folder = projectWithTrial();
    writeFileSync(join(folder, 'Kunden neu.csv'), newer.replace('E-Mail', 'Mail'));
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo(`#/files/${encodeURIComponent('Kunden neu.csv')}`);
    await page.getByText('Most columns are those of Kunden.csv.').waitFor();
    await page.getByText('Only in Kunden.csv').waitFor();
    await page.getByText('Only in this file').waitFor();
    await page.getByRole('button', { name: 'Draft a mapping' }).waitFor();
    await expectInOrder('the offer of a newer file with a renamed column');
    await page.getByRole('link', { name: 'Import as a newer file of Kunden.csv' }).click();
    await page.getByText('The mapping reads a column that this file does not have: E-Mail.').waitFor();
    await page.getByRole('button', { name: 'Use this file from now on' }).click();
    await page.getByRole('link', { name: 'Map the columns' }).click();
    const missing = page.getByRole('rowgroup').filter({ hasText: 'not in the input' });
    await missing.getByLabel('Renamed? Its name in this file').selectOption('Mail');
    await page.getByRole('link', { name: 'Next: Plan the import' }).waitFor();
    expect(readFileSync(join(folder, 'mappings', 'kunden.yaml'), 'utf8')).not.toContain('E-Mail');
  },
);
