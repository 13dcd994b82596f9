import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserPath } from '../../browser/browser.ts';
import { isLong } from '../../long.ts';
import { dropBytes } from './hands.ts';
import { atStudioPage, windows } from './studio.ts';

const none = browserPath === undefined;

/** Semicolons, windows-1252, two lines before the column names, a row that is too long. */
const messy = Buffer.from(
  [
    'Customers of 2024',
    '',
    'Id;First name;E-mail;City',
    '1;J\xfcrgen;juergen@example.com;K\xf6ln',
    '2;Zo\xeb;zoe@example.com;Z\xfcrich;too much',
    '3;<b>Ada</b>;=HYPERLINK(A1);\u00a0x',
    '',
  ].join('\r\n'),
  'latin1',
);

test.skipIf(none)('a messy file is dropped, read otherwise, and drafted', async () => {
  const { page, folder, goTo, expectInOrder } = await atStudioPage();
  await goTo('#/files');
  await dropBytes(page, 'customers.csv', messy);
  const first = page.getByRole('grid', { name: 'The first rows' });
  await first.getByText('Jürgen').waitFor();
  // Cells are text.
  await first.getByText('<b>Ada</b>').waitFor();
  await first.getByText('=HYPERLINK(A1)').waitFor();
  await page.getByRole('button', { name: 'Line 5' }).press('Enter');
  await page.getByText('2;Zoë;zoe@example.com;Zürich;too much').waitFor();
  await expectInOrder('a messy file');

  const header = page.getByRole('spinbutton', { name: 'Line of the column names' });
  expect(await header.inputValue()).toBe('3');
  const encoding = page.getByRole('combobox', { name: 'Encoding' });
  await encoding.selectOption('macintosh');
  await first.getByText('J¸rgen').waitFor();
  await page.getByText('Command', { exact: true }).click();
  await page.getByText('--encoding macintosh').waitFor();
  await page.getByRole('button', { name: 'Detect it' }).press('Enter');
  await first.getByText('Jürgen').waitFor();

  const format = page.getByRole('combobox', { name: 'Format' });
  expect(await format.inputValue()).toBe('csv');
  await format.selectOption('json');
  await page.getByRole('alert').waitFor();
  await page.getByText('--format json').waitFor();
  await expectInOrder('a file in a format that it does not have');
  await format.selectOption('csv');
  await first.getByText('Jürgen').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('--format csv').waitFor();

  await page.getByRole('combobox', { name: 'Column that identifies a row' }).selectOption('Id');
  await page.getByRole('button', { name: 'Draft a mapping' }).press('Enter');
  const link = page.getByRole('link', { name: /Answer the questions|Open the mapping/ });
  await link.waitFor();
  expect(await link.getAttribute('href')).toBe('#/mapping/mappings%2Fcustomers.yaml');
  // The steps are those of the draft at once, not of the pipeline that this tab has worked on before.
  const steps = page.getByRole('list', { name: 'Steps of an import' });
  await steps.getByText(/^\d+ questions?$/).waitFor();
  await expectInOrder('a drafted mapping');
  expect(readFileSync(join(folder, 'mappings/customers.yaml'), 'utf8')).toContain('Id');
  expect(readFileSync(join(folder, 'pipelines/import-customers.yaml'), 'utf8')).toContain('windows-1252');
});

test.skipIf(none)('hostile names, columns and cells are shown as text', async () => {
  const { page, folder, goTo, expectInOrder } = await atStudioPage();
  const name = '<img src=x onerror=alert(1)>\u202Evsc.csv';
  const long = 'x'.repeat(50_000);
  const head = 'id,<script>alert(1)</script>,\u202Eeman';
  writeFileSync(
    join(folder, name),
    `${head}\n1,"a\tb\u0007c",${long}\n2,\u202Egpj.exe,"<svg onload=alert(1)>"\n`,
  );
  await goTo(`#/files/${encodeURIComponent(name)}`);
  await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>⟨U+202E⟩vsc.csv' }).waitFor();
  const first = page.getByRole('grid', { name: 'The first rows' });
  await first.getByText('<script>alert(1)</script>').waitFor();
  await first.getByText('⟨U+202E⟩gpj.exe').waitFor();
  await first.getByText('a␉b␇c').waitFor();
  await first.getByText('<svg onload=alert(1)>').click();
  await page.getByRole('heading', { name: 'Line 3' }).waitFor();
  expect(await page.locator('main script, main img, main svg').count()).toBe(0);
  await expectInOrder('hostile cells');
});

