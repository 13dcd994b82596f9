import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listLineDifferences } from '../../src/studio/page/mapping/line-differences.ts';

it('names the lines that two texts do not share, each where it is', () => {
  const before = 'mapping: people\nkey: ID\ncontact:\n  email: { from: Email }\ntags: { from: Kind }\n';
  const after = 'mapping: folk\nkey: ID\ncontact:\n  email: { from: Mail }\n  phone: { from: Phone }\n';
  expect(listLineDifferences(before, after)).toEqual([
    { line: 1, before: ['mapping: people'], after: ['mapping: folk'] },
    {
      line: 4,
      before: ['  email: { from: Email }', 'tags: { from: Kind }'],
      after: ['  email: { from: Mail }', '  phone: { from: Phone }'],
    },
  ]);
  expect(listLineDifferences(before, before)).toEqual([]);
  expect(listLineDifferences('a\nb', 'a\nx\nb')).toEqual([{ line: 2, before: [], after: ['x'] }]);
});

it('turns the first text into the second one, whatever they are', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = before.split('\n');
      for (const { line, before: gone, after: added } of listLineDifferences(before, after).toReversed())
        expect(lines.splice(line - 1, gone.length, ...added)).toEqual(gone);
      expect(lines.join('\n')).toBe(after);
    }),
  );
});

it('takes texts that are too long to be compared line by line as one difference', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`).join('\n');
  const found = listLineDifferences(`same\n${long('a')}\nend`, `same\n${long('b')}\nend`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject({ line: 2, before: { length: 3_000 }, after: { length: 3_000 } });
});
