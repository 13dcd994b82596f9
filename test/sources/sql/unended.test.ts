import { describe, expect, test } from 'vitest';
import { file, never, open } from '../reading.ts';

const start =
  '-- MySQL dump 10.13\n\nCREATE TABLE `people` (`id` int);\nINSERT INTO `people` VALUES (1),(2);\n';
const end = '-- Dump completed on 2026-10-01\n';
const warning = 'mysqldump: [Warning] Using a password can be insecure.\n';

const ends: readonly (readonly [name: string, dump: string, says: string])[] = [
  ['without its closing line', start, 'The dump does not end with "-- Dump completed"'],
  ['with an unfinished statement after it', `${start}${end}${warning}`, 'The dump has lines after its end'],
  ['with a statement after it', `${start}${end}DROP TABLE x;\n`, 'The dump has lines after its end'],
];

async function facts(dump: string, options: object, format = 'sql') {
  return await open(file(dump, 'dump.sql'), { table: 'people', ...options }, format).inspect(never);
}

describe.each(ends)('a dump %s', (_, dump, says) => {
  test('breaks off, which names the key that accepts it', async () => {
    const { truncated, unended, notes } = await facts(dump, {});
    expect(truncated).toContain(says);
    expect(truncated).toContain('"unended: accept"');
    expect(unended).toBeUndefined();
    expect(notes).toEqual([]);
  });

  test.each(['sql', 'dump'])('is read under unended: accept, and says so (format: %s)', async (format) => {
    const { truncated, unended, items, notes } = await facts(dump, { unended: 'accept' }, format);
    expect(truncated).toBeUndefined();
    expect(unended).toContain(says);
    expect(notes).toContain(unended);
    expect(items).toBe(2);
  });
});

test.each([
  ['in a tuple', `${start}INSERT INTO people VALUES (3`],
  ['in a statement', `${start}CREATE TABLE others (id int`],
  ['in a string that swallows its end', `${start}INSERT INTO people VALUES ('3);\n${end}`],
])('a dump that breaks off %s does so whatever is accepted', async (_, dump) => {
  const { truncated, unended } = await facts(dump, { unended: 'accept' });
  expect(truncated).toContain('cut off');
  expect(unended).toBeUndefined();
});

test('a dump that ends as it should says nothing under unended: accept', async () => {
  const found = await facts(start + end, { unended: 'accept' });
  expect(found).toMatchObject({ notes: [], truncated: undefined, unended: undefined });
});
