import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { sqliteSourceFormat } from '../../../src/sources/sqlite/sqlite-source.ts';
import { executeSqlInChildProcess } from '../../../src/sources/sqlite/view-copy.ts';
import { start } from '../../end-to-end/command.ts';
import { itemsFrom, folder as made, never, open, readingOf } from '../reading.ts';

function database(sql: string): string {
  const path = join(made(), 'crm.sqlite');
  const opened = new Database(path);
  opened.exec(sql);
  opened.close();
  return path;
}

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';
const views: Readonly<Record<string, string>> = {
  'that yields rows for ever': `CREATE VIEW v AS ${endless} SELECT i FROM n`,
  'that computes for ever without a row': `CREATE VIEW v AS ${endless} SELECT count(*) AS i FROM n`,
};

describe.each(Object.entries(views))('a view %s', (_, view) => {
  test('ends when it is told to, in inspect and in read', async () => {
    const path = database(view);
    const stopped = async (step: 'inspect' | 'read') => {
      const stop = new AbortController();
      const reason = new Error('interrupted');
      const spoolDir = join(made(), 'spool');
      // By then the view is being read.
      const waiting = () => stop.abort(reason);
      const source = sqliteSourceFormat.open({ table: 'v' }, { path, spoolDir, waiting });
      const reading =
        step === 'inspect'
          ? source.inspect(stop.signal)
          : source.read(0, stop.signal)[Symbol.asyncIterator]().next();
      await expect(reading).rejects.toBe(reason);
      expect(readdirSync(spoolDir)).toEqual([]);
    };
    await Promise.all([stopped('inspect'), stopped('read')]);
  });
});

test('a view that outgrows the room for its copy says so', async () => {
  const copy = join(made(), 'copy');
  writeFileSync(copy, '');
  const work = {
    file: database('CREATE TABLE t (a)'),
    copy,
    statements: ['CREATE TABLE copy.rows (i)', `INSERT INTO copy.rows ${endless} SELECT i FROM n`],
    mostPages: 100,
  };
  expect(await executeSqlInChildProcess(work, never)).toMatchObject({ code: 'SQLITE_FULL' });
});

test('a view is read in its own order, each value as it is, and once for the same file', async () => {
  const path = database(
    `CREATE TABLE t (n INTEGER, v TEXT, b BLOB);
     INSERT INTO t VALUES (1, '007', x'00ff'), (2, CAST(x'ff' AS TEXT), NULL), (3, 'x', 9007199254740993);
     CREATE VIEW v AS SELECT n, v AS "rowid", b, random() AS r FROM main.t ORDER BY n DESC`,
  );
  const spoolDir = join(made(), 'spool');
  const first = await readingOf(open(path, { table: 'v' }, 'sqlite', spoolDir));
  expect(first.cells.map((cells) => cells.slice(0, 3))).toEqual([
    ['3', 'x', '9007199254740993'],
    ['1', '007', '0x00ff'],
  ]);
  expect(first.broken).toMatchObject([{ line: 2, problem: { code: 'row.encoding' } }]);
  const again = await itemsFrom(open(path, { table: 'v' }, 'sqlite', spoolDir));
  const rows = again.flatMap((item) => (item.kind === 'row' ? [item.entries().map(([, cell]) => cell)] : []));
  expect(rows).toEqual(first.cells);
});

test.skipIf(process.platform !== 'linux')('the process that reads a view dies with the command', async () => {
  const folder = made();
  const files = {
    'mapping.yaml': { mapping: 'm', contact: { firstName: { from: 'i' }, email: { from: 'i' } } },
    'pipeline.yaml': {
      pipeline: 'p',
      import: {
        source: {
          format: 'sqlite',
          path: database(`CREATE VIEW v AS ${endless} SELECT count(*) AS i FROM n`),
          table: 'v',
        },
        mapping: 'mapping.yaml',
      },
    },
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  const args = ['check', join(folder, 'pipeline.yaml'), '--work-dir', join(folder, 'work')];
  const { process: command, ended } = start(args);
  const { pid } = command;
  const children = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const isThere = (child: string) => existsSync(`/proc/${child}`);
  while (children() === '') await turn();
  const child = children();
  command.kill('SIGKILL');
  await ended;
  while (isThere(child)) await turn();
});

const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