test.skipIf(none || !isLong)('the tables of a dump are a picture, and the same in words', async () => {
  const { page, folder, goTo, expectInOrder } = await atStudioPage();
  const long = Array.from({ length: 40 }, (_, n) => n + 1);
  writeFileSync(
    join(folder, 'crm.sql'),
    `CREATE TABLE accounts (id INT PRIMARY KEY, name TEXT);
INSERT INTO accounts VALUES ${long.map((n) => `(${n}, 'Firm ${n}')`).join(', ')};
CREATE TABLE contacts (id INT PRIMARY KEY, first_name TEXT, email TEXT, account_id INT REFERENCES accounts(id));
INSERT INTO contacts VALUES ${long.map((n) => `(${n}, 'Ada', 'a${n}@example.com', ${n})`).join(', ')};
CREATE TABLE notes (id INT PRIMARY KEY, contact_id INT REFERENCES contacts(id), body TEXT, created_at TEXT);
INSERT INTO notes VALUES ${long.map((n) => `(${n}, ${n}, 'Hello', '2024-01-01 10:00:00')`).join(', ')};
`,
  );
  await goTo('#/files/crm.sql');
  await page.getByRole('img', { name: /contacts has the people\./ }).waitFor();
  await page.getByRole('listitem').filter({ hasText: 'one row of accounts for each of contacts' }).waitFor();
  await expectInOrder('a dump');
  await page.getByRole('button', { name: 'Random rows' }).press('Enter');
  await page.getByRole('grid', { name: 'Random rows' }).waitFor();
  await page.getByRole('combobox', { name: 'Table of the people' }).selectOption('accounts');
  await page.getByRole('img', { name: /accounts has the people\./ }).waitFor();
});

test.skipIf(none)(
  'the rows of a dump and those that cannot be read are in the order of the file',
  async () => {
    const { page, folder, goTo } = await atStudioPage();
    const rows = Array.from({ length: 30 }, (_, n) =>
      n === 9 || n === 19 ? `(${n + 1}, 'Ada')` : `(${n + 1}, 'Ada', 'a${n}@example.com')`,
    );
    writeFileSync(
      join(folder, 'users.sql'),
      `CREATE TABLE users (id INT PRIMARY KEY, first_name TEXT, email TEXT);
INSERT INTO users VALUES ${rows.join(', ')};
`,
    );
    await goTo('#/files/users.sql');
    const first = page.getByRole('grid', { name: 'The first rows' });
    const places = first.getByRole('row').locator(':scope > :first-child');
    await first.getByText('2, row 12').waitFor();
    const shown = await places.allInnerTexts();
    expect(shown.slice(0, 12)).toEqual([
      'Line',
      '2',
      ...Array.from({ length: 10 }, (_, n) => `2, row ${n + 2}`),
    ]);
    const isCut = await places.evaluateAll((cells) =>
      cells.some((cell) => cell.scrollWidth > cell.clientWidth),
    );
    expect(isCut).toBe(false);
    await page.getByRole('button', { name: 'Draft a mapping' }).click();
    await page.getByText('30 rows: 28 can be read, 2 cannot be read as rows.').waitFor();
  },
);

test.skipIf(none)('the rows of one line are told apart, and passwords stay hidden', async () => {
  const { page, folder, goTo } = await atStudioPage();
  writeFileSync(
    join(folder, 'users.sql'),
    `CREATE TABLE users (id INT PRIMARY KEY, first_name TEXT, email TEXT, password_hash TEXT);
INSERT INTO users VALUES (1, 'Ada', 'ada@example.com', 'h4sh-one'), (2, 'Bob', 'bob@example.com', 'h4sh-two');
`,
  );
  await goTo('#/files/users.sql');
  const first = page.getByRole('grid', { name: 'The first rows' });
  await first.getByText('2, row 2').waitFor();
  await first.getByText('hidden').first().waitFor();
  expect(await page.locator('main').textContent()).not.toContain('h4sh');
});

test.skipIf(none)('of a text from right to left that is too long, the end is cut off', async () => {
  const { page, folder, goTo } = await atStudioPage();
  const name = Array.from({ length: 6 }, () => 'محمد عبد الرحمن الطويل').join(' ');
  writeFileSync(join(folder, 'names.csv'), `Id,Name\n1,${name}\n`);
  await goTo('#/files/names.csv');
  const cell = page.getByRole('gridcell').filter({ hasText: name });
  await cell.waitFor();
  const isBeginningShown = await cell.evaluate((element) => {
    const text = element.querySelector('bdi')?.firstChild;
    if (text == null) return false;
    const letter = document.createRange();
    letter.setStart(text, 0);
    letter.setEnd(text, 1);
    const [own, box] = [letter.getBoundingClientRect(), element.getBoundingClientRect()];
    return own.left >= box.left && own.right <= box.right;
  });
  expect(isBeginningShown).toBe(true);
});

test.skipIf(none)('the settings of a file are equally wide where they take two lines', async () => {
  const { page, goTo } = await atStudioPage();
  await page.setViewportSize(windows.tablet);
  await goTo('#/files/people.csv');
  const settings = page.getByRole('group', { name: 'How it is read' }).getByRole('combobox');
  await settings.first().waitFor();
  const widths = await settings.evaluateAll((all) =>
    all.map((each) => Math.round(each.getBoundingClientRect().width)),
  );
  expect(new Set(widths).size).toBe(1);
});
