import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitComment } from '../../src/steps/comments.ts';

const marked = /^\((\d+)\/(\d+)\) /;
const halfAPair = /\p{Surrogate}/u;
const bare = (parts: readonly string[]) => parts.map((part) => part.replace(marked, ''));
const sizes = (text: string) => splitComment(text).map((part) => part.length);

describe('a comment', () => {
  it.each(['x', ' as it stands,\n with its white space ', 'x'.repeat(1_000)])(
    'that fits is sent whole',
    (text) => {
      expect(splitComment(text)).toEqual([text]);
    },
  );

  it.each(['', ' \n\t '])('of nothing is no comment', (text) => {
    expect(splitComment(text)).toEqual([]);
  });

  it('that fits without the white space around it is sent without', () => {
    expect(splitComment(`${' '.repeat(900)}${'x'.repeat(900)}`)).toEqual(['x'.repeat(900)]);
  });

  it('that is too long is cut between words, and every part is marked', () => {
    const words = `${'word '.repeat(400)}end`;
    const parts = splitComment(words);
    expect(parts.map((part) => part.slice(0, 10))).toEqual(['(1/3) word', '(2/3) word', '(3/3) word']);
    expect(bare(parts).join(' ')).toBe(words);
    // The mark counts: 6 units, then 198 words and the spaces between them.
    expect(sizes(words)[0]).toBe(6 + 198 * 5 + 4);
  });

  it('is cut at the end of a line where that leaves no part half empty', () => {
    const line = 'l'.repeat(600);
    expect(bare(splitComment(`${line}\n${'w '.repeat(400)}`))[0]).toBe(line);
    const short = 's'.repeat(100);
    expect(sizes(`${short}\n${'w '.repeat(800)}`)[0]).toBeGreaterThan(990);
  });

  it('with a word longer than a part is cut in the word', () => {
    expect(sizes('x'.repeat(2_000))).toEqual([1_000, 1_000, 6 + 12]);
    expect(sizes(`See ${'x'.repeat(2_000)}`)).toEqual([1_000, 1_000, 6 + 16]);
    expect(sizes(`See ${'x'.repeat(994)} `.repeat(2))).toEqual([9, 1_000, 9, 1_000]);
  });

  it('with a part that fits to the last unit loses none', () => {
    const text = `${'x'.repeat(994)} ${'y'.repeat(994)}`;
    expect(splitComment(text)).toEqual([`(1/2) ${'x'.repeat(994)}`, `(2/2) ${'y'.repeat(994)}`]);
  });

  it('never tears a pair of surrogates', () => {
    const parts = bare(splitComment(`a${'😀'.repeat(1_000)}`));
    expect(parts.join('')).toBe(`a${'😀'.repeat(1_000)}`);
    for (const part of parts) expect(part).not.toMatch(halfAPair);
  });

  it('never tears a mention', () => {
    for (let before = 970; before < 1_000; before += 1) {
      const text = `${'x'.repeat(before)}{{@user.123456}}${'y'.repeat(500)}`;
      const whole = splitComment(text).filter((part) => part.includes('{{@user.123456}}'));
      expect(whole, `after ${before} units`).toHaveLength(1);
    }
  });

  it('marks as many parts as there are, over ten and over a hundred', () => {
    for (const length of [994 * 9, 994 * 9 + 1, 992 * 100, 300_000]) {
      const parts = splitComment('x'.repeat(length));
      expect(parts.map((part) => marked.exec(part)?.slice(1).map(Number))).toEqual(
        parts.map((_, i) => [i + 1, parts.length]),
      );
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(1_000);
    }
    expect(splitComment('x'.repeat(994 * 9))).toHaveLength(9);
    expect(splitComment('x'.repeat(994 * 9 + 1))).toHaveLength(10);
  });

  it('of whatever text loses nothing but white space at the cuts, in order', () => {
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.lorem({ maxCount: 40 }) },
      { weight: 3, arbitrary: fc.constantFrom(' ', '\n', '\r\n', '  \n\n', '\u00a0', '\t', '(1/2) ') },
      { weight: 2, arbitrary: fc.nat().map((id) => `{{@user.${id}}}`) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_500 }).map((n) => 'x😀'.repeat(n)) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 1_500 }).map((n) => ' '.repeat(n)) },
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const parts = splitComment(text);
        const naked = parts.length === 1 ? parts : bare(parts);
        let at = 0;
        for (const part of naked) {
          expect(part.trim()).not.toBe('');
          while (text.slice(at, at + part.length) !== part) {
            expect(text.charAt(at).trim()).toBe('');
            expect(at).toBeLessThan(text.length);
            at += 1;
          }
          at += part.length;
        }
        expect(text.slice(at).trim()).toBe('');
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(1_000);
          expect(part).not.toMatch(halfAPair);
        }
        const mentions = (from: string) => from.match(/\{\{@user\.\d+\}\}/g) ?? [];
        expect(naked.flatMap(mentions)).toEqual(mentions(text));
      }),
      { numRuns: 300 },
    );
  });
});
