import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
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
