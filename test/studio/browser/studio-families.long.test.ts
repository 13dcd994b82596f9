import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftBehindTitle } from '../../../src/model/left-behind.ts';
import { browserPath } from '../../browser/browser.ts';
import { wholeWorkspace } from '../../end-to-end/whole-workspace.ts';
import { projectOfTest } from '../at-studio.ts';
import { dropBytes } from './hands.ts';
import { openPage } from './studio.ts';

/**
 * A home phone and a mailbox that several people share, one person in two spellings, an address in a wrong row, and a father
 * and a son with one name.
 */
const members = `Member ID,First Name,Last Name,Email,Phone,Date of Birth
1,Anna,Becker,anna.becker@example.com,+49 151 20000001,
2,Paul,Becker,paul.becker@example.com,+49 151 20000001,
3,Ida,Lang,info@lang.example,+49 151 20000003,
4,Rolf,Stein,info@lang.example,+49 151 20000004,
5,Mira,Vogt,mira.vogt@example.com,+49 151 20000005,
6,Mira,Klein,,+49 151 20000005,
7,Karl,Weber,mira.vogt@example.com,+49 151 20000007,
8,Lena,Roth,familie.roth@example.com,+49 151 20000008,
9,Jan,Roth,familie.roth@example.com,+49 151 20000009,
10,Uwe,Sand,familie.sand@example.com,+49 151 20000010,
11,Tim,Sand,familie.sand@example.com,+49 151 20000011,
12,Otto,Frank,otto.frank@example.com,+49 151 20000012,1960-02-03
13,Otto,Frank,o.frank@example.com,+49 151 20000012,1988-07-09
`;

