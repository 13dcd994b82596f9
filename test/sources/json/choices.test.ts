import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { reading } from '../reading.ts';

const record = { id: 1, name: 'cut \ud83d', given: { id: 1, 'a.b': [{ c: 2 }], note: 'cut \ude00' } };
const line = `${JSON.stringify(record)}\n`;

test.each(['ndjson', 'json'])('properties that are left out of %s are no columns', async (format) => {
  const sound = `[${JSON.stringify({ ...record, name: 'x' })}]`.replace(
    /^\[|\]$/g,
    format === 'json' ? '$&' : '',
  );
  const { facts, cells } = await reading(sound, { without: ['given', 'nosuch'] }, format);
  expect(facts.columns).toEqual(['id', 'name']);
  expect(cells).toEqual([['1', 'x']]);
});

test('half a character is a broken row, or becomes a replacement character', async () => {
  const { rows, broken } = await reading(line, {}, 'ndjson');
  expect(rows).toEqual([]);
  expect(broken).toMatchObject([{ problem: { code: 'row.encoding' } }]);
  const replaced = await reading(line, { loneSurrogates: 'replace' }, 'ndjson');
  expect(replaced.broken).toEqual([]);
  expect(replaced.rows[0]?.cell('name')).toBe('cut \ufffd');
  expect(replaced.rows[0]?.cell('given.note')).toBe('cut \ufffd');
});

test('the fingerprint of an input is the one that earlier versions stored', async () => {
  const { facts } = await reading(line, { loneSurrogates: 'replace' }, 'ndjson');
  const settings = '["ndjson",{"nulls":[],"without":[],"halfSigns":"replace","maxRowBytes":1048576}]\n';
  expect(facts.fingerprint).toBe(createHash('sha256').update(settings).update(line).digest('hex'));
});

test('what is left out breaks nothing', async () => {
  const sound = `${JSON.stringify({ ...record, name: 'x' })}\n`;
  expect((await reading(sound, { without: ['given'] }, 'ndjson')).cells).toEqual([['1', 'x']]);
  expect((await reading(sound, {}, 'ndjson')).broken).toHaveLength(1);
});
