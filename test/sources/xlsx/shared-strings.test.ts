import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { workbook } from '../builders/xlsx.ts';
import { file, folder, itemsFrom, open, readingOf, refusal } from '../reading.ts';

/** A workbook with more texts than are held in memory; each row has one of the first and one of its own. */
function large(last: string): Buffer {
  const rows = Array.from({ length: 9000 }, (_, at) => [`${at} ${'x'.repeat(2000)}`, `first ${at % 300}`]);
  return workbook({ sheets: { A: [['own', 'first'], ...rows, [last, 'last']] } });
}

test('texts that are many are kept in a file that only its owner reads, and found there again', async () => {
  const path = file(large('end'), 'people.xlsx');
  const spoolDir = join(folder(), 'spool');
  const { rows, facts } = await readingOf(open(path, {}, 'xlsx', spoolDir));
  expect(facts.items).toBe(9001);
  expect(rows.every((row, at) => at === 9000 || row.cell('own')?.startsWith(`${at} x`))).toBe(true);
  expect(rows.every((row, at) => at === 9000 || row.cell('first') === `first ${at % 300}`)).toBe(true);
  expect(rows.at(-1)?.entries()).toEqual([
    ['own', 'end'],
    ['first', 'last'],
  ]);
  const kept = readdirSync(spoolDir);
  expect(kept).toHaveLength(1);
  const texts = join(spoolDir, kept[0] ?? '');
  expect(statSync(texts).mode & 0o777).toBe(0o600);
  const { mtimeMs } = statSync(texts);
  const again = await itemsFrom(open(path, {}, 'xlsx', spoolDir), 8999);
  expect(again.map((item) => item.kind === 'row' && item.cell('first'))).toEqual(['first 299', 'last']);
  expect(statSync(texts).mtimeMs).toBe(mtimeMs);
});

test('where the texts break off, nothing is left behind', async () => {
  const spoolDir = join(folder(), 'spool');
  const parts = { 'xl/sharedStrings.xml': `<sst>${`<si><t>${'x'.repeat(1000)}</t></si>`.repeat(20_000)}` };
  const path = file(workbook({ sheets: { A: [['a'], ['1']] }, parts }), 'people.xlsx');
  const error = await refusal(readingOf(open(path, { maxUnpacked: '1GB' }, 'xlsx', spoolDir)));
  expect(error.message).toContain('cannot be read');
  expect(readdirSync(spoolDir)).toEqual([]);
});
