import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test, vi } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { atMapping, chooseTarget, countsOf, mapping } from './at-mapping.ts';
import { patienceMs } from './studio.ts';

const none = browserPath === undefined;

/** Waits until the file has that text in it. */
async function contains(file: string, text: string): Promise<void> {
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(text), { timeout: patienceMs });
}

async function counted(page: Page, lines: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await countsOf(page)).toEqual(expect.arrayContaining([...lines])), {
    timeout: patienceMs,
  });
}

test.skipIf(none)('questions of a mapping are answered, or what they are about is left out', async () => {
  const asked = mapping
    .replace('email: { from: Email }', 'email: { from: "TODO: which column has the address?" }')
    .replace(
      '  lastName:',
      '  phone: { from: Plan, country: "TODO: which country are they from?" }\n  lastName:',
    );
  const { page, written, expectInOrder } = await atMapping({ text: asked });
  await page.getByRole('heading', { name: 'Questions to answer (2)' }).waitFor();
  await expectInOrder('questions');
  const address = page.getByLabel('Which column has the address?');
  await address.selectOption('Email');
  await address.press('Enter');
  const answered = asked.replace('"TODO: which column has the address?"', 'Email');
  await written(answered);
  await page.getByRole('heading', { name: 'Questions to answer (1)' }).waitFor();
  await page.getByRole('button', { name: 'Leave out' }).press('Enter');
  await written(answered.replace(', country: "TODO: which country are they from?"', ''));
  await page.getByRole('heading', { name: /Questions/ }).waitFor({ state: 'detached' });
});

test.skipIf(none)(
  'a stage that is left out is not sent, and each owner has a field for its user',
  async () => {
    const lifecycle = (stage: string) =>
      `lifecycle: { from: Plan, values: { Gold tier: ${stage}, silver: Customer } }\n`;
    const assignee = (users: string) => `assignee: { from: Last, users: ${users} }\n`;
    const asked = (stage: string, users: string) => `${mapping}${lifecycle(stage)}${assignee(users)}`;
    const { page, written } = await atMapping({
      text: asked('"TODO: which stage is this?"', '"TODO: who is it?"'),
    });
    await page.getByRole('heading', { name: 'Questions to answer (2)' }).waitFor();
    await page.getByText('Which user of the workspace is each of these owners?').waitFor();
    await page.getByLabel('Lovelace 1 row').fill('ada@example.com');
    const last = page.getByLabel('<b>Byte</b> 1 row');
    await last.fill(' bob@example.com ');
    await last.press('Enter');
    const users = '{ Lovelace: ada@example.com, <b>Byte</b>: bob@example.com, Charisse: null, Dee: null }';
    await written(asked('"TODO: which stage is this?"', users));
    await page.getByRole('heading', { name: 'Questions to answer (1)' }).waitFor();
    const stage = page.getByLabel('Gold tier: Which stage of the workspace is this?');
    await stage.fill('keine');
    await stage.press('Enter');
    await written(asked('null', users));
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'No stage' }).press('Enter');
    await written(asked('null', users));
  },
);

test.skipIf(none)('a table of many owners is pasted', async () => {
  const assignee = (users: string) => `${mapping}assignee: { from: Last, users: ${users} }\n`;
  const many = Array.from({ length: 60 }, (_, n) => `${n},Ada,Owner ${n},ada${n}@example.com,silver`);
  const { page, written } = await atMapping({
    text: assignee('"TODO: who is it?"'),
    csv: `ID,First,Last,Email,Plan\n${many.join('\n')}\n`,
  });
  const owners = page.getByLabel('Who is it?');
  await owners.fill('Ada');
  await owners.press('Enter');
  await page.getByText('This answer does not fit. assignee.users').waitFor();
  await owners.fill('Owner 1 = ada@example.com\nOwner 2\tbob@example.com');
  await owners.press('Enter');
  await written(assignee('{ Owner 1: ada@example.com, Owner 2: bob@example.com }'));
});

