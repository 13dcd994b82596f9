import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { formatSourceSystemQuestion } from '../../../src/app/draft/pipeline-text.ts';
import { browserPath } from '../../browser/browser.ts';
import { projectOfTest } from '../at-studio.ts';
import { dropBytes } from './hands.ts';
import { openPage, patienceMs } from './studio.ts';

const csv = 'Name,First,Last,Email\n1,Ada,Byron,ada@example.com\n2,Bob\n3,Eve,Wood,eve@example.com\n';

test.skipIf(browserPath === undefined)(
  'questions about the pipeline are answered by a click, in one history with those of the mapping',
  async () => {
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    await dropBytes(page, 'people.csv', Buffer.from(csv));
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByText(/ questions? to answer\.$/).waitFor();
    const file = join(folder, 'pipelines/import-people.yaml');
    const drafted = readFileSync(file, 'utf8');
    const system = formatSourceSystemQuestion('people', { run: 'R1', at: 0, keys: 7 }, undefined);
    const asked = drafted.replace(/system: .*/, `system: ${JSON.stringify(system)}`);
    writeFileSync(file, asked);
    const contains = (text: string) =>
      vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(text), { timeout: patienceMs });

    await page.getByRole('link', { name: 'Answer the questions' }).click();
    const head = page.getByRole('heading', { name: /^Questions to answer/ });
    await head.filter({ hasText: '(3)' }).waitFor();
    await page.getByText('3 rows read').waitFor();
    await expectInOrder('questions about a pipeline');
    await page.getByRole('button', { name: 'Import short rows' }).click();
    await contains('ragged: pad');
    await head.filter({ hasText: '(2)' }).waitFor();
    // The name of the same system cannot be that of another one.
    const other = page.getByLabel('Another system, with the name');
    await other.fill('people');
    await page.getByRole('button', { name: 'Another system' }).click();
    expect(await other.evaluate((field) => field.matches(':invalid'))).toBe(true);
    await other.fill('shop: 2');
    await page.getByRole('button', { name: 'Another system' }).click();
    await contains('system: "shop: 2"');
    await page.getByLabel('Key:').selectOption({ label: 'No column does' });
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.getByRole('heading', { name: 'Every question is answered' }).waitFor();

    const step = async (name: 'Undo' | 'Redo') => await page.getByRole('button', { name }).click();
    await step('Undo');
    await head.filter({ hasText: '(1)' }).waitFor();
    await step('Undo');
    await head.filter({ hasText: '(2)' }).waitFor();
    await step('Undo');
    await head.filter({ hasText: '(3)' }).waitFor();
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toBe(asked), { timeout: patienceMs });
    for (const left of ['(2)', '(1)']) {
      await step('Redo');
      await head.filter({ hasText: left }).waitFor();
    }
    await step('Redo');
    await page.getByRole('heading', { name: 'Every question is answered' }).waitFor();
    await page.getByRole('link', { name: 'Next: Plan the import' }).waitFor();
    await expectInOrder('a pipeline whose questions are answered');
  },
);
