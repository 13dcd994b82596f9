import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answered } from '../app/draft/drafting.ts';
import { workbook } from '../sources/builders/xlsx.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import * as command from './command.ts';
import { main } from './command.ts';
import { run } from './in-process.ts';

const { path: folder, remove } = temporaryFolder();
afterAll(remove);

const csv =
  'Name,E-mail,Phone\nAda Example,ada@example.com,(202) 555-0143\nBob Example,bob@example.com,(202) 555-0144\n';
const mapping = join(folder, 'mappings/people.yaml');
const pipeline = join(folder, 'pipelines/import-people.yaml');

const longshore = (line: string, stdin?: string) =>
  stdin === undefined
    ? run(line.split(' '), {}, undefined, folder)
    : command.run(line.split(' '), {}, stdin, folder);

describe('longshore draft', () => {
  it('writes two files that check refuses until the question is answered, and import takes then', async () => {
    writeFileSync(join(folder, 'people.csv'), csv);
    const ended = await longshore('draft people.csv');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/^csv, .*2 rows/);
    expect(ended.stdout).toMatch(/Phone +100 % +text .*contact\.phone/);
    expect(ended.stdout).toMatch(/mappings\/people\.yaml:\d+: which country .* US \(right for 100 %\)/);
    expect(ended.stdout).toContain(`node ${main} check pipelines/import-people.yaml`);

    const refused = await longshore('check pipelines/import-people.yaml');
    expect(refused.code).toBe(2);
    const line =
      readFileSync(mapping, 'utf8')
        .split('\n')
        .findIndex((each) => each.includes('TODO:')) + 1;
    expect(refused.stderr).toContain(`mappings/people.yaml:${line}:`);
    expect(refused.stderr).toContain('contact.phone.country: still to do: replace "TODO');
    expect((await longshore('import pipelines/import-people.yaml --workspace sandbox')).code).toBe(2);

    writeFileSync(mapping, answered(readFileSync(mapping, 'utf8')));
    expect(await longshore('check pipelines/import-people.yaml')).toMatchObject({ code: 0, stderr: '' });
    const imported = await longshore('import pipelines/import-people.yaml --workspace sandbox --json');
    expect(JSON.parse(imported.stdout)).toMatchObject({ exitCode: 0, rows: { read: 2, created: 2 } });
  });

  it('of two sheets that each number their people from 1: import creates all of them, and a second one finds them', async () => {
    const head = ['ID', 'First Name', 'Last Name', 'Email', 'Mobile', 'Phone'];
    const people = (place: string) => [
      head,
      ...['1', '2', '3'].map((id) => [
        ...[id, `Ada${id}`, id === '2' ? '-' : place, `${place}${id}@example.com`],
        ...[`+49 171 12345${place.length}${id}`, id === '3' ? 'N/A' : `+49 30 9018${place.length}${id}`],
      ]),
    ];
    const cover = [['Export'], ['Contact', 'jane@example.com']];
    const content = workbook({ sheets: { Cover: cover, North: people('North'), South: people('Southern') } });
    writeFileSync(join(folder, 'acme.xlsx'), content);
    expect((await longshore('draft acme.xlsx --key ID')).code).toBe(0);
    const importing = 'import pipelines/import-acme.yaml --workspace sandbox --work-dir sheets --json';
    const first = await longshore(importing);
    expect(JSON.parse(first.stdout)).toMatchObject({ exitCode: 0, rows: { read: 6, created: 6 } });
    const again = await longshore(importing);
    expect(JSON.parse(again.stdout)).toMatchObject({ exitCode: 0, rows: { read: 6, unchanged: 6 } });
  });

  it('writes over nothing unless it is told to, and names what is there', async () => {
    writeFileSync(mapping, 'mine');
    const refused = await longshore('draft people.csv');
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('mappings/people.yaml');
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(mapping, 'utf8')).toBe('mine');
    expect((await longshore('draft people.csv --force')).code).toBe(0);
    expect(readFileSync(mapping, 'utf8')).toContain('mapping: people');
  });

  it('prints both files and writes none, also of standard input', async () => {
    const printed = await longshore('draft - --print', csv);
    expect(printed).toMatchObject({ code: 0, stderr: '' });
    expect(printed.stdout).toContain('mapping: input\n');
    expect(printed.stdout).toContain('pipeline: import-input\n');
    expect(existsSync(join(folder, 'mappings/input.yaml'))).toBe(false);
  });

  it('gives the profile as JSON', async () => {
    const { stdout } = await longshore('draft people.csv --out elsewhere --json');
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'csv',
      rows: 2,
      columns: [
        { name: 'Name', filled: 2, field: 'contact.firstName, contact.lastName' },
        { name: 'E-mail', type: 'email', field: 'contact.email' },
        { name: 'Phone', field: 'contact.phone' },
      ],
      todos: [
        { file: 'elsewhere/mappings/people.yaml', question: expect.stringContaining('identifies a row') },
        { file: 'elsewhere/mappings/people.yaml', line: expect.any(Number) },
      ],
    });
    expect(existsSync(pipeline)).toBe(true);
    expect(existsSync(join(folder, 'elsewhere/pipelines/import-people.yaml'))).toBe(true);
  });

  it('takes what is said beforehand, and asks nothing then', async () => {
    writeFileSync(join(folder, 'said.csv'), `People\n${csv}`);
    const ended = await longshore(
      'draft said.csv --header 2 --key none --country Germany --delimiter , --json',
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toMatchObject({ options: { header: 2, delimiter: ',' }, todos: [] });
    expect(readFileSync(join(folder, 'mappings/said.yaml'), 'utf8')).toMatch(/key: false.*country: DE/s);
    for (const flag of ['--header first', '--country Narnia', '--sheet A', '--key Nr'])
      expect(await longshore(`draft said.csv --print ${flag}`)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(flag.split(' ', 1)[0] ?? ''),
      });
  });

  it('says what is wrong with an input', async () => {
    writeFileSync(join(folder, 'empty.csv'), '');
    expect(await longshore('draft empty.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is empty'),
    });
    expect(await longshore('draft nowhere.csv')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not exist'),
    });
  });
});