test.skipIf(none)('the pipeline of the mapping that was open is the one to run and to plan', async () => {
  const { page, folder, goTo } = await atMapping();
  const pipelines = () => page.getByLabel('Pipeline', { exact: true });
  const other = mapping.replace('mapping: people', 'mapping: others');
  writeFileSync(join(folder, 'other.yaml'), other);
  const settings = readFileSync(join(folder, 'pipeline.yaml'), 'utf8').replace('mapping.yaml', 'other.yaml');
  writeFileSync(join(folder, 'z-other.yaml'), settings);
  await goTo('#/run');
  await page.reload();
  expect(await pipelines().inputValue()).toBe('pipeline.yaml');
  await goTo('#/mapping/other.yaml');
  await page.getByText('All 4 rows of the input').waitFor();
  for (const view of ['#/run', '#/plan']) {
    await goTo(view);
    await page.reload();
    expect(await pipelines().inputValue()).toBe('z-other.yaml');
  }
});

test.skipIf(none)('a text is changed with its result beside it', async () => {
  const { page, file, expectInOrder } = await atMapping();
  await page.getByRole('button', { name: 'Comment: origin' }).press('Enter');
  const text = page.getByLabel('Text; {Column} inserts a cell');
  await text.fill('Hello {First}');
  const result = page.getByRole('status', { name: 'Result for the current row' });
  await result.getByText('Hello Ada').waitFor();
  await contains(file, 'Hello {First}');
  await text.press('End');
  await text.pressSequentially(' ');
  await page.getByLabel('Insert a column').selectOption('Last');
  await result.getByText('Hello Ada Lovelace').waitFor();
  await contains(file, 'Hello {First} {Last}');
  await page.getByRole('button', { name: 'Next row' }).press('Enter');
  await result.getByText('Hello Bob <b>Byte</b>').waitFor();
  await expectInOrder('a text');
});

test.skipIf(none)('a new custom field is named in a dialog', async () => {
  const { page, file, expectInOrder } = await atMapping();
  await page.getByRole('button', { name: 'Last', exact: true }).press('Enter');
  const more = 'One more target of Last';
  await chooseTarget(page, more, 'Another custom field…');
  const dialog = page.getByRole('dialog', { name: 'A custom field for Last' });
  const name = dialog.getByLabel('Name of the field in the workspace');
  await name.fill('Plan');
  await dialog.getByText('The mapping fills this field already.').waitFor();
  await dialog.getByRole('button', { name: 'Add the field' }).press('Enter');
  await expectInOrder('the name of a field that is taken');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(readFileSync(file, 'utf8')).toBe(mapping);

  // A name that no target has is that of a new field.
  await chooseTarget(page, more, 'Family');
  expect(await name.inputValue()).toBe('Family');
  expect(await dialog.getByLabel('Create it where the workspace does not have it').isChecked()).toBe(true);
  await name.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await contains(file, 'Family: { from: Last, type: text, create: true }');
});

test.skipIf(none)('where a cell is cut, what a row without a value gets, and what is not valid', async () => {
  const { page, file, expectInOrder } = await atMapping();
  await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
  const invalid = page.getByLabel('A value that is not valid');
  expect(await invalid.inputValue()).toBe('drop');
  await invalid.selectOption('rejects the row');
  await contains(file, 'allowed: [gold, silver] }');
  await counted(page, ['1 pass 25%', '3 rejected 75%']);
  await page.getByLabel('Where the row has none').fill('silver');
  await page.keyboard.press('Enter');
  await contains(file, 'default: silver');
  await invalid.selectOption('becomes the default');
  await contains(file, 'onInvalid: default');
  await counted(page, ['2 pass, but lose a value 50%', '1 rejected 25%']);
  await page.getByLabel('Cut the cell at').fill(';');
  await page.keyboard.press('Enter');
  await contains(file, 'split: ;');
  await page.getByLabel('Cut the cell at').fill('');
  await page.keyboard.press('Enter');
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).not.toContain('split'), { timeout: patienceMs });
  await expectInOrder('the options of a rule');
  // An e-mail takes no default.
  await page.getByRole('button', { name: 'Email', exact: true }).press('Enter');
  expect(await page.getByLabel('Where the row has none').count()).toBe(1);
  expect(await page.getByLabel('Cut the cell at').count()).toBe(2);
});

