import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { projectOfTest } from '../at-studio.ts';
import { openPage } from './studio.ts';

test.skipIf(browserPath === undefined)(
  'an empty folder leads by the sample, step by step, to a verified and undone import, without typing',
  async () => {
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    await expectInOrder('an empty project');
    await page.getByRole('button', { name: 'Try it with sample data' }).click();
    await page.getByRole('heading', { name: 'Mapping', level: 1 }).waitFor();
    await page.getByText('All 1,977 rows of the input').waitFor();
    await page.getByRole('link', { name: 'Next: Plan the import' }).click();

    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use the sandbox' }).click();
    await page.getByRole('button', { name: 'Import all 1,977 rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import all 1,977 rows' }).click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    await page.getByText('finished', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Next: Verify the import' }).click();
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'History' }).getByText('see what is open').waitFor();

    await page.getByRole('button', { name: 'Show what would be put back' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.waitForURL(/#\/run\/\d{8}-\d{6}-undo/);
    await page.getByText('finished', { exact: true }).waitFor();
    expect(readdirSync(folder).sort()).toEqual(['.longshore', 'fixtures', 'mappings', 'pipelines']);
  },
);
