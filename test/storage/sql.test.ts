import { expect, test, vi } from 'vitest';
import { text } from '../../src/storage/columns.ts';
import { change, exists, insert, json, put, select, selectCount, selectOne } from '../../src/storage/sql.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';

function people() {
  const file = openSqlite(':memory:');
  file.exec('CREATE TABLE person (number INTEGER PRIMARY KEY, name TEXT UNIQUE, more TEXT)');
  return file;
}

test('values in the text of a query are bound, whatever they hold', () => {
  const file = people();
  const name = "O'Brien'; DROP TABLE person; --";
  expect(insert(file, 'person', { name, more: json({ a: 1 }) })).toBe(1);
  expect(selectOne(file, { more: text })`SELECT more FROM person WHERE name = ${name}`?.more).toBe('{"a":1}');
  expect(selectCount(file)`SELECT count(*) AS n FROM person WHERE name = ${name} AND number > ${0}`).toBe(1);
});

test('a row is added once, and put in the place of the one with its key', () => {
  const file = people();
  insert(file, 'person', { name: 'Ada', more: null });
  expect(() => insert(file, 'person', { name: 'Ada', more: 'again' })).toThrow(/UNIQUE/);
  put(file, 'person', { name: 'Ada', more: 'again' });
  change(file)`UPDATE person SET more = ${'at last'} WHERE name = ${'Ada'}`;
  expect(select(file, { name: text, more: text })`SELECT name, more FROM person`).toEqual([
    { name: 'Ada', more: 'at last' },
  ]);
});

test('a statement is prepared once for each file, however often it is asked', () => {
  const files = [people(), people()];
  const prepare = files.map((file) => vi.spyOn(file, 'prepare'));
  for (const name of ['Ada', 'Bob', 'Cy'])
    for (const file of files) {
      put(file, 'person', { name, more: null });
      change(file)`UPDATE person SET more = ${name} WHERE name = ${name}`;
      expect(selectOne(file, { more: text })`SELECT more FROM person WHERE name = ${name}`).toEqual({
        more: name,
      });
    }
  for (const spy of prepare) expect(spy).toHaveBeenCalledTimes(3);
});

test('nothing is null as JSON', () => {
  expect([json(null), json(undefined), json([])]).toEqual([null, null, '[]']);
});

test('a query without rows has none', () => {
  const file = people();
  expect(selectOne(file, { name: text })`SELECT name FROM person`).toBeUndefined();
  expect(exists(file)`SELECT 1 FROM person`).toBe(false);
  insert(file, 'person', { name: 'Ada' });
  expect(exists(file)`SELECT 1 FROM person WHERE number = ${1}`).toBe(true);
});
