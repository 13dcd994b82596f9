import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { createSqliteTableSet } from '../../../src/sources/sqlite/sqlite-source.ts';
import { chooseTable } from '../../../src/sources/tables.ts';
import { file, folder, itemsFrom, never, open, readingOf, refusal } from '../reading.ts';

/** A file in a folder of its own, made by these statements. */
function made(sql: string, name = 'crm.sqlite'): string {
  const path = join(folder(), name);
  const database = new Database(path);
  database.exec(sql);
  database.close();
  return path;
}

const read = (path: string, options: object = {}) => readingOf(open(path, options, 'sqlite'));

describe('values', () => {
  test('are text: integers exact, bytes in hexadecimal, the rest as JavaScript writes it', async () => {
    const path = made(
      `CREATE TABLE t (v);
       INSERT INTO t VALUES (9223372036854775807), (-9007199254740993), (0), (1.5), (1e300), (5.0), ('Zoë 🌟'), (''), (NULL),
         (x'00ffab'), (x''), ('a' || char(0) || 'b'), (char(65533));`,
    );
    const { cells, broken } = await read(path);
    expect(broken).toEqual([]);
    expect(cells.map(([cell]) => cell)).toEqual([
      '9223372036854775807',
      '-9007199254740993',
      '0',
      '1.5',
      '1e+300',
      '5',
      'Zoë 🌟',
      '',
      null,
      '0x00ffab',
      '0x',
      'a\0b',
      '\ufffd',
    ]);
  });

  test('that are dates of zeros are null, or what nulls says', async () => {
    const path = made("CREATE TABLE t (a, b); INSERT INTO t VALUES ('0000-00-00', 'none');");
    expect((await read(path)).cells).toEqual([[null, 'none']]);
    expect((await read(path, { nulls: ['none'] })).cells).toEqual([['0000-00-00', null]]);
  });

  test('that are no text are a broken row; U+FFFD in a sound text is none', async () => {
    const path = made(
      `CREATE TABLE t (a TEXT, b TEXT);
       INSERT INTO t VALUES ('Zoë', 'x'), (CAST(x'5a6fc35a' AS TEXT), 'y'), ('Ada', char(65533));`,
    );
    const { cells, broken, rows } = await read(path);
    expect(cells).toEqual([
      ['Zoë', 'x'],
      ['Ada', '\ufffd'],
    ]);
    expect(rows.map(({ line }) => line)).toEqual([1, 3]);
    expect(broken).toMatchObject([{ line: 2, raw: 'Zo\\xC3Z|y', problem: { code: 'row.encoding' } }]);
    expect(broken[0]?.problem.reason).toContain('0xC3');
  });

  test.each(['UTF-16le', 'UTF-16be'])('of a file in %s are the same text', async (encoding) => {
    const path = made(
      `PRAGMA encoding = '${encoding}'; CREATE TABLE t (a); INSERT INTO t VALUES ('Zoë 🌟'), (char(65533));`,
    );
    expect((await read(path)).cells).toEqual([['Zoë 🌟'], ['\ufffd']]);
  });

  test('over the bound are a broken row, and are not fetched', async () => {
    const path = made(
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, zeroblob(300000000)), (3, hex(zeroblob(400))), (4, 'y');",
    );
    const before = process.memoryUsage().rss;
    const { cells, broken } = await read(path, { maxRowBytes: 500 });
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6);
    expect(cells).toEqual([
      ['1', 'x'],
      ['4', 'y'],
    ]);
    expect(broken).toMatchObject([
      {
        line: 2,
        raw: '2|',
        problem: { code: 'row.tooLarge', reason: expect.stringContaining('300000001 bytes') },
      },
      { line: 3, problem: { code: 'row.tooLarge' } },
    ]);
  });
});

