import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compactDatabase, openSqlite } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a database is compacted by a copy in a file and not in memory, also where its temporary tables are in memory', () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, 'some.db');
  const file = openSqlite(path);
  onTestFinished(() => void file.close());
  file.pragma('journal_mode = WAL');
  file.exec('CREATE TABLE kept (text TEXT); CREATE TABLE gone (text TEXT)');
  file.exec(`INSERT INTO gone VALUES ('${'x'.repeat(100_000)}'); DROP TABLE gone`);
  file.pragma('wal_checkpoint(TRUNCATE)');
  const before = statSync(path).size;
  file.pragma('temp_store = MEMORY');
  compactDatabase(file);
  expect(file.pragma('temp_store', { simple: true })).toBe(1);
  expect(statSync(path).size).toBeLessThan(before);
});
