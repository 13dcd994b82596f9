import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Ended } from '../end-to-end/command.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const shipped = (name: string) => join(root, 'pipelines', `import-${name}.yaml`);

/** A folder to type commands in. */
function folderToTypeIn() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const longshore = (...args: readonly string[]): Promise<Ended> => run(args, {}, undefined, folder.path);
  return { path: folder.path, longshore };
}

/** A SugarCRM 6.5 dump: no tags, no primary account of a contact, and no language. */
function sugar65(): string {
  const dump = readFileSync(join(root, 'fixtures/sugarcrm.sql'), 'utf8');
  const statements = dump.split(/;\n/);
  const without = statements.filter((text) => !/`(?:tags|tag_bean_rel)`/.test(text));
  const text = without
    .join(';\n')
    .replaceAll('primary_account', 'some_other_column')
    .replaceAll('preferred_language', 'another_column');
  expect(text).not.toMatch(/`tags`|tag_bean_rel|primary_account|preferred_language/);
  return text;
}

describe('a shipped pipeline on other files', () => {
  it('takes a SugarCRM 6.5 dump, which has no tags and no languages, and check says so', async () => {
    const { path, longshore } = folderToTypeIn();
    writeFileSync(join(path, 'sugar65.sql'), sugar65());
    const checked = await longshore('check', shipped('sugarcrm'), '--source', 'sugar65.sql', '--json');
    const { findings, rows } = JSON.parse(checked.stdout);
    expect(findings.filter(({ verdict }: { verdict: string }) => verdict === 'wrong')).toEqual([]);
    expect(JSON.stringify(findings)).toContain(
      'are missing or have an empty file, taken as empty: \\"tags\\"',
    );
    expect(JSON.stringify(findings)).toContain('mapping calls optional: \\"preferred_language\\"');
    expect([checked.code, rows.read, rows.rejected]).toEqual([3, 16, 1]);
    const imported = await longshore(
      ...['import', shipped('sugarcrm'), '--source', 'sugar65.sql', '--workspace', 'sandbox', '--json'],
    );
    expect(JSON.parse(imported.stdout).rows).toMatchObject({ read: 16, created: 13, folded: 1, rejected: 1 });
  });

  it('takes HubSpot files as HubSpot calls them, and the contacts alone', async () => {
    const { path, longshore } = folderToTypeIn();
    mkdirSync(join(path, 'crm'));
    const named = { contacts: 'all-contacts', companies: 'all-companies' };
    const copy = (name: keyof typeof named) =>
      copyFileSync(
        join(root, 'fixtures/hubspot', `${name}.csv`),
        join(path, 'crm', `hubspot-crm-exports-${named[name]}-2025-07-01.csv`),
      );
    copy('contacts');
    const alone = await longshore('check', shipped('hubspot'), '--source', 'crm', '--json');
    const found = JSON.parse(alone.stdout);
    expect(found.findings.filter(({ verdict }: { verdict: string }) => verdict === 'wrong')).toEqual([]);
    expect(found.rows.pass).toBeGreaterThan(0);
    expect(JSON.stringify(found.findings)).toContain(
      'taken as empty: \\"owner\\", \\"company\\", \\"notes\\"',
    );
    copy('companies');
    const more = await longshore('check', shipped('hubspot'), '--source', 'crm', '--json');
    expect(JSON.stringify(JSON.parse(more.stdout).findings)).toContain(
      'taken as empty: \\"owner\\", \\"notes\\"',
    );
  });
});

it('HubSpot notes are read by the contacts that they name, and of several companies the first', async () => {
  const { path, longshore } = folderToTypeIn();
  const write = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(path, 'crm', `hubspot-crm-exports-${name}-2025-07-01.csv`), `${lines.join('\n')}\n`);
  mkdirSync(join(path, 'crm'));
  const columns = 'Phone Number,Contact owner,Lifecycle Stage,Unsubscribed from all email,Create Date';
  write(
    'all-contacts',
    `Record ID,First Name,Last Name,Email,Associated Company IDs,Associated Company,${columns}`,
    '101,Ada,Marlowe,ada@example.com,9001;9002,Harbour;Nordlicht,,,,,',
    '102,Bo,Carver,bo@example.com,,,,,,,',
  );
  write('all-companies', 'Record ID,Company name,Industry', '9002,Nordlicht,Retail', '9001,Harbour,Food');
  write(
    'all-notes',
    'Record ID,Activity date,Note body,Activity created by,Archived,Associated Contact IDs',
    '5001,2024-05-03 16:20,First,Jane Doe,false,101;102',
    '5002,2024-05-04 16:20,Second,Jane Doe,false,102',
  );
  const args = [shipped('hubspot'), '--source', 'crm', '--workspace', 'sandbox', '--json'];
  const checked = JSON.parse((await longshore('check', ...args)).stdout);
  expect(JSON.stringify(checked)).not.toContain('that is not there');
  expect(checked.rows.tables.named).toMatchObject([
    { table: 'contacts' },
    { table: 'companies', used: 1, unjoined: [{ reason: 'notPicked', rows: 1 }] },
    { table: 'notes', rows: 2, used: 2, people: 2, unjoined: [] },
  ]);
  const imported = await longshore('import', ...args.slice(0, -1));
  expect(imported.stdout).toContain('comments added 3');
});

