import { expect, test, vi } from 'vitest';
import { textColumn } from '../../src/storage/columns.ts';
import {
  hasRow,
  insertRow,
  replaceRow,
  runSql,
  select,
  selectCount,
  selectOne,
  toJsonOrNull,
} from '../../src/storage/sql.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';

function people() {
  const file = openSqlite(':memory:');
  file.exec('CREATE TABLE person (number INTEGER PRIMARY KEY, name TEXT UNIQUE, more TEXT)');
  return file;
}

test('values in the text of a query are bound, whatever they hold', () => {
  const file = people();
  const name = "O'Brien'; DROP TABLE person; --";
  expect(insertRow(file, 'person', { name, more: toJsonOrNull({ a: 1 }) })).toBe(1);
  expect(selectOne(file, { more: textColumn })`SELECT more FROM person WHERE name = ${name}`?.more).toBe(
    '{"a":1}',
  );
  expect(selectCount(file)`SELECT count(*) AS n FROM person WHERE name = ${name} AND number > ${0}`).toBe(1);
});

test('a row is added once, and put in the place of the one with its key', () => {
  const file = people();
  insertRow(file, 'person', { name: 'Ada', more: null });
  expect(() => insertRow(file, 'person', { name: 'Ada', more: 'again' })).toThrow(/UNIQUE/);
  replaceRow(file, 'person', { name: 'Ada', more: 'again' });
  runSql(file)`UPDATE person SET more = ${'at last'} WHERE name = ${'Ada'}`;
  expect(select(file, { name: textColumn, more: textColumn })`SELECT name, more FROM person`).toEqual([
    { name: 'Ada', more: 'at last' },
  ]);
});

test('a statement is prepared once for each file, however often it is asked', () => {
  const files = [people(), people()];
  const prepare = files.map((file) => vi.spyOn(file, 'prepare'));
  for (const name of ['Ada', 'Bob', 'Cy'])
    for (const file of files) {
      replaceRow(file, 'person', { name, more: null });
      runSql(file)`UPDATE person SET more = ${name} WHERE name = ${name}`;
      expect(selectOne(file, { more: textColumn })`SELECT more FROM person WHERE name = ${name}`).toEqual({
        more: name,
      });
    }
  for (const spy of prepare) expect(spy).toHaveBeenCalledTimes(3);
});

test('nothing is null as JSON', () => {
  expect([toJsonOrNull(null), toJsonOrNull(undefined), toJsonOrNull([])]).toEqual([null, null, '[]']);
});

test('a query without rows has none', () => {
  const file = people();
  expect(selectOne(file, { name: textColumn })`SELECT name FROM person`).toBeUndefined();
  expect(hasRow(file)`SELECT 1 FROM person`).toBe(false);
  insertRow(file, 'person', { name: 'Ada' });
  expect(hasRow(file)`SELECT 1 FROM person WHERE number = ${1}`).toBe(true);
});
