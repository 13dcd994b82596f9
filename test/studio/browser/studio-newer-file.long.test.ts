import { mkdirSync, writeFileSync } from 'node:fs';
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

async function importAll(page: Page): Promise<void> {
  const sandbox = page.getByRole('checkbox', { name: 'Into the local sandbox, to try it out' });
  if (!(await sandbox.isChecked())) await sandbox.check();
  await page.getByRole('button', { name: 'Import all rows' }).click();
  await page.getByRole('dialog').getByText('the local sandbox').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/#\/run\/\d{8}-/);
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
    await first.page.getByRole('link', { name: 'Import a newer file of the same system' }).click();
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
    await steps.filter({ hasText: 'Run' }).filter({ hasText: 'not begun' }).waitFor();
    await steps.filter({ hasText: 'Hand over' }).filter({ hasText: 'ready' }).waitFor();
    await steps.getByRole('link', { name: 'Run' }).click();
    await importAll(page);
    await page.getByRole('link', { name: 'Hand over, files and undo' }).click();
    await page.getByRole('heading', { name: /^Kunden\.csv, .*, 4 rows/ }).waitFor();
    const counts = page.getByRole('region', { name: /^Kunden\.csv, .*, 4 rows/ });
    await counts.getByRole('heading', { name: 'What earlier imports of this project have done' }).waitFor();
    await counts.getByRole('link', { name: /^Kunden\.csv, .*, 3 rows$/ }).waitFor();
    await expectInOrder('a hand-over with an earlier import');
    expect(people(folder)).toEqual([
      { email: 'ada@example.com', lastName: 'Alt', comments: ['Rief an'] },
      { email: 'ben@example.com', lastName: 'Neu', comments: ['Will ein Angebot'] },
      { email: 'cleo@example.com', lastName: 'Kurz', comments: ['Zieht um'] },
      { email: 'dora@example.com', lastName: 'Dorn', comments: ['Neu im März'] },
    ]);
  },
);

test.skipIf(none)('a file with the same columns is offered as a newer one, and can be taken back', async () => {
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
});
