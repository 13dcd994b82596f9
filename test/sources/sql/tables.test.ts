import { describe, expect, test } from 'vitest';
import { createRowLine } from '../../../src/model/row-place.ts';
import { createSqlTableSet } from '../../../src/sources/sql/sql-source.ts';
import { file, folder, never, open, refusal } from '../reading.ts';

const dump = `-- MySQL dump
CREATE DATABASE \`crm\`; USE \`crm\`;
CREATE TABLE \`contacts\` (id int, name text);
CREATE TABLE \`empty\` (id int);
INSERT INTO \`contacts\` VALUES (1,'Ada'),(2,'Bob');
INSERT INTO \`notes\` VALUES ('n1',1),('n2');
INSERT INTO \`contacts\` VALUES (3,'Cleo');
USE \`old crm\`;
CREATE TABLE \`users\` (id int);
INSERT INTO \`users\` VALUES (7);
INSERT INTO \`crm\`.\`users\` (id, mail) VALUES (8,'x');
-- Dump completed
`;

const tables = (content = dump) =>
  createSqlTableSet({}, { path: file(content, 'dump.sql'), spoolDir: folder() });

async function rows(set: ReturnType<typeof tables>, table: string, from = 0) {
  const found: unknown[] = [];
  for await (const batch of set.read(table, from, never))
    found.push(
      ...batch.map((item) =>
        item.kind === 'row'
          ? [item.line, ...item.entries().map(([, cell]) => cell)]
          : item.kind === 'broken' && item.problem.code,
      ),
    );
  return found;
}

describe('the tables of a dump', () => {
  test('with their columns and items, by the shortest clear name', async () => {
    const facts = await tables().inspect(never);
    expect(facts.tables).toMatchObject([
      { name: 'contacts', columns: ['id', 'name'], items: 3 },
      { name: 'empty', columns: ['id'], items: 0 },
      { name: 'notes', columns: ['1', '2'], items: 2 },
      { name: 'old crm.users', columns: ['id'], items: 1 },
      { name: 'crm.users', columns: ['id', 'mail'], items: 1 },
    ]);
    expect(facts).toMatchObject({
      bytes: dump.length,
      notes: [expect.stringContaining('the columns of notes')],
    });
  });

  test('each read from an item on, its blocks apart from each other', async () => {
    const set = tables();
    expect(await rows(set, 'contacts')).toEqual([
      [5, '1', 'Ada'],
      [createRowLine(5, 2), '2', 'Bob'],
      [7, '3', 'Cleo'],
    ]);
    expect(await rows(set, 'contacts', 2)).toEqual([[7, '3', 'Cleo']]);
    expect(await rows(set, 'crm.contacts', 3)).toEqual([]);
    expect(await rows(set, 'notes')).toEqual([[6, 'n1', '1'], 'row.ragged']);
    expect(await rows(set, 'empty')).toEqual([]);
    expect(await rows(set, 'old crm.users')).toEqual([[10, '7']]);
    expect(await rows(set, 'crm.users')).toEqual([[11, '8', 'x']]);
  });

  test('several in one reading, each batch of one table', async () => {
    const found: unknown[] = [];
    for await (const { table, items } of tables().readTogether?.(['notes', 'contacts'], never) ?? [])
      found.push([table, items.map(({ line, kind }) => [line, kind])]);
    expect(found).toEqual([
      [
        'contacts',
        [
          [5, 'row'],
          [createRowLine(5, 2), 'row'],
        ],
      ],
      [
        'notes',
        [
          [6, 'row'],
          [createRowLine(6, 2), 'broken'],
        ],
      ],
      ['contacts', [[7, 'row']]],
    ]);
  });

  test('an unknown one, and one that could be two, are refused with the list', async () => {
    for (const name of ['nosuch', 'users']) {
      const error = await refusal(rows(tables(), name));
      expect(error.message).toContain(`has no table "${name}"`);
      expect(error.message).toContain('old crm.users (1 row)');
    }
  });

  test('the fingerprint is of the bytes and the options', async () => {
    const { fingerprint } = await tables().inspect(never);
    expect((await tables().inspect(never)).fingerprint).toBe(fingerprint);
    expect((await tables(`${dump}\n`).inspect(never)).fingerprint).not.toBe(fingerprint);
    const other = createSqlTableSet({ escapes: 'standard' }, { path: file(dump), spoolDir: folder() });
    expect((await other.inspect(never)).fingerprint).not.toBe(fingerprint);
  });
});

test('the schema of PostgreSQL is no part of a name, unless two are alike', async () => {
  const content = `-- PostgreSQL database dump
SET search_path = sales, pg_catalog;
CREATE TABLE a (x int);
SELECT pg_catalog.set_config('search_path', '', false);
CREATE TABLE public.b (x int);
CREATE TABLE crm.b (x int);
COPY public.b (x) FROM stdin;
1
\\.
INSERT INTO b VALUES (2);
-- PostgreSQL database dump complete
`;
  const { tables: found, notes } = await tables(content).inspect(never);
  expect(found.map(({ name, items }) => [name, items])).toEqual([
    ['a', 0],
    ['b', 2],
    ['crm.b', 0],
  ]);
  expect(notes).toEqual([]);
});

test('databases of one cluster do not mix', async () => {
  const content = `--
-- PostgreSQL database cluster dump
--

\\connect crm
CREATE TABLE public.a (x int);
INSERT INTO public.a VALUES (1);
\\connect -reuse-previous=on "dbname='old crm'"
CREATE TABLE public.a (x int);
INSERT INTO public.a VALUES (2);
INSERT INTO public.c (y) VALUES (2);
--
-- PostgreSQL database cluster dump complete
--
`;
  const set = tables(content);
  expect((await set.inspect(never)).tables.map(({ name }) => name)).toEqual(['crm.a', 'old crm.a', 'c']);
  expect(await rows(set, 'old crm.a')).toEqual([[10, '2']]);
});

test('the only table needs no name; a table of a dump is fingerprinted with its name', async () => {
  const path = file(dump.slice(0, dump.indexOf('CREATE TABLE `empty`')), 'dump.sql');
  const source = open(path, {}, 'sql');
  const facts = await source.inspect(never);
  expect(facts.columns).toEqual(['id', 'name']);
  expect((await open(path, { table: 'contacts' }, 'sql').inspect(never)).fingerprint).not.toBe(
    facts.fingerprint,
  );
});
