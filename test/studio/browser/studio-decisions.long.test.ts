import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { atMapping } from './at-mapping.ts';
import { atStudioPage, patienceMs } from './studio.ts';

const none = browserPath === undefined;

test.skipIf(none)(
  'comments for contacts that were there before are sent by a click where a plan says that they are left out',
  async () => {
    const { page, folder, token, sandbox, goTo, expectInOrder } = await atStudioPage({ rows: 8 });
    const file = join(folder, 'mapping.yaml');
    appendFileSync(file, 'comments: # of the old CRM\n  - { name: origin, text: "Record {ID}" }\n');
    const before = readFileSync(file, 'utf8');
    await goTo('#/plan');
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByLabel('Token of the workspace').fill(token);
    await page.keyboard.press('Enter');
    const entry = page.getByText('Comments left out, because the contact was there before: 2');
    await entry.click();
    await expectInOrder('comments that are left out');
    const choice = page.getByLabel('Send them to these contacts, too');
    expect(await choice.isChecked()).toBe(false);
    await choice.check();
    const sent = 'comments: # of the old CRM\n  existing: send\n  entries:\n    - { name: origin';
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(sent), { timeout: patienceMs });
    await page.getByText(/^This plan is out of date: the mapping/).waitFor();
    // It is not lost with the page, and can be taken back.
    await page.reload();
    await entry.click();
    await page.locator('input:checked').and(choice).waitFor();
    await choice.uncheck();
    await vi.waitFor(
      () => expect(readFileSync(file, 'utf8')).toBe(before.replace(/ {2}- .*/, sentAs('skip'))),
      { timeout: patienceMs },
    );
    await choice.check();
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(sent), { timeout: patienceMs });
    await page.getByRole('button', { name: 'Make a new plan' }).click();
    await entry.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Import all 8 rows' }).click();
    const question = page.getByRole('dialog', { name: 'Import exactly this plan?' });
    await question.getByRole('button', { name: 'Import all 8 rows' }).click();
    await page.getByText(/^finished/).waitFor();
    const texts = sandbox.contacts().map(({ email, comments }) => [email, comments.map(({ text }) => text)]);
    expect(texts.sort()).toEqual(
      Array.from({ length: 8 }, (_, n) => [`person${n}@example.com`, [`Record ${n}`]]),
    );
  },
);

function sentAs(existing: string): string {
  return `  existing: ${existing}\n  entries:\n    - { name: origin, text: "Record {ID}" }`;
}

const members = `ID,First,Last,Email,Status
1,Ada,Lovelace,ada@example.com,active
2,Bob,Byte,bob@example.com,Cancelled
3,Cyd,Charisse,cyd@example.com,cancelled${' '}
4,Dee,Dee,dee@example.com,
`;
const membersMapping = `mapping: people
key: ID
contact: { firstName: { from: First }, lastName: { from: Last }, email: { from: Email } }
customFields: { Status: { from: Status, type: text } }
`;

test.skipIf(none)('rows with a value are left out by a click that says how many they are', async () => {
  const { page, folder, expectInOrder } = await atMapping({ text: membersMapping, csv: members });
  const pipeline = join(folder, 'pipeline.yaml');
  const before = readFileSync(pipeline, 'utf8');
  const source = (text: string) =>
    vi.waitFor(() => expect(readFileSync(pipeline, 'utf8')).toBe(before.replace('people.csv }', text)), {
      timeout: patienceMs,
    });
  const counts = page.getByRole('list', { name: 'Rows by outcome' });
  const filtered = (n: number) => counts.getByText(new RegExp(`^${n}\\s*filtered`)).waitFor();

  // From a value of a column, which is written in two ways.
  await page.getByRole('button', { name: 'Status', exact: true }).click();
  await page
    .getByRole('list', { name: 'Most frequent values of Status' })
    .getByRole('button', { name: 'Cancelled', exact: true })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
  await dialog.getByRole('button', { name: 'Leave these 2 rows out of the import' }).waitFor();
  await expectInOrder('rows that can be left out');
  await dialog.getByRole('button', { name: 'Leave these 2 rows out of the import' }).click();
  await source('people.csv, where: { Status: { not: [ Cancelled, "cancelled " ] } } }');
  await dialog.getByText('Left out: rows with Cancelled, cancelled in Status').waitFor();
  await dialog.getByText('0 rows; the whole file searched.').waitFor();

  // A second value, which is empty, is left out as well.
  await dialog.getByLabel('Has the value').fill('');
  await dialog.getByLabel('Has the value').press('Enter');
  await dialog.getByRole('button', { name: 'Leave this row out of the import' }).click();
  await source('people.csv, where: { Status: { not: [ Cancelled, "cancelled ", "" ] } } }');
  await dialog.getByRole('button', { name: /^Leave/ }).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await filtered(3);
  await expectInOrder('rows that are left out');

  await page.getByRole('button', { name: 'Undo' }).click();
  await filtered(2);
  await page.getByRole('button', { name: 'Import them too' }).click();
  await source('people.csv }');
  await counts.getByText(/filtered/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await filtered(2);
});
