import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, describe, expect, test } from 'vitest';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { usualInvocation } from '../../invocation.ts';
import { asItIs, JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

function journal(items: number): JournalOfARun {
  const made = new JournalOfARun(items);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

async function written(of: JournalOfARun): Promise<Record<string, string>[]> {
  const { summary } = await writeRunFiles({
    invocation: usualInvocation,
    file: of.file,
    run: of.run,
    runDir: of.runDir,
    scrub: asItIs,
  });
  const path = join(of.runDir, 'contacts.csv');
  expect(summary.files.contacts).toBe(existsSync(path) ? path : undefined);
  if (summary.files.contacts === undefined) return [];
  return parse<Record<string, string>>(readFileSync(path, 'utf8'), { columns: true });
}

describe('contacts.csv', () => {
  test('lists every row that came to a contact, in the input’s order, and no other', async () => {
    const run = journal(9);
    const ada = { contact: 7, identifier: 'email:ada@example.com' };
    run.finish(1, 'folded', { key: 'a1', ...ada });
    run.finish(2, 'updated', { key: 'a2', ...ada });
    run.finish(0, 'created', { identifier: 'phone:+60123456789' });
    run.finish(3, 'skipped', { key: 'b', contact: 9 });
    run.finish(4, 'skipped', { key: 'c' });
    run.finish(5, 'rejected', { key: 'd' });
    run.finish(6, 'rejected', { key: 'e', contact: 11 });
    run.finish(7, 'failed', { key: 'f' });
    run.finish(8, 'filtered');
    run.end('finished', 3);
    const known = { _key: 'a1', contactId: '7', identifier: 'email:ada@example.com' };
    expect(await written(run)).toEqual([
      { _line: '2', _key: '', contactId: '', identifier: 'phone:+60123456789', outcome: 'created' },
      { ...known, _line: '3', outcome: 'folded' },
      { ...known, _line: '4', _key: 'a2', outcome: 'updated' },
      { _line: '5', _key: 'b', contactId: '9', identifier: '', outcome: 'skipped' },
      { _line: '8', _key: 'e', contactId: '11', identifier: '', outcome: 'rejected' },
    ]);
  });

  test('names the contact of a created row whose id was learnt later, by the key or else by the identifier', async () => {
    const run = journal(3);
    run.finish(0, 'created', { key: 'a', identifier: 'email:ada@example.com' });
    run.finish(1, 'created', { identifier: 'email:bob@example.com' });
    run.finish(2, 'failed', { key: 'c', identifier: 'email:cyd@example.com' });
    run.knows('key:a', { contact: 21 });
    run.knows('email:bob@example.com', { contact: 22 });
    run.knows('key:c', { contact: null });
    run.end('finished', 3);
    expect((await written(run)).map(({ contactId, outcome }) => [contactId, outcome])).toEqual([
      ['21', 'created'],
      ['22', 'created'],
      ['', 'failed'],
    ]);
  });

  test('is safe for a spreadsheet', async () => {
    const run = journal(1);
    run.finish(0, 'created', { key: '=1+1', identifier: 'email:ada@example.com' });
    run.end('finished', 0);
    expect((await written(run))[0]?._key).toBe("'=1+1");
  });

  test('is not there where no row came to a contact', async () => {
    const run = journal(1);
    run.finish(0, 'rejected', { key: 'a' });
    run.end('finished', 3);
    expect(await written(run)).toEqual([]);
  });

  test('is whole for rows far apart', async () => {
    const run = journal(12_001);
    for (const seq of [0, 4_999, 5_000, 12_000]) run.finish(seq, 'updated', { contact: seq + 1 });
    run.end('stopped', 0);
    expect((await written(run)).map(({ contactId }) => contactId)).toEqual(['1', '5000', '5001', '12001']);
  });
});