describe('tables and views', () => {
  const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 700)`;
  const schema = `
    CREATE TABLE plain (id TEXT PRIMARY KEY, name TEXT GENERATED ALWAYS AS ('n' || id) STORED, "select" TEXT);
    INSERT INTO plain (id) ${many} SELECT i FROM n ORDER BY -i;
    CREATE TABLE "no ""rowid" (b TEXT, a INTEGER, PRIMARY KEY (a DESC, b)) WITHOUT ROWID;
    INSERT INTO "no ""rowid" ${many} SELECT 'b' || i, i / 2 FROM n;
    CREATE INDEX covering ON "no ""rowid" (b, a);
    CREATE TABLE shadowed (rowid, _rowid_, oid);
    INSERT INTO shadowed ${many} SELECT -i, i % 7, CAST(x'ff' AS TEXT) FROM n;
    CREATE TABLE gaps (id INTEGER PRIMARY KEY AUTOINCREMENT);
    INSERT INTO gaps ${many} SELECT (i - 350) * 3 FROM n;
    INSERT INTO gaps VALUES (9223372036854775807), (-9223372036854775808);
    CREATE VIEW heads AS SELECT id, "select" FROM plain WHERE id > 1;
    CREATE VIEW broken AS SELECT * FROM nosuch;
    CREATE VIRTUAL TABLE search USING fts5(body); INSERT INTO search VALUES ('word');`;

  test.each(['plain', 'no "rowid', 'shadowed', 'gaps', 'heads', 'search'])(
    '%s: the same rows in the same order from any item on',
    async (table) => {
      const path = made(schema);
      const source = open(path, { table }, 'sqlite');
      const { items } = await source.inspect(never);
      const plain = (found: Awaited<ReturnType<typeof itemsFrom>>) =>
        found.map((item) =>
          item.kind === 'row'
            ? [item.line, ...item.entries()]
            : [item.line, item.kind === 'broken' && item.raw],
        );
      const all = plain(await itemsFrom(source));
      expect(all).toHaveLength(items);
      expect(all.map(([line]) => line)).toEqual(all.map((_, index) => index + 1));
      for (const from of [1, 255, 256, 257, items - 1, items, items + 5])
        expect(plain(await itemsFrom(open(path, { table }, 'sqlite'), from))).toEqual(all.slice(from));
      for await (const batch of source.read(0, never)) expect(batch.length).toBeLessThanOrEqual(256);
    },
  );

  test('with their columns; the counts are of the tables, and views are said to be there', async () => {
    const set = createSqliteTableSet({}, { path: made(schema), spoolDir: folder() });
    const facts = await set.inspect(never);
    expect(facts.tables).toEqual([
      { name: 'plain', columns: ['id', 'name', 'select'], items: 700 },
      { name: 'no "rowid', columns: ['b', 'a'], items: 700 },
      { name: 'shadowed', columns: ['rowid', '_rowid_', 'oid'], items: 700 },
      { name: 'gaps', columns: ['id'], items: 702 },
      { name: 'search', columns: ['body'], items: 1 },
    ]);
    expect(facts.notes).toEqual([
      expect.stringContaining(
        'It also has views, which are not counted but can be read by name: heads, broken',
      ),
    ]);
    const found: unknown[] = [];
    for await (const batch of set.read('gaps', 700, never))
      found.push(...batch.map((item) => item.kind === 'row' && item.cell('id')));
    expect(found).toEqual(['1050', '9223372036854775807']);
  });

  test.each([
    [{}, 'has several tables: gaps (702 rows), plain (700 rows)'],
    [{ table: 'nosuch' }, 'has no table "nosuch"; it has: gaps (702 rows)'],
    [{ table: 'broken' }, 'has a view broken that cannot be read: no such table: main.nosuch'],
  ])('%j is refused', async (options, words) => {
    const error = await refusal(read(made(schema), options));
    expect(error.reason).toBe('input');
    expect(error.message).toContain(words);
    expect(error.next).toBeTruthy();
  });

  test('the only table needs no name, whatever views there are', async () => {
    const { cells } = await read(
      made('CREATE TABLE t (a); INSERT INTO t VALUES (1); CREATE VIEW v AS SELECT 1;'),
    );
    expect(cells).toEqual([['1']]);
  });
});

describe('an untrusted file', () => {
  test('in the write-ahead mode is read with its log, and nothing is changed or left beside it', async () => {
    const path = join(folder(), 'live.db');
    const writer = new Database(path);
    writer.pragma('journal_mode = WAL');
    writer.exec("CREATE TABLE t (a); INSERT INTO t VALUES ('in the file');");
    writer.pragma('wal_checkpoint(TRUNCATE)');
    writer.exec("INSERT INTO t VALUES ('in the log');");
    // As it lies there when the program that wrote it was killed, or when it was copied while in use.
    const here = join(folder(), 'copied.db');
    copyFileSync(path, here);
    copyFileSync(`${path}-wal`, `${here}-wal`);
    writer.close();
    const files = () =>
      readdirSync(dirname(here)).map((name) => [
        name,
        readFileSync(join(dirname(here), name)).toString('hex'),
      ]);
    const before = files();
    const spoolDir = join(folder(), 'spool');
    const source = open(here, {}, 'sqlite', spoolDir);
    expect((await readingOf(source)).cells).toEqual([['in the file'], ['in the log']]);
    expect((await readingOf(open(here, {}, 'sqlite', spoolDir))).cells).toHaveLength(2);
    expect(files()).toEqual(before);
    const [copy, ...more] = readdirSync(spoolDir);
    expect(more).toEqual([]);
    expect(statSync(join(spoolDir, copy ?? '')).mode & 0o777).toBe(0o600);
  });

  test('in the write-ahead mode without a log is read without one coming up beside it', async () => {
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);');
    expect(readdirSync(dirname(path))).toEqual(['crm.sqlite']);
    expect((await read(path)).cells).toEqual([['1']]);
    expect(readdirSync(dirname(path))).toEqual(['crm.sqlite']);
  });

  test('with the journal of a change that was broken off is read as it was before that change', async () => {
    const path = made('CREATE TABLE t (a); INSERT INTO t VALUES (1);');
    const writer = new Database(path);
    writer.pragma('cache_size = 1');
    writer.exec('BEGIN');
    const insert = writer.prepare('INSERT INTO t VALUES (?)');
    for (let n = 0; n < 2000; n += 1) insert.run('x'.repeat(500));
    const here = join(folder(), 'killed.db');
    copyFileSync(path, here);
    copyFileSync(`${path}-journal`, `${here}-journal`);
    writer.close();
    expect((await read(here)).cells).toEqual([['1']]);
    expect(readdirSync(dirname(here)).sort()).toEqual(['killed.db', 'killed.db-journal']);
  });

  test.skipIf(process.getuid?.() === 0)('in a read-only folder is read', async () => {
    const path = made('CREATE TABLE t (a); INSERT INTO t VALUES (1);');
    chmodSync(dirname(path), 0o500);
    expect((await read(path)).cells).toEqual([['1']]);
    chmodSync(dirname(path), 0o700);
  });

  test('whose log changed since it was inspected is refused', async () => {
    const path = made('PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (1);');
    const writer = new Database(path);
    writer.exec('INSERT INTO t VALUES (2)');
    const source = open(path, {}, 'sqlite');
    await source.inspect(never);
    writer.exec('INSERT INTO t VALUES (3)');
    const error = await refusal(itemsFrom(source));
    writer.close();
    expect(error.message).toContain('changed');
  });
});

describe('refused with what to do', () => {
  const table = `CREATE TABLE t (a, b); CREATE INDEX i ON t (a); INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT i, printf('%0300d', i) FROM n;`;

  test.each([
    ['text', () => Buffer.from('id,name\n1,Ada\n'.repeat(100)), 'is not a SQLite file, or it is encrypted'],
    [
      'an encrypted file',
      () => Buffer.from(Array.from({ length: 8192 }, (_, n) => (n * 7919) % 251)),
      'encrypted',
    ],
    ['a file without tables', () => readFileSync(made('CREATE TABLE t (a); DROP TABLE t;')), 'has no tables'],
    [
      'a file that is cut off',
      () => readFileSync(made(table)).subarray(0, 300_000),
      'is cut off: it has 300000 bytes of at least',
    ],
    ['only its head', () => readFileSync(made(table)).subarray(0, 60), 'is cut off'],
  ])('%s', async (_, content, words) => {
    const path = file(content(), 'x.sqlite');
    const error = await refusal(open(path, {}, 'sqlite').inspect(never));
    expect(error.reason).toBe('input');
    expect(error.message).toContain(words);
    expect(error.place?.file).toBe(path);
    expect(error.next).toBeTruthy();
  });

  test('a page in the middle that is damaged: before anything is read', async () => {
    const bytes = readFileSync(made(table));
    bytes.fill(0xee, 100 * 4096, 101 * 4096);
    const error = await refusal(open(file(bytes, 'x.sqlite'), {}, 'sqlite').inspect(never));
    expect(error.message).toContain('has a table t that cannot be read: it is damaged');
    expect(error.next).toContain('.recover');
  });

  test('a long value in the middle that is damaged: what comes before is there, and it says where', async () => {
    const path = made(
      `CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, printf('%020000d', 2)), (3, 'z');`,
    );
    const bytes = readFileSync(path);
    // The chain of pages of the long value leads out of the file.
    for (let page = 2; page < bytes.length / 4096; page += 1) bytes.writeUInt32BE(0x7fff0000, page * 4096);
    writeFileSync(path, bytes);
    const source = open(path, {}, 'sqlite');
    expect((await source.inspect(never)).items).toBe(3);
    const error = await refusal(itemsFrom(source));
    expect(error.message).toMatch(/cannot be read behind row \d+ of t: it is damaged/);
    expect(error.next).toContain('.recover');
  });
});

test('an input without tables says so, and names none to choose from', () => {
  expect(() => chooseTable('crm.db', [], undefined)).toThrow('crm.db has no tables.');
});
