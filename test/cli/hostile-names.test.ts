import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import type { Ended } from '../end-to-end/command.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { controls, hostileName, hostileText } from './hostile-text.ts';

interface Scene {
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  readonly longshore: (...args: readonly string[]) => Promise<Ended>;
}

async function inFolder(play: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const path = (name: string) => join(folder.path, name);
  try {
    await play({
      path,
      write: (name, text) => writeFileSync(path(name), text),
      longshore: (...args) => run(args, { LONGSHORE_TOKEN: 'a-token-of-this-test' }, undefined, folder.path),
    });
  } finally {
    folder.remove();
  }
}

/** What was printed quotes the name, and holds nothing that a terminal would obey. */
function expectHarmless({ stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>): void {
  const printed = stdout + stderr;
  expect(printed).toContain('EVIL');
  expect(printed).not.toMatch(controls);
  expect(printed).not.toMatch(/^✔ FORGED/m);
}

const people = `"Col ${hostileName}",Email\nx,ada@example.com\n`;
const quoted = JSON.stringify(hostileText);
const mapping = `mapping: m
contact: { firstName: { from: First, default: Unknown }, email: { from: Email } }
`;
const pipeline = (source: string) => `pipeline: p\nimport:\n  source: ${source}\n  mapping: mapping.yaml\n`;

describe.concurrent('what others wrote does not reach the terminal', () => {
  it('names of columns, in the table of a draft, in its JSON and in what it prints', () =>
    inFolder(async ({ write, longshore }) => {
      write('people.csv', people);
      expectHarmless(await longshore('draft', 'people.csv'));
      const json = await longshore('draft', 'people.csv', '--json', '--force');
      expectHarmless(json);
      expect(JSON.parse(json.stdout).columns[0].name).toContain(hostileName);
      expectHarmless(await longshore('draft', 'people.csv', '--print'));
    }));

  it('names of files', () =>
    inFolder(async ({ write, longshore }) => {
      write(`${hostileName}.csv`, people);
      expectHarmless(await longshore('draft', `${hostileName}.csv`));
      expectHarmless(await longshore('check', `${hostileName}.yaml`));
    }));

  it('members of an archive', () =>
    inFolder(async ({ path, write, longshore }) => {
      const zip = new ZipFile();
      for (const n of [1, 2]) zip.addBuffer(Buffer.from(people), `${n}${hostileName}.csv`);
      zip.end();
      await finished(zip.outputStream.pipe(createWriteStream(path('packed.zip'))));
      write('mapping.yaml', mapping);
      write('one.yaml', pipeline('{ format: csv, path: packed.zip }'));
      write('many.yaml', pipeline('{ format: dump, path: packed.zip, table: people }'));
      expectHarmless(await longshore('check', 'one.yaml'));
      expectHarmless(await longshore('check', 'many.yaml'));
    }));

  it('tables of a database', () =>
    inFolder(async ({ path, write, longshore }) => {
      const db = new Database(path('crm.db'));
      const name = hostileText.replaceAll('\0', '');
      for (const n of [1, 2])
        db.exec(`CREATE TABLE "${n}${name}" (a TEXT); INSERT INTO "${n}${name}" VALUES ('x')`);
      db.close();
      write('mapping.yaml', mapping);
      write('p.yaml', pipeline('{ format: sqlite, path: crm.db }'));
      expectHarmless(await longshore('check', 'p.yaml'));
      expectHarmless(await longshore('draft', 'crm.db'));
    }));

  it('keys and values of the YAML files', () =>
    inFolder(async ({ write, longshore }) => {
      write('people.csv', people);
      write('mapping.yaml', `${mapping}${quoted}: 1\n`);
      write('p.yaml', pipeline('{ format: csv, path: people.csv }'));
      expectHarmless(await longshore('check', 'p.yaml'));
      write('p.yaml', `pipeline: ${quoted}\nimport: { source: { format: ${quoted} } }\n`);
      expectHarmless(await longshore('check', 'p.yaml'));
    }));

  it('cells that an example test of a mapping quotes', () =>
    inFolder(async ({ write, longshore }) => {
      write('people.csv', 'First,Email\nAda,ada@example.com\n');
      write(
        'mapping.yaml',
        `${mapping}tests:\n  - row: { First: ${quoted}, Email: ada@example.com }\n    expect: { contact: { firstName: Ada } }\n`,
      );
      write('p.yaml', pipeline('{ format: csv, path: people.csv }'));
      expectHarmless(await longshore('check', 'p.yaml'));
    }));

  it('the names of a run: its pipeline, its files and its log', () =>
    inFolder(async ({ path, write, longshore }) => {
      const name = `${hostileName}.csv`;
      write(name, 'First,Email\nAda,ada@example.com\n');
      write('mapping.yaml', mapping);
      write(
        'p.yaml',
        `pipeline: ${quoted}\nimport:\n  source: { format: csv, path: ${JSON.stringify(name)} }\n  mapping: mapping.yaml\n`,
      );
      const imported = await longshore('import', 'p.yaml', '--workspace', 'sandbox');
      expect(imported.code).toBe(0);
      expectHarmless(imported);
      const json = await longshore('runs', '--json');
      expectHarmless(json);
      const [{ run: id, pipeline: named }] = JSON.parse(json.stdout);
      expect(named).toBe(hostileText);
      expectHarmless(await longshore('runs'));
      const log = readFileSync(path(`.longshore/runs/${id}/log.ndjson`), 'utf8');
      expect(log).toContain('EVIL');
      expect(log).not.toMatch(controls);
      expect(JSON.parse(log.split('\n')[0] ?? '').name).toContain(hostileName);
    }));

  it('what a server says', async () => {
    const server = createServer((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ code: 400, message: hostileText }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const workspace = `http://127.0.0.1:${address.port}/v1`;
    try {
      await inFolder(async ({ write, longshore }) => {
        write('people.csv', 'First,Email\nAda,ada@example.com\n');
        write('mapping.yaml', mapping);
        write('p.yaml', pipeline('{ format: csv, path: people.csv }'));
        write('e.yaml', 'pipeline: e\nexport: { to: out, contacts: { format: csv } }\n');
        expectHarmless(await longshore('check', 'p.yaml', '--online', '--workspace', workspace));
        expectHarmless(await longshore('import', 'p.yaml', '--workspace', workspace));
        expectHarmless(await longshore('export', 'e.yaml', '--workspace', workspace));
      });
    } finally {
      server.close();
    }
  });
});
