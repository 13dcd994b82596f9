import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { findLastRun, hasJournal, openJournalDatabase, toJournalPath } from '../../src/journal/index.ts';
import { journalMigrations } from '../../src/journal/migrations.ts';
import { openElsewhere } from './another-process.ts';
import { openFile, workDir } from './work-dir.ts';

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('a new journal', () => {
  it('is nobody else’s to read, neither are the files beside it', () => {
    const dir = workDir();
    expect(hasJournal(dir)).toBe(false);
    const file = openFile(dir);
    file.exec("INSERT INTO workspace (place, users, fields) VALUES ('x', '[]', '[]')");
    expect(mode(dir)).toBe('700');
    for (const path of [toJournalPath(dir), `${toJournalPath(dir)}-wal`, `${toJournalPath(dir)}-shm`])
      expect(mode(path), path).toBe('600');
    expect(hasJournal(dir)).toBe(true);
  });

  it('survives power loss: every commit reaches the disk', () => {
    const file = openFile(workDir());
    expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(file.pragma('synchronous', { simple: true })).toBe(2);
  });

  it('is made once where two commands make it at the same moment', async () => {
    const dir = workDir();
    mkdirSync(dir);
    const first = new Database(toJournalPath(dir));
    first.exec('BEGIN IMMEDIATE');
    const second = openElsewhere(dir);
    // It says so right before it looks; a little later it stands before the lock.
    await once(second.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const sql of journalMigrations) first.exec(sql);
    first.pragma(`application_id = ${0x4c534852}`);
    first.pragma(`user_version = ${journalMigrations.length}`);
    first.exec('COMMIT');
    first.close();
    expect(await once(second, 'exit')).toEqual([0, null]);
  });
});

it('a journal is recognised where another command makes it between two reads', () => {
  const dir = workDir();
  mkdirSync(dir);
  const readPragma = Database.prototype.pragma;
  const pragma = vi.spyOn(Database.prototype, 'pragma');
  pragma.mockImplementationOnce(function (this: InstanceType<typeof Database>, ...args) {
    const found: unknown = readPragma.apply(this, args);
    const other = new Database(toJournalPath(dir), { timeout: 0 });
    try {
      other.exec('BEGIN IMMEDIATE; CREATE TABLE made (elsewhere TEXT)');
      readPragma.call(other, `application_id = ${0x4c534852}`);
      readPragma.call(other, `user_version = ${journalMigrations.length}`);
      other.exec('COMMIT');
    } catch (error) {
      // The first command reads in one transaction, so the other one has to wait.
      expect(error).toMatchObject({ code: 'SQLITE_BUSY' });
    }
    other.close();
    return found;
  });
  expect(openFile(dir).pragma('application_id', { simple: true })).toBe(0x4c534852);
  expect(pragma.mock.calls[0]).toEqual(['application_id', { simple: true }]);
  pragma.mockRestore();
});

it('a new journal waits for a command that reads it at the moment of its switch to a write-ahead log', () => {
  const dir = workDir();
  mkdirSync(dir);
  const reader = new Database(toJournalPath(dir));
  for (const sql of journalMigrations) reader.exec(sql);
  reader.pragma(`application_id = ${0x4c534852}`);
  reader.pragma(`user_version = ${journalMigrations.length}`);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM sqlite_master').get();
  const switchToLog = Database.prototype.pragma;
  let attempts = 0;
  const pragma = vi.spyOn(Database.prototype, 'pragma');
  pragma.mockImplementation(function (this: InstanceType<typeof Database>, ...args) {
    if (args[0] === 'journal_mode = WAL' && ++attempts === 2) reader.close();
    const found: unknown = switchToLog.apply(this, args);
    return found;
  });
  const file = openFile(dir);
  pragma.mockRestore();
  expect(attempts).toBe(2);
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
});

describe('a journal that is there', () => {
  it('keeps what it holds, and is closed to others again', () => {
    const dir = workDir();
    const first = openJournalDatabase(dir);
    first.exec("INSERT INTO workspace (place, users, fields) VALUES ('kept', '[]', '[]')");
    first.close();
    chmodSync(toJournalPath(dir), 0o644);
    const again = openFile(dir);
    expect(again.prepare('SELECT place FROM workspace').pluck().get()).toBe('kept');
    expect(mode(toJournalPath(dir))).toBe('600');
  });

  it('of an earlier version calls the steps of a run deferred that were held', () => {
    const dir = workDir();
    mkdirSync(dir);
    const before = new Database(toJournalPath(dir));
    for (const sql of journalMigrations.slice(0, 7)) before.exec(sql);
    before.pragma(`application_id = ${0x4c534852}`);
    before.pragma('user_version = 7');
    before.exec(`INSERT INTO workspace (place, users, fields) VALUES ('kept', '[]', '[]');
INSERT INTO run (id, kind, pipeline, file, workspace, target, mapping, mapping_name, input, input_name, items, selection, full, state, started_at)
VALUES ('R1', 'import', 'p', 'p.yaml', 1, 'sandbox', 'm', 'm', 'i', 'i', 4, '{"kind":"held"}', 0, 'interrupted', 0);`);
    before.close();
    const file = openFile(dir);
    const selection = { kind: 'deferred' } as const;
    const found = findLastRun(file, { pipeline: 'p', kind: 'import', workspace: 1, selection });
    expect(found).toMatchObject({ id: 'R1', selection });
  });

  it.each([
    ['text', (path: string) => writeFileSync(path, 'Record ID,First Name\n1,Ada\n'.repeat(50))],
    [
      'somebody else’s SQLite file',
      (path: string) => {
        const file = new Database(path);
        file.exec('CREATE TABLE songs (name TEXT)');
        file.close();
      },
    ],
    [
      'a SQLite file with another application’s mark',
      (path: string) => {
        const file = new Database(path);
        file.pragma('application_id = 4711');
        file.exec('CREATE TABLE songs (name TEXT)');
        file.close();
      },
    ],
  ])('is left alone where it is %s', (_what, plant) => {
    const dir = workDir();
    mkdirSync(dir);
    plant(toJournalPath(dir));
    const before = readFileSync(toJournalPath(dir));
    expect(() => openJournalDatabase(dir)).toThrow(
      expect.objectContaining({
        reason: 'input',
        message: 'this file is not a journal of Longshore.',
        place: { file: toJournalPath(dir) },
      }),
    );
    expect(readFileSync(toJournalPath(dir)).equals(before)).toBe(true);
  });

  it('is left alone where a newer Longshore wrote it', () => {
    const dir = workDir();
    const file = openJournalDatabase(dir);
    file.pragma('user_version = 99');
    file.close();
    expect(() => openJournalDatabase(dir)).toThrow(
      expect.objectContaining({ reason: 'input', message: expect.stringContaining('version 99') }),
    );
  });

  it('that is a folder is an error that names it, and the folder stays as it was', () => {
    const dir = workDir();
    mkdirSync(toJournalPath(dir), { recursive: true, mode: 0o755 });
    expect(() => openJournalDatabase(dir)).toThrow(
      expect.objectContaining({ reason: 'input', place: { file: toJournalPath(dir) } }),
    );
    expect(mode(toJournalPath(dir))).toBe('755');
  });
});
