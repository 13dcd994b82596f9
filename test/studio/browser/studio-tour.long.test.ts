import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { projectOfTest } from '../at-studio.ts';
import { openPage } from './studio.ts';

test.skipIf(browserPath === undefined)(
  'an empty folder leads by the sample, step by step, to an import that is checked, handed over and undone, without typing',
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
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();

    await page.getByText('same person as another row').first().waitFor();
    // A setting of the pipeline has this name.
    const shown = (await page.getByRole('main').innerText()).replaceAll('"ragged: pad"', '');
    for (const word of ['folded', 'ragged', 'exit code', 'SIGTERM']) expect(shown).not.toContain(word);

    await page.getByRole('link', { name: 'Next: Check the import' }).click();
    await page.getByRole('button', { name: 'Check the import' }).click();
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Check' }).getByText('not complete yet').waitFor();
    await expectInOrder('a check in which tags are not there yet');

    await page.getByRole('link', { name: 'Next: Hand over' }).click();
    const byHand = page.getByRole('region', { name: 'To do by hand' });
    await byHand.getByText('Attach the tags of 1,231 contacts').waitFor();
    // Questions about people are answered in their list, and only proposals in Merges.
    await byHand.getByText(/Say which rows are the same person as another row or contact/).waitFor();
    expect(await byHand.getByRole('button', { name: 'Decide in Merges' }).count()).toBe(1);
    await page.getByRole('button', { name: /created/ }).click();
    await page.getByRole('grid', { name: 'Rows: created' }).getByRole('row').nth(1).waitFor();
    const download = page.waitForEvent('download');
    await page
      .getByRole('region', { name: 'Files' })
      .getByRole('button', { name: 'Download rejects.csv' })
      .click();
    expect(readFileSync(await (await download).path(), 'utf8')).toContain('_reason');
    await expectInOrder('what is handed over');

    await page.getByRole('button', { name: 'Show what would be put back' }).click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
    await page.waitForURL(/#\/run\/\d{8}-\d{6}-undo/);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    await steps.filter({ hasText: 'Run' }).getByText('undone').waitFor();
    const outcomes = page.getByRole('list', { name: 'Rows by outcome' });
    await outcomes.getByText('put back').waitFor();
    expect(await outcomes.getByText('updated').count()).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['.longshore', 'fixtures', 'mappings', 'pipelines']);
  },
);