test.skipIf(browserPath === undefined)(
  'a file with families and shared mailboxes is imported, and who is one person is decided on the page',
  async () => {
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    await dropBytes(page, 'members.csv', Buffer.from(members));
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByRole('link', { name: 'Open the mapping' }).click();
    await page.getByText('All 13 rows of the input').waitFor();
    await page.getByRole('link', { name: 'Next: Plan the import' }).click();
    await page.getByRole('button', { name: 'Make a plan' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Use the sandbox' }).click();
    await page.getByRole('button', { name: 'Import all 13 rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import all 13 rows' }).click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();

    const asked = page.getByRole('region', { name: 'One person or two?' });
    const question = (name: string) => asked.getByRole('row').filter({ hasText: name });
    await page.getByRole('button', { name: 'Decide here' }).click();
    await question('Klein').getByLabel('One person').check();
    await asked.getByText('1 question of 5 answered, saved').waitFor();
    await question('Weber').getByLabel('Two people').check();
    await asked.getByText('2 questions of 5 answered, saved').waitFor();
    // All questions with one reason are answered at once.
    await asked.getByText('2 questions, all:').getByRole('button', { name: 'Two people' }).click();
    await asked.getByText('4 questions of 5 answered, saved').waitFor();
    await question('Frank').getByText('1960-02-03').waitFor();
    await question('Frank').getByText('1988-07-09').waitFor();
    await question('Frank').getByLabel('Two people').check();
    await asked.getByText('5 questions of 5 answered, saved').waitFor();
    for (const name of ['Roth', 'Sand'])
      expect(await question(name).getByLabel('Two people').isChecked()).toBe(true);
    await expectInOrder('questions about people');
    // What was answered is there after a reload.
    await page.reload();
    await asked.getByText('5 questions of 5 answered, saved').waitFor();
    expect(await question('Klein').getByLabel('One person').isChecked()).toBe(true);
    const first = page.url();
    await asked.getByRole('button', { name: 'Import as answered' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import as answered' }).click();
    await page.waitForURL((url) => /^#\/run\/\d{8}-/.test(url.hash) && url.href !== first);
    await page.getByText(/^finished(, \d+ rows? to retry)?$/).waitFor();
    await page.getByRole('link', { name: 'Hand over, files and undo' }).click();
    // The page of the answers leads to the hand over of the whole import, which is checked only with their run.
    await page.getByRole('heading', { name: 'What later runs of this import have done' }).waitFor();
    const check = page.getByRole('region', { name: 'Check', exact: true });
    await check.getByRole('button', { name: 'Check the import' }).click();
    await check.getByText('Everything that can be read back is as it was written.').waitFor();
    await expectInOrder('the hand over of families');
    const steps = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await steps.filter({ hasText: 'Check' }).getByText('partly checked').waitFor();
    await check.getByRole('button', { name: 'Check this run' }).click();
    await check.getByText('Everything that can be read back is as it was written.').nth(1).waitFor();
    await steps.filter({ hasText: 'Check' }).getByText('as written').waitFor();
    // What was answered is not asked again on the page of the import that asked it.
    await page.getByRole('region', { name: 'To do by hand' }).getByText('Nothing is left to do.').waitFor();
    await page
      .getByText('the 5 questions were answered since: what was done is with the later runs')
      .waitFor();
    expect(await page.getByText('it needs your answer').count()).toBe(0);
    await expectInOrder('the hand over of an import with a later run');
    await page.goto(first);
    await page.getByRole('link', { name: 'Hand over, files and undo' }).waitFor();
    expect(await page.getByRole('button', { name: 'Decide here' }).count()).toBe(0);

    const { contacts } = wholeWorkspace(folder);
    expect(
      contacts.map(({ firstName, lastName, email, phone }) => [firstName, lastName, email, phone]).sort(),
    ).toEqual([
      ['Anna', 'Becker', 'anna.becker@example.com', '+4915120000001'],
      ['Ida', 'Lang', 'info@lang.example', '+4915120000003'],
      ['Jan', 'Roth', null, '+4915120000009'],
      ['Karl', 'Weber', null, '+4915120000007'],
      ['Lena', 'Roth', 'familie.roth@example.com', '+4915120000008'],
      ['Mira', 'Klein', 'mira.vogt@example.com', '+4915120000005'],
      ['Otto', 'Frank', 'o.frank@example.com', null],
      ['Otto', 'Frank', 'otto.frank@example.com', '+4915120000012'],
      ['Paul', 'Becker', 'paul.becker@example.com', null],
      ['Rolf', 'Stein', null, '+4915120000004'],
      ['Tim', 'Sand', null, '+4915120000011'],
      ['Uwe', 'Sand', 'familie.sand@example.com', '+4915120000010'],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['.longshore', 'mappings', 'pipelines']);
  },
);

test.skipIf(browserPath === undefined)(
  'the page of the run with the answers imports its rows again, and does not send the user to questions that it does not have',
  async () => {
    const folder = projectOfTest();
    const { page, goTo, expectInOrder } = await openPage({ folder });
    await goTo('#/files');
    const home = members.split('\n').filter((line) => /^(Member|5|6)/.test(line));
    await dropBytes(page, 'members.csv', Buffer.from(`${home.join('\n')}\n`));
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByRole('link', { name: 'Open the mapping' }).click();
    await page.getByText('All 2 rows of the input').waitFor();
    await goTo('#/run');
    await page.getByLabel('Into the local sandbox, to try it out').check();
    await page.getByRole('button', { name: 'Import all rows' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import all rows' }).click();
    await page.waitForURL(/#\/run\/\d{8}-/);
    const first = page.url();
    const asked = page.getByRole('region', { name: 'One person or two?' });
    // As another person, the row has no identifier of its own left, and is rejected.
    await asked.getByLabel('Two people').check();
    await asked.getByText('1 question of 1 answered, saved').waitFor();
    await asked.getByRole('button', { name: 'Import as answered' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import as answered' }).click();
    await page.waitForURL((url) => /^#\/run\/\d{8}-/.test(url.hash) && url.href !== first);
    await page.getByText('Fix the 1 row in the file, or fix the mapping; then import again').waitFor();
    const steps = page.getByRole('listitem').filter({ hasText: 'Fix the 1 row' });
    await steps.getByRole('button', { name: 'Import', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Decide here' }).count()).toBe(0);

    // The row that the answer has rejected is counted and listed with the import.
    await page.goto(first.replace('#/run/', '#/hand-over/'));
    await page
      .getByRole('heading', { name: 'members.csv', level: 2 })
      .getByText('finished, 1 row to retry')
      .waitFor();
    const byHand = page.getByRole('region', { name: 'To do by hand' });
    await byHand.getByRole('link', { name: /^Answered questions of members\.csv/ }).waitFor();
    await byHand.getByText('Fix the 1 row in the file, or fix the mapping; then import again').waitFor();
    await page.getByRole('list', { name: leftBehindTitle }).getByText('Rows rejected: 1').waitFor();
    const run = page.getByRole('list', { name: 'Steps of an import' }).getByRole('listitem');
    await run.filter({ hasText: 'Run' }).getByText('1 row to retry').waitFor();
    await expectInOrder('the hand over of an import whose answers have rejected a row');
  },
);