it('an optional join that lacks its link table leaves behind the rows of its other table', async () => {
  const { path, longshore } = folderToTypeIn();
  mkdirSync(join(path, 'crm'));
  writeFileSync(join(path, 'crm', 'people.csv'), 'id,name,email\n1,Ada,ada@example.com\n');
  writeFileSync(join(path, 'crm', 'notes.csv'), 'id,body\n7,First\n8,Second\n');
  const link = 'via: { table: links, on: { id: person }, to: { note: id } }';
  writeFileSync(
    join(path, 'p.yaml'),
    `pipeline: p
import:
  source:
    format: dump
    path: crm
    table: people
    join: { notes: { table: notes, many: true, optional: true, ${link} } }
  mapping: m.yaml
`,
  );
  writeFileSync(
    join(path, 'm.yaml'),
    'mapping: m\nkey: id\ncontact: { firstName: { from: name }, email: { from: email } }\ncomments: [{ each: notes, key: id, text: "{body}" }]\n',
  );
  const lost = expect.objectContaining({ kind: 'unjoined', n: 2, values: [{ value: 'notes', n: 2 }] });
  for (const command of ['check', 'plan', 'import']) {
    const { stdout } = await longshore(command, 'p.yaml', '--workspace', 'sandbox', '--json');
    expect(JSON.parse(stdout).leftBehind, command).toContainEqual(lost);
  }
});

describe('--source', () => {
  const header = 'Id,Name,Email';

  function pipelineIn(path: string): void {
    const yaml = 'pipeline: p\nimport:\n  source: { format: csv, path: own.csv }\n  mapping: mapping.yaml\n';
    mkdirSync(join(path, 'yaml'));
    writeFileSync(join(path, 'yaml', 'p.yaml'), yaml);
    const mapping = 'mapping: m\nkey: Id\ncontact:\n  firstName: { from: Name }\n  email: { from: Email }\n';
    writeFileSync(join(path, 'yaml', 'mapping.yaml'), mapping);
    writeFileSync(
      join(path, 'yaml', 'own.csv'),
      `${header}\n1,Own,own@example.com\n2,Own,own2@example.com\n`,
    );
  }

  it('is relative to the current folder, stands in the next commands, and resume and retry find it again', async () => {
    const { path, longshore } = folderToTypeIn();
    pipelineIn(path);
    const rows = ['1,Ada,ada@example.com', '2,Bob,bob at example', '3,Cyd,cyd@example.com'];
    writeFileSync(join(path, 'other.csv'), [header, ...rows, ''].join('\n'));
    const named = ['yaml/p.yaml', '--source', 'other.csv'];
    const checked = await longshore('check', ...named);
    expect(checked.code).toBe(3);
    expect(checked.stdout).toContain('check yaml/p.yaml --source other.csv\n');
    expect(checked.stdout).toContain('import yaml/p.yaml --source other.csv --workspace sandbox');

    const first = await longshore('import', ...named, '--workspace', 'sandbox', '--limit', '1');
    expect([first.code, first.stdout]).toEqual([
      0,
      expect.stringContaining('import yaml/p.yaml --source other.csv --workspace sandbox\n'),
    ]);
    const resumed = await longshore('resume', '--json');
    expect([resumed.code, JSON.parse(resumed.stdout).rows]).toEqual([
      3,
      expect.objectContaining({ read: 3, created: 2, rejected: 1 }),
    ]);

    writeFileSync(
      join(path, 'other.csv'),
      [header, rows[0], '2,Bob,bob@example.com', rows[2], ''].join('\n'),
    );
    const retried = await longshore('retry', '--json');
    expect([retried.code, JSON.parse(retried.stdout).rows]).toEqual([
      0,
      expect.objectContaining({ read: 1, created: 1 }),
    ]);
  });

  it('without it, an unfinished run of it is not continued with the file of the pipeline', async () => {
    const { path, longshore } = folderToTypeIn();
    pipelineIn(path);
    writeFileSync(join(path, 'other.csv'), `${header}\n1,Ada,ada@example.com\n2,Bob,bob@example.com\n`);
    await longshore(
      'import',
      'yaml/p.yaml',
      '--source',
      'other.csv',
      '--workspace',
      'sandbox',
      '--limit',
      '1',
    );
    const { code, stderr } = await longshore('import', 'yaml/p.yaml', '--workspace', 'sandbox');
    expect([code, stderr]).toEqual([2, expect.stringContaining('has changed since run')]);
  });

  it('is refused where the pipeline reads a workspace', async () => {
    const { longshore } = folderToTypeIn();
    const { code, stderr } = await longshore('check', shipped('workspace'), '--source', 'x.csv');
    expect([code, stderr]).toEqual([2, expect.stringContaining('reads a workspace')]);
  });
});
