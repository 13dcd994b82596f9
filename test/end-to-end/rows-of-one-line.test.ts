import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './in-process.ts';

const dump = `-- MySQL dump 10.13
CREATE TABLE people (id int, name varchar(20), family varchar(20), email varchar(90), phone varchar(20));
INSERT INTO people VALUES (1,'Ada','Byron','ada@example.com','12'),(2,'Bob','Stone','bob at example',''),(3,'Eve','Wood','eve at example',''),(4,'Cleo','Nile','cleo@example.com','+14155552672'),(5,'Max','Berg','cleo@example.com','+14155552671');
-- Dump completed on 2024-01-01
`;
const mapping = `mapping: people
contact:
  firstName: { from: name }
  lastName: { from: family }
  email: { from: email }
  phone: { from: phone, onInvalid: drop }
`;

type Line = Readonly<Record<string, string>>;

/** A project whose source is a dump with all rows in one line, a workspace, and the command in it. */
async function project() {
  const folder = temporaryFolder();
  const sandbox = await startSandbox();
  onTestFinished(async () => {
    await sandbox.close();
    folder.remove();
  });
  const path = (name: string) => join(folder.path, name);
  writeFileSync(path('people.sql'), dump);
  writeFileSync(path('mapping.yaml'), mapping);
  writeFileSync(
    path('p.yaml'),
    'pipeline: p\nimport:\n  source: { format: sql, path: people.sql }\n  mapping: mapping.yaml\n',
  );
  const workDir = path('work');
  const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  return {
    sandbox,
    path,
    type: (...words: readonly string[]) => run([...words, '--work-dir', workDir], env),
    latest: () => readdirSync(join(workDir, 'runs')).sort().at(-1) ?? '',
    file: (id: string, name: string) => join(workDir, 'runs', id, name),
    lines: (id: string, name: string): readonly Line[] =>
      parse(readFileSync(join(workDir, 'runs', id, name), 'utf8'), { columns: true }),
  };
}

const places = (lines: readonly Line[]) => lines.map(({ _line }) => _line);

it('check, plan, the import and its report name the row where a line has several', async () => {
  const at = await project();
  const check = await at.type('check', at.path('p.yaml'));
  expect(check.stdout).toContain('email.invalid, line 3, rows 2, 3');
  expect(check.stdout).toContain('line 3, row 4: is this the person of line 3, row 5?');
  const plan = await at.type('plan', at.path('p.yaml'), '--row', '3, row 2');
  expect(plan.stdout).toMatch(/^Line 3, row 2.*: rejected/m);
  expect(plan.stdout).not.toMatch(/^Line 3, row 3/m);
  expect((await at.type('plan', at.path('p.yaml'), '--row', '3')).stdout).toMatch(/^Line 3, key|^Line 3:/m);
  const imported = await at.type('import', at.path('p.yaml'));
  expect(imported.stdout).toContain('line 3, row 2: email');
  const id = at.latest();
  expect(readFileSync(at.file(id, 'report.html'), 'utf8')).toContain('3, row 2');
  for (const output of [check, plan, imported]) expect(output.stdout).not.toContain('00000003');
});

it('lists name each row, and answers and corrections find it again', async () => {
  const at = await project();
  await at.type('import', at.path('p.yaml'));
  const id = at.latest();
  expect(places(at.lines(id, 'rejects.csv'))).toEqual(['3, row 2', '3, row 3']);
  expect(places(at.lines(id, 'contacts.csv'))).toEqual(['3', '3, row 5']);
  expect(places(at.lines(id, 'dropped.csv'))).toContain('3, row 4');
  const asked = at.lines(id, 'same-person.csv');
  expect(asked).toMatchObject([{ _line: '3, row 4', other_line: '3, row 5' }]);

  writeFileSync(
    at.path('answers.csv'),
    stringify(
      asked.map((line) => ({ ...line, answer: 'different' })),
      { header: true },
    ),
  );
  const approved = await at.type('import', at.path('p.yaml'), '--approve', at.path('answers.csv'));
  expect(approved.stderr).not.toContain('error');
  const corrected = at
    .lines(id, 'rejects.csv')
    .map((line) => ({ ...line, email: `${line.name}@example.com` }));
  writeFileSync(at.path('corrected.csv'), stringify(corrected, { header: true }));
  expect(await at.type('retry', id, '--from', at.path('corrected.csv'))).toMatchObject({ code: 0 });
  const names = at.sandbox.contacts().map(({ firstName }) => firstName);
  expect(names.sort()).toEqual(['Ada', 'Bob', 'Cleo', 'Eve', 'Max']);
});

it('forget removes the lines of the person, and not those of other rows of the line', async () => {
  const at = await project();
  await at.type('import', at.path('p.yaml'));
  const id = at.latest();
  expect(await at.type('forget', 'ada@example.com', '--yes')).toMatchObject({ code: 0 });
  expect(places(at.lines(id, 'contacts.csv'))).toEqual(['3, row 5']);
  expect(places(at.lines(id, 'rejects.csv'))).toEqual(['3, row 2', '3, row 3']);
});