test.skipIf(none)('the current row is chosen by its line', async () => {
  const { page } = await atMapping();
  const line = page.getByRole('textbox', { name: 'Line' });
  await line.fill('4');
  await page.keyboard.press('Enter');
  await page.getByText('Row 3, line 4 value lost').waitFor();
  await page.getByRole('button', { name: 'Previous row' }).press('Enter');
  await page.getByText('Row 2, line 3 rejected').waitFor();
  await line.fill('99');
  await page.keyboard.press('Enter');
  await page.getByText('No row in this line or after it').waitFor();
  await line.fill('1');
  await page.keyboard.press('Enter');
  await page.getByText('Row 1, line 2 passes').waitFor();
});

test.skipIf(none)('custom fields of the workspace are targets once the workspace was asked', async () => {
  const { page, file, token, expectInOrder } = await atMapping();
  const label = 'Ask the workspace for its fields and users';
  await page.getByRole('button', { name: label }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Token of the workspace').fill(token);
  await page.keyboard.press('Enter');
  await page.getByText(/has 2 custom fields and \d+ users?, which are in the lists\./).waitFor();
  await expectInOrder('a workspace that was asked');
  for (const name of ['Last', 'ID key']) await page.getByRole('button', { name, exact: true }).press('Enter');
  await chooseTarget(page, 'One more target of Last', 'Note (text field of the workspace)');
  await contains(file, 'Note: { from: Last, type: text }');
  await chooseTarget(page, 'One more target of ID', 'score');
  await contains(file, 'Score: { from: ID, type: number }');
  // What was asked is known until the page is closed.
  await page.getByRole('link', { name: 'All mappings' }).press('Enter');
  await page.getByRole('link', { name: 'mapping.yaml' }).press('Enter');
  await page.getByText('has 2 custom fields').waitFor();
});

test.skipIf(none)('at 400 pixels the YAML is one key away', async () => {
  const { page } = await atMapping();
  await page.setViewportSize({ width: 400, height: 900 });
  await page.getByRole('button', { name: 'Show the YAML' }).press('Enter');
  await page.getByRole('heading', { name: 'YAML' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  const top = await page.evaluate<number>(
    "document.querySelector('.editor-place').getBoundingClientRect().top",
  );
  expect(top).toBeGreaterThanOrEqual(0);
  expect(top).toBeLessThan(900);
});

const plans = `ID,First,Last,Email,Plan
1,Ada,Lovelace,ada@example.com,Gold tier
2,Bob,Byte,bob@example.com,Gold tier
3,Cyd,Charisse,cyd@example.com,gold-tier
4,Dee,Dee,dee@example.com,"Tier, gold"
5,Eve,Eve,eve@example.com,Sílver
6,Fay,Fay,fay@example.com,silver
7,Gus,Gus,gus@example.com,silver
8,Hal,Hal,hal@example.com,Bronze
`;
const plansMapping = mapping.replace(', values: { Gold tier: gold }, allowed: [gold, silver]', '');

test.skipIf(none)(
  'spellings of one value are merged by a click, one cluster or all that are selected',
  async () => {
    const { page, file, expectInOrder } = await atMapping({ text: plansMapping, csv: plans });
    await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
    await page.getByText('2 values probably written in several ways').waitFor();
    await expectInOrder('clusters of spellings');
    const into = page.getByLabel('The cluster of Gold tier becomes');
    expect(await into.inputValue()).toBe('Gold tier');
    const clusters = page.getByRole('table', { name: 'Values that are probably written in several ways' });
    await clusters.getByRole('button', { name: 'gold-tier', exact: true }).press('Enter');
    expect(await into.inputValue()).toBe('gold-tier');
    await into.fill('Gold');
    // Nothing is merged without a tick.
    await page.getByRole('button', { name: 'Apply all selected' }).press('Enter');
    expect(readFileSync(file, 'utf8')).toBe(plansMapping);
    await page.getByRole('button', { name: 'Apply to the cluster of Gold tier' }).press('Enter');
    await contains(file, 'values: { Gold tier: Gold, "Tier, gold": Gold, gold-tier: Gold }');
    await page.getByText('1 value probably written in several ways').waitFor();
    await page.getByRole('checkbox', { name: 'Select all clusters shown' }).check();
    await page.getByText('1 cluster selected').waitFor();
    await page.getByRole('button', { name: 'Apply all selected' }).press('Enter');
    await contains(file, 'Sílver: silver }');
    await page.getByText('probably written in several ways').waitFor({ state: 'detached' });
  },
);

test.skipIf(none)(
  'values that are selected become the same, none, or what they are in the file',
  async () => {
    const { page, file, written, expectInOrder } = await atMapping({ text: plansMapping, csv: plans });
    await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
    const select = async (...names: readonly string[]) => {
      for (const name of names)
        await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).check();
    };
    await select('Bronze', 'gold-tier');
    const into = page.getByLabel('All 2 selected become');
    await into.fill('Basic');
    await expectInOrder('values that are selected');
    await into.press('Enter');
    await contains(file, 'values: { Bronze: Basic, gold-tier: Basic }');
    await into.waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Bronze becomes' }).inputValue()).toBe('Basic');
    await select('Bronze');
    await page.getByRole('button', { name: 'No value' }).press('Enter');
    await contains(file, 'values: { Bronze: null, gold-tier: Basic }');
    await page.getByRole('checkbox', { name: 'Select all values shown' }).check();
    await page.getByRole('button', { name: 'As in the file' }).press('Enter');
    await written(plansMapping);
  },
);

test.skipIf(none)('a text is found and replaced in the values, after a look at what changes', async () => {
  const { page, file, expectInOrder } = await atMapping({ text: plansMapping, csv: plans });
  await page.getByRole('button', { name: 'Plan', exact: true }).press('Enter');
  await page.getByText('Find and replace', { exact: true }).click();
  await page.getByLabel('Find', { exact: true }).fill('TIER');
  await page.getByText('3 found, in 4 rows').waitFor();
  await page.getByLabel('Match case').check();
  await page.getByText('0 found, in 0 rows').waitFor();
  await page.getByLabel('Match case').uncheck();
  const into = page.getByLabel('Replace with');
  await into.fill('plan');
  await page.getByText('would become Gold plan').waitFor();
  expect(readFileSync(file, 'utf8')).toBe(plansMapping);
  await expectInOrder('a replacement');
  await into.press('Enter');
  await contains(file, 'values: { Gold tier: Gold plan, gold-tier: gold-plan, "Tier, gold": "plan, gold" }');
  expect(await page.getByRole('textbox', { name: 'Bronze becomes' }).inputValue()).toBe('');
});

test.skipIf(none)(
  'a value that is not valid is corrected beside its row, by the rules of its field',
  async () => {
    const { page, written, expectInOrder } = await atMapping();
    await page.getByRole('button', { name: /E-mail: not valid/ }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rows of the file' });
    await dialog.getByText('<b>Byte</b>').waitFor();
    await dialog.getByRole('grid').press('Enter');
    await dialog.getByRole('heading', { name: 'Line 3, Email' }).waitFor();
    const corrected = (text: string) =>
      mapping.replace('{ from: Email }', `{ from: Email, values: { not-an-address: ${text} } }`);
    const field = dialog.getByLabel('not-an-address is read as');
    await field.fill('bob@example');
    await field.press('Enter');
    await written(corrected('bob@example'));
    await dialog.locator('.becomes').getByText('"bob@example" is not an e-mail address').waitFor();
    await expectInOrder('a cell that is corrected');
    await field.fill('bob@example.com');
    await field.press('Enter');
    await written(corrected('bob@example.com'));
    await dialog.locator('.becomes').getByText('bob@example.com', { exact: true }).waitFor();
    await dialog.getByText('0 rows; the whole file searched.').waitFor();
    expect(await dialog.locator('.wrong').count()).toBe(0);
    await field.fill('');
    await field.press('Enter');
    await written(mapping);
    await dialog.getByText('1 row; the whole file searched.').waitFor();
  },
);
