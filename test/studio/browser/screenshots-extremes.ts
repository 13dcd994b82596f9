import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, test } from 'vitest';
import { run } from '../../end-to-end/command.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { cameraOf } from './camera.ts';
import { openPage } from './studio.ts';

// The documentation shows none of these: they are only looked at.
const isReview = process.env.LONGSHORE_SCREENSHOTS !== undefined;

test.skipIf(!isReview)('every view of a project with nothing in it', async () => {
  const { path, remove } = temporaryFolder();
  onTestFinished(remove);
  const { page, goTo, close } = await openPage({ folder: path });
  const shoot = cameraOf(page);
  const views = ['files', 'mapping', 'plan', 'run', 'check', 'hand-over', 'merges', 'exports', 'history'];
  for (const view of [...views, 'nowhere']) {
    await goTo(`#/${view}`);
    await page.locator('main').locator('section, p').first().waitFor();
    await shoot(`none-${view}`);
  }
  await page.getByRole('button', { name: 'Connect a workspace' }).click();
  await shoot('connect');
  await page.getByLabel('Address of the workspace').fill('http://127.0.0.1:1/v1');
  await page.getByLabel('Token of the workspace').fill('a-token');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await shoot('error-connect');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByText('Keyboard shortcuts', { exact: true }).click();
  await shoot('go-to');
  await page.keyboard.press('Escape');
  for (const place of ['files/gone.csv', 'mapping/gone.yaml', 'run/20200101-000000-gone', 'plan/gone.yaml']) {
    await goTo(`#/${place}`);
    await page.getByRole('alert').first().waitFor();
    await shoot(`error-${place.split('/')[0]}`);
  }
  await close();
  await page.getByText('The studio does not answer.').waitFor();
  await shoot('error-unreachable');
});

const longName = `ein-sehr-langer-name-${'ohne-ende-'.repeat(18)}x`;
const unbroken = 'ValueWithoutSpaces'.repeat(20);
const columns = [
  ...['ID', 'الاسم الأول', 'Last name', 'Email', longName, 'Unbroken', 'Long text'],
  ...Array.from({ length: 53 }, (_, n) => `Merkmal_ohne_Leerzeichen_${n}`),
];

function rowOf(n: number): string {
  const email = n < 1_000 ? `person ${n} at a host without a name` : `person${n}@example.com`;
  const text = `Long text, said ${n} times and more. `.repeat(12);
  const cells = [
    n,
    'محمد عبد الرحمن الطويل',
    `Wolfeschlegelsteinhausen${n}`,
    email,
    'لا شيء',
    unbroken,
    text,
  ];
  return [...cells, ...Array.from({ length: 53 }, (_, k) => `${k * n}`)].map((cell) => `"${cell}"`).join(',');
}

/** A project with 60 columns, names of 200 characters, Arabic, values without spaces and 1,000 rejected rows. */
function writeProject(folder: string): void {
  for (const name of ['pipelines', 'mappings']) mkdirSync(join(folder, name), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const csv = [
    columns.map((name) => `"${name}"`).join(','),
    ...Array.from({ length: 1_100 }, (_, n) => rowOf(n)),
  ];
  write(`${longName}.csv`, `${csv.join('\n')}\n`);
  write(
    'broken.csv',
    `A,B\n${Array.from({ length: 1_500 }, (_, n) => (n % 3 ? `${n},${n},${n}` : `${n},b`)).join('\n')}\n`,
  );
  write(
    'mappings/wide.yaml',
    `mapping: ${longName}
key: ID
contact:
  firstName: { from: الاسم الأول }
  lastName: { from: Last name }
  email: { from: Email }
customFields:
  ${longName}: { from: ${longName}, type: text, create: true }
  Unbroken: { from: Unbroken, type: text, create: true }
  Long text: { from: Long text, type: text, create: true }
`,
  );
  write(
    'mappings/bad.yaml',
    'mapping: bad\nkey: ID\ncontact:\n  email: { from: Email, colour: red }\n  lastNam: { from: X }\n',
  );
  for (const name of ['wide', 'bad'])
    write(
      `pipelines/import-${name}.yaml`,
      `pipeline: import-${name === 'wide' ? longName : name}
import:
  source: { format: csv, path: ../${longName}.csv }
  mapping: ../mappings/${name}.yaml
  policy: { maxErrors: 100% }
`,
    );
}

test.skipIf(!isReview)('every view with very long data and a thousand problems', async () => {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  writeProject(folder);
  const { page, goTo } = await openPage({ folder });
  page.setDefaultTimeout(60_000);
  const shoot = cameraOf(page);
  await goTo(`#/files/${longName}.csv`);
  await page.getByRole('grid', { name: 'The first rows' }).getByRole('row').nth(2).click();
  await shoot('long-files');
  await goTo('#/files/broken.csv');
  await page.getByRole('list', { name: 'Problems of the file' }).waitFor();
  await shoot('long-file-problems');
  await goTo('#/mapping/mappings%2Fwide.yaml');
  await page.getByText(/all 1,100 rows read/).waitFor();
  await page.getByText('All 1,100 rows of the input').waitFor();
  await shoot('long-mapping');
  await page.getByRole('button', { name: 'Show the YAML' }).click();
  await page.locator('.cm-content').waitFor();
  await page.getByRole('button', { name: 'Unbroken', exact: true }).click();
  await page.getByRole('table', { name: /Values of/ }).waitFor();
  await shoot('long-mapping-yaml');
  await goTo('#/mapping/mappings%2Fbad.yaml');
  await page.getByRole('list', { name: 'Mistakes in the mapping' }).waitFor();
  await shoot('error-mistakes');
  await goTo('#/run');
  await page.getByLabel('Pipeline').selectOption('pipelines/import-bad.yaml');
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await page
    .getByRole('alert')
    .or(page.getByRole('log'))
    .or(page.getByText('Error', { exact: true }))
    .first()
    .waitFor();
  await shoot('error-check');
  await goTo('#/plan/pipelines%2Fimport-wide.yaml');
  await page.getByLabel('For the local sandbox, to try it out').check();
  await page.getByRole('button', { name: 'Make a plan' }).click();
  await page.getByRole('grid', { name: 'Every change' }).getByRole('row').nth(1).waitFor();
  await shoot('long-plan');
  await page.getByLabel('Text').fill('Unbroken');
  await page.getByRole('grid', { name: 'Every change' }).getByText('ValueWithout').first().click();
  await page.getByRole('dialog').getByRole('row').nth(1).waitFor();
  await shoot('long-plan-row');
  await page.keyboard.press('Escape');
  const words = ['import', 'pipelines/import-wide.yaml', '--workspace', 'sandbox', '--json'];
  const { stdout } = await run(words, {}, undefined, folder);
  const id = JSON.parse(stdout).run;
  await goTo(`#/run/${id}`);
  await page.getByRole('region', { name: 'Cells of the rejected rows' }).getByRole('row').nth(9).waitFor();
  await shoot('long-run');
  await goTo(`#/hand-over/${id}`);
  await page.getByRole('heading', { name: 'Undo' }).waitFor();
  await shoot('long-hand-over');
  await goTo('#/history');
  await page.getByRole('grid', { name: 'Runs' }).getByRole('row').nth(1).waitFor();
  await shoot('long-history');
  await goTo('#/run');
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await shoot('long-run-list');
});
