import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftBehindTitle } from '../../../src/model/left-behind.ts';
import { browserPath } from '../../browser/browser.ts';
import { wholeWorkspace } from '../../end-to-end/whole-workspace.ts';
import { zip } from '../../sources/archive/packing.ts';
import { projectOfTest } from '../at-studio.ts';
import { chooseTarget } from './at-mapping.ts';
import { dropBytes } from './hands.ts';
import { openPage } from './studio.ts';

/** People with companies and notes in files of their own; one company and the contact of one note are missing. */
const crm = zip(
  {
    name: 'contacts.csv',
    content: `id,first_name,last_name,email,phone,account_id
1,Ada,Byron,ada@example.com,+44 20 7946 0001,10
2,Bo,Chen,bo@example.com,+44 20 7946 0002,11
3,Cy,Diaz,cy@example.com,,10
4,Di,Eze,di@example.com,,99
`,
  },
  { name: 'accounts.csv', content: 'id,name,city\n10,Harbour Ltd,Leith\n11,Quay plc,Hull\n' },
  {
    name: 'notes.csv',
    content: `id,contact_id,body,created_at
1,1,Likes boats,2024-02-01 09:00
2,1,Called twice,2024-03-01 10:30
3,3,Moved house,2024-04-01 08:15
4,77,Of a contact that is gone,2024-04-02 08:15
`,
  },
);

function person(
  firstName: string,
  company: string | null,
  city: string | null,
  ...comments: readonly string[]
) {
  const custom_fields = [
    { name: 'Company', value: company },
    { name: 'City', value: city },
  ];
  return { firstName, custom_fields, comments };
}

test.skipIf(browserPath === undefined)(
  'linked files in a zip are joined, imported with their notes, and what belongs to nothing is listed',
  async () => {
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    await dropBytes(page, 'crm.zip', crm);
    await page.getByRole('img', { name: /contacts has the people\./ }).waitFor();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'one row of accounts for each of contacts' })
      .waitFor();
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByRole('link', { name: 'Open the mapping' }).click();
    await page.getByText('All 4 rows of the input').waitFor();

    // A column of the company that the draft has left out.
    await chooseTarget(page, 'Target of company.city', 'City');
    const naming = page.getByRole('dialog', { name: 'A custom field for company.city' });
    await naming.getByLabel('Create it where the workspace does not have it').check();
    await naming.getByRole('button', { name: 'Add the field' }).click();
    await naming.waitFor({ state: 'detached' });
    await page.getByText('Saved', { exact: true }).waitFor();
    await expectInOrder('the columns of linked files');

    await page.getByRole('link', { name: 'Next: Plan the import' }).click();
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use the sandbox' }).click();
    await page.getByRole('button', { name: 'Import all 4 rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import all 4 rows' }).click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    await page.getByRole('link', { name: 'Next: Check the import' }).click();
    await page.getByRole('button', { name: 'Check the import' }).click();
    await page.getByText('Everything that can be read back is as it was written.').waitFor();
    await page.getByRole('link', { name: 'Next: Hand over' }).click();
    await page.getByRole('region', { name: 'To do by hand' }).waitFor();
    await expectInOrder('the hand over of linked files');
    const left = page.getByRole('list', { name: leftBehindTitle }).getByRole('listitem');
    await left.filter({ hasText: 'Rows of joined tables that belong to no person: 1' }).first().waitFor();
    await left
      .filter({ hasText: 'Rows that name a row of a joined table that is not there: 1' })
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Download unjoined.csv' }).waitFor();

    const { contacts } = wholeWorkspace(folder);
    expect(
      contacts.map(({ firstName, custom_fields, comments }) => ({ firstName, custom_fields, comments })),
    ).toEqual([
      person(
        'Ada',
        'Harbour Ltd',
        'Leith',
        '2024-02-01 09:00: Likes boats',
        '2024-03-01 10:30: Called twice',
      ),
      person('Bo', 'Quay plc', 'Hull'),
      person('Cy', 'Harbour Ltd', 'Leith', '2024-04-01 08:15: Moved house'),
      person('Di', null, null),
    ]);
    expect(readdirSync(folder).sort()).toEqual(['.longshore', 'mappings', 'pipelines']);
  },
);
