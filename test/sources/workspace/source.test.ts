import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceItem } from '../../../src/model/row.ts';
import { folder, itemsFrom, never, readingOf, refusal } from '../reading.ts';
import { PagedWorkspace } from './live.ts';

function ids(items: readonly SourceItem[]): readonly unknown[] {
  return items.map((item) => (item.kind === 'row' ? item.cell('id') : item.kind));
}

const range = (count: number, from = 1): number[] => Array.from({ length: count }, (_, n) => from + n);

describe('a live workspace as a source', () => {
  test('is copied once and read as often as one likes, from any row on', async () => {
    const workspace = new PagedWorkspace(range(300), range(300, 301));
    const source = workspace.source(folder());
    const { facts, rows } = await readingOf(source);
    expect(rows.map((row) => [row.line, row.cell('id')])).toEqual(range(600).map((n) => [n, String(n)]));
    expect(facts.notes).toEqual(['Copied 600 contacts of https://old.example.com/v1.']);
    expect(ids(await itemsFrom(source, 599))).toEqual(['600']);
    expect(await itemsFrom(source, 600)).toEqual([]);
    for await (const batch of source.read(0, never)) expect(batch.length).toBeLessThanOrEqual(256);
    expect(workspace.asked).toEqual(['open', 'page 0', 'page 1', 'close']);
  });

  test('has every column from the start, and a contact that was met twice once', async () => {
    const workspace = new PagedWorkspace([1, 2], [2, 3], [1]);
    const { facts, rows } = await readingOf(workspace.source(folder()));
    expect(ids(rows)).toEqual(['1', '2', '3']);
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(facts.columns).toEqual(
      expect.arrayContaining(['id', 'assignee.email', 'customFields.Plan', 'tags', 'created']),
    );
    expect(facts.lists).toEqual([]);
    expect(rows[0]?.list?.('messages')).toBeUndefined();
  });

  test('gives messages as a list, and only where they are asked for', async () => {
    const workspace = new PagedWorkspace([1], [2], [3], [4], [5], [6]);
    const { facts, rows } = await readingOf(workspace.source(folder(), { messages: true }));
    expect(ids(rows)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(rows.map((row) => row.list?.('messages')?.map((listed) => listed.cell('text')))).toEqual(
      range(6).map((id) => [`Hello from ${id}`]),
    );
    expect(facts.lists).toMatchObject([{ name: 'messages' }]);
    expect(rows[0]?.entries().map(([column]) => column)).not.toContain('messages');
  });

  test('a copying that broke off goes on at its page, and nothing is read twice', async () => {
    const workspace = new PagedWorkspace([1, 2], [3, 4], [5]);
    workspace.breaksAt = 2;
    const spool = folder();
    await expect(workspace.source(spool).inspect(never)).rejects.toThrow('the line is cut');
    expect(workspace.asked.at(-1)).toBe('close');
    workspace.breaksAt = undefined;
    workspace.asked.length = 0;
    // What is copied stays as it was when it was copied.
    workspace.pages = [[], [], workspace.pages[2] ?? []];
    const { facts, rows } = await readingOf(workspace.source(spool));
    expect(ids(rows)).toEqual(['1', '2', '3', '4', '5']);
    expect(workspace.asked.filter((each) => each.startsWith('page'))).toEqual(['page 2']);
    const whole = await new PagedWorkspace([1, 2], [3, 4], [5]).source(folder()).inspect(never);
    expect(facts.fingerprint).toBe(whole.fingerprint);
  });

  test('a copying that broke off at messages leaves nobody out of the pages that were read ahead', async () => {
    const workspace = new PagedWorkspace([1], [2], [3], [4], [5], [6]);
    workspace.breaksAtMessagesOf = 2;
    const spool = folder();
    await expect(workspace.source(spool, { messages: true }).inspect(never)).rejects.toThrow(
      'the line is cut',
    );
    workspace.breaksAtMessagesOf = undefined;
    workspace.asked.length = 0;
    const { rows } = await readingOf(workspace.source(spool, { messages: true }));
    expect(ids(rows)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(workspace.asked).not.toContain('messages 1');
  });

  test('a whole copy is read again by a source that keeps it, and taken again by one that does not', async () => {
    const workspace = new PagedWorkspace([1, 2]);
    const spool = folder();
    const first = await workspace.source(spool).inspect(never);
    workspace.pages = new PagedWorkspace([1, 2, 3]).pages;
    const again = await workspace.source(spool).inspect(never);
    expect(again).toMatchObject({ fingerprint: first.fingerprint, items: 2 });
    expect(again.notes.join()).toContain('that copy is read');
    workspace.keeps = () => false;
    expect(await workspace.source(spool).inspect(never)).toMatchObject({ items: 3 });
    expect(workspace.asked.filter((each) => each === 'open')).toHaveLength(2);
  });

  test('leaves one private file, and a file that is none of its copies is replaced', async () => {
    const spool = folder();
    await new PagedWorkspace([1]).source(spool).inspect(never);
    const [name = '', ...others] = readdirSync(spool);
    expect(others).toEqual([]);
    expect(statSync(join(spool, name)).mode & 0o777).toBe(0o600);
    writeFileSync(join(spool, name), 'no database');
    expect(await new PagedWorkspace([1, 2]).source(spool).inspect(never)).toMatchObject({ items: 2 });
  });

  test('one without contacts is refused and not kept', async () => {
    const spool = folder();
    const error = await refusal(new PagedWorkspace([]).source(spool).inspect(never));
    expect(error.message).toContain('https://old.example.com/v1 has no contact');
    expect(readdirSync(spool)).toEqual([]);
  });

  test('a contact that is too large is a broken row', async () => {
    const { broken } = await readingOf(new PagedWorkspace([1]).source(folder(), { maxRowBytes: 256 }));
    expect(broken).toMatchObject([{ line: 1, problem: { code: 'row.tooLarge' } }]);
  });

  test('an abort ends copying and reading with its reason', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const workspace = new PagedWorkspace(range(300), range(300, 301));
    const source = workspace.source(folder());
    await source.inspect(stop.signal);
    await expect(async () => {
      for await (const batch of source.read(0, stop.signal)) if (batch.length > 0) stop.abort(reason);
    }).rejects.toBe(reason);
    await expect(source.inspect(stop.signal)).rejects.toBe(reason);
    await expect(workspace.source(folder()).inspect(stop.signal)).rejects.toBe(reason);
  });
});
