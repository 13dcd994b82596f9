import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { parseContact } from '../../../src/app/export/records/records.ts';
import { StagedExport } from '../../../src/app/export/staging/staging.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const pages = 200;

/** A new staging file with one contact, whose messages are to be read. */
function stageContact() {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, 'staging.db');
  const staging = StagedExport.create(path);
  const page = { next: null, syncOf: () => ({ known: 0, floor: 0 }), reads: true };
  staging.addContacts([{ value: parseContact({ id: 1 }), given: { id: 1 } }], page);
  const [reader] = staging.toRead(0, 1);
  if (reader === undefined) throw new Error('no contact to read');
  return { path, staging, reader };
}

it('commits pages of messages together, and never a page without its cursor', () => {
  const { path, staging, reader } = stageContact();
  // What a kill would leave: whatever another connection sees.
  const left = openSqlite(path, { readonly: true });
  const stands = left.prepare(
    'SELECT count(*) AS messages, (SELECT cursor FROM contact) AS cursor FROM message',
  );
  const seen = new Set<string>();
  for (let n = 1; n <= pages; n += 1) {
    staging.addMessages(reader, [{ id: n, at: null, updated: false, given: '{}' }], String(n));
    seen.add(JSON.stringify(stands.get()));
  }
  const commits = [...seen].map((text) => JSON.parse(text));
  expect(commits.length).toBeLessThan(5);
  for (const { messages, cursor } of commits) expect(messages).toBe(Number(cursor));
  staging.settle();
  expect(stands.get()).toEqual({ messages: pages, cursor: String(pages) });
  staging.close();
  left.close();
});

it('takes nothing more after a commit that failed: what was read before it would be missing', () => {
  const { staging, reader } = stageContact();
  const message = { id: 1, at: null, updated: false, given: '{}' };
  staging.addMessages(reader, [message], null);
  const full = vi.spyOn(staging.db, 'exec').mockImplementationOnce(() => {
    // What SQLite does by itself on a full disk.
    staging.db.prepare('ROLLBACK').run();
    throw Object.assign(new Error('database or disk is full'), { name: 'SqliteError', code: 'SQLITE_FULL' });
  });
  expect(() => staging.settle()).toThrow('disk is full');
  full.mockRestore();
  // There is room again, and yet the message is gone.
  expect(() => staging.settle()).toThrow('disk is full');
  expect(() => staging.addMessages(reader, [message], null)).toThrow('disk is full');
  staging.close();
});

it('keeps nothing of a page that could not be written whole, nor of the pages that share its transaction', () => {
  const { path, staging, reader } = stageContact();
  const message = (id: number) => ({ id, at: null, updated: false, given: '{}' });
  staging.addMessages(reader, [message(1)], '1');
  // SQLite refuses the second message, after the first one.
  expect(() => staging.addMessages(reader, [message(2), message(2.5)], '2')).toThrow('datatype mismatch');
  expect(() => staging.settle()).toThrow('datatype mismatch');
  staging.close();
  const left = openSqlite(path, { readonly: true });
  expect(left.prepare('SELECT count(*) AS messages FROM message').get()).toEqual({ messages: 0 });
  expect(left.prepare('SELECT cursor FROM contact').get()).toEqual({ cursor: null });
  left.close();
});
