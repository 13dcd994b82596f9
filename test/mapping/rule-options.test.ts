import { describe, expect, test } from 'vitest';
import { compileMapping, parseMapping } from '../../src/mapping/index.ts';
import type { MappingResult } from '../../src/model/draft.ts';
import type { Cell } from '../../src/model/row.ts';
import { rowOf } from './rows.ts';
import { invalid, ruleSamples } from './rule-samples.ts';

const key = { E: 'a@b.co' };

/** Maps a row with one custom field F beside a valid e-mail. */
function mapped(rule: string, cells: Readonly<Record<string, Cell>>): MappingResult {
  const text = `mapping: a\ncontact:\n  email: { from: E }\ncustomFields:\n  F: ${rule}\n`;
  return compileMapping(parseMapping(text, 'm.yaml'))(rowOf({ ...key, ...cells }));
}

/** What F came to: its value, its default, or the codes of what rejects the row. */
function outcome(rule: string, cells: Readonly<Record<string, Cell>>): unknown {
  const result = mapped(rule, cells);
  if (!result.ok) return { rejected: result.problems.map(({ code }) => code) };
  const { values, defaults, dropped } = result.draft;
  return {
    ...(values.customFields.F !== undefined && { value: values.customFields.F }),
    ...(defaults.customFields.F !== undefined && { default: defaults.customFields.F }),
    ...(dropped.length > 0 && { dropped: dropped.map(({ code }) => code) }),
  };
}

describe('a field rule', () => {
  test.each(ruleSamples)('%s', (_option, rule, cells, expected) => {
    expect(outcome(rule, cells)).toEqual(expected);
  });
});

test('a pattern that would block other engines for seconds is answered at once', () => {
  const rule = '{ type: text, from: A, replace: { pattern: "^(x+)+$", with: y } }';
  expect(outcome(rule, { A: `${'x'.repeat(50_000)}!` })).toEqual({ value: `${'x'.repeat(50_000)}!` });
});

test('a problem names the column that was read', () => {
  const result = mapped('{ type: number, from: [A, B] }', { A: '', B: 'x' });
  expect(result).toMatchObject({
    ok: false,
    key: null,
    problems: [{ code: invalid, column: 'B', reason: expect.stringContaining('"x" is not a number') }],
  });
});
