import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { file, folder, never, readingOf, refusal } from '../reading.ts';
import { folderOf, openDump } from './folders.ts';

const files = {
  'contacts.csv': 'id,owner\n1,u1\n2,u2\n',
  'users.csv': 'id,email\nu1,una@example.com\nu2,udo@example.com\n',
  'notes.csv': 'id,parent\nn1,1\nn2,1\n',
  'unread.csv': 'id\n1\n',
};
const owner = { table: 'users', on: { owner: 'id' } };
const notes = { table: 'notes', on: { id: 'parent' }, many: true };

/** The staged files of a spool folder, each with what tells if it is still the same one. */
function staged(spool: string): Readonly<Record<string, number>> {
  const names = readdirSync(spool).filter((name) => name.startsWith('staged-'));
  return Object.fromEntries(names.map((name) => [name, statSync(join(spool, name)).ino]));
}

const emails = async (path: string, spool: string, join: object = { owner }) =>
  (await readingOf(openDump(path, { table: 'contacts', join }, spool))).rows.map((row) =>
    row.cell('owner.email'),
  );

describe('a joined table is staged', () => {
  test('once, for nobody else to read, and only if a join names it', async () => {
    const [path, spool] = [folderOf(files), folder()];
    expect(await emails(path, spool)).toEqual(['una@example.com', 'udo@example.com']);
    const first = staged(spool);
    expect(Object.keys(first)).toHaveLength(1);
    expect(readdirSync(spool)).toEqual(Object.keys(first));
    for (const name of Object.keys(first)) expect(statSync(join(spool, name)).mode & 0o777).toBe(0o600);
    expect(await emails(path, spool)).toEqual(['una@example.com', 'udo@example.com']);
    expect(staged(spool)).toEqual(first);
  });

  test('once for all joins that look it up by the same columns and conditions', async () => {
    const [path, spool] = [folderOf(files), folder()];
    await emails(path, spool, { owner, again: owner });
    expect(Object.keys(staged(spool))).toHaveLength(1);
    await emails(path, spool, {
      owner,
      some: { ...owner, where: { id: 'u1' } },
      other: { ...owner, on: { owner: 'email' } },
    });
    expect(Object.keys(staged(spool))).toHaveLength(3);
  });

  test('again in place of the old one where its file has changed, and others are left', async () => {
    const [path, spool] = [folderOf(files), folder()];
    const both = { owner, notes };
    await emails(path, spool, both);
    const first = staged(spool);
    writeFileSync(join(path, 'users.csv'), 'id,email\nu1,new@example.com\n');
    expect(await emails(path, spool, both)).toEqual(['new@example.com', null]);
    const second = staged(spool);
    expect(Object.keys(second)).toEqual(Object.keys(first));
    expect(Object.keys(first).filter((name) => first[name] === second[name])).toHaveLength(1);
    await emails(path, spool, both);
    expect(staged(spool)).toEqual(second);
  });

  test('again where it is read in another way', async () => {
    const [path, spool] = [folderOf(files), folder()];
    await emails(path, spool);
    const options = { table: 'contacts', join: { owner }, nulls: ['una@example.com'] };
    const { rows } = await readingOf(openDump(path, options, spool));
    expect(rows.map((row) => row.cell('owner.email'))).toEqual([null, 'udo@example.com']);
  });

  test.each([
    ['is cut off', (path: string) => truncateSync(path, 5000)],
    ['is something else', (path: string) => writeFileSync(path, 'no database')],
    ['is empty', (path: string) => truncateSync(path, 0)],
  ])('again where the file there %s', async (_, spoil) => {
    const [path, spool] = [folderOf(files), folder()];
    await emails(path, spool);
    for (const name of Object.keys(staged(spool))) spoil(join(spool, name));
    expect(await emails(path, spool)).toEqual(['una@example.com', 'udo@example.com']);
  });

  test('whole or not at all: what was stopped in the middle leaves nothing that is used', async () => {
    const spool = folder();
    const many = Array.from({ length: 2000 }, (_, n) => `n${n},1`).join('\n');
    const path = folderOf({ ...files, 'notes.csv': `id,parent\n${many}\n` });
    const stop = new AbortController();
    // What a process that was killed has left behind.
    writeFileSync(join(spool, '999999999-1.part'), 'rest');
    const source = openDump(path, { table: 'contacts', join: { notes } }, spool);
    const stopping = source.inspect(stop.signal);
    const watch = setInterval(() => {
      if (readdirSync(spool).some((name) => /^\d+-\d+\.part$/.test(name) && !name.startsWith('999')))
        stop.abort(new Error('stopped'));
    }, 0);
    try {
      await stopping.catch(() => undefined);
    } finally {
      clearInterval(watch);
    }
    expect(readdirSync(spool).filter((name) => name.endsWith('.part'))).toEqual([]);
    const { rows } = await readingOf(openDump(path, { table: 'contacts', join: { notes } }, spool));
    expect(rows.map((row) => row.list?.('notes')?.length)).toEqual([2000, 0]);
  });

  test('with what was found out of it: the notes of a second reading are those of the first', async () => {
    const [path, spool] = [folderOf({ ...files, 'notes.csv': 'id,parent\nn1,1\nx\nn2,1\n' }), folder()];
    const join = { note: { ...notes, many: false } };
    const facts = () => openDump(path, { table: 'contacts', join }, spool).inspect(never);
    const first = await facts();
    expect(first.notes).toHaveLength(2);
    expect(await facts()).toEqual(first);
  });

  test('out of an archive, a SQL dump and a SQLite file just so', async () => {
    const dump = `-- MySQL dump
CREATE TABLE contacts (id int, owner text);
INSERT INTO contacts VALUES (1,'u1'),(2,'u2');
CREATE TABLE users (id text, email text);
INSERT INTO users VALUES ('u1','una@example.com');
-- Dump completed
`;
    const [path, spool] = [file(dump, 'dump.sql'), folder()];
    expect(await emails(path, spool)).toEqual(['una@example.com', null]);
    const first = staged(spool);
    expect(await emails(path, spool)).toEqual(['una@example.com', null]);
    expect(staged(spool)).toEqual(first);
  });
});

test('a staged file that is lost or spoiled while rows are read is named, with what to do', async () => {
  const [path, spool] = [folderOf(files), folder()];
  const source = openDump(path, { table: 'contacts', join: { owner } }, spool);
  await source.inspect(never);
  for (const name of Object.keys(staged(spool))) {
    const at = join(spool, name);
    const bytes = readFileSync(at);
    // The page of the rows, behind those that tell what the file is.
    writeFileSync(at, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]));
  }
  const error = await refusal(readingOfRows(source));
  expect(error.message).toMatch(/staged-/);
  expect(error.next).toBeTruthy();
});

async function readingOfRows(source: ReturnType<typeof openDump>): Promise<void> {
  for await (const _ of source.read(0, never));
}
