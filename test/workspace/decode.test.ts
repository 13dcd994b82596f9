import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeAnswer } from '../../src/workspace/decode.ts';

const answer = (body: string, damaged = false) => ({ status: 200, retryAfter: undefined, body, damaged });
const nested = (levels: number, key = 'a') =>
  `${`{${JSON.stringify(key)}:`.repeat(levels)}1${'}'.repeat(levels)}`;
const cut = 'it was nested deeper than 100 levels and cut there';

describe('the JSON of an answer', () => {
  it('is given as it is', () => {
    const body = { items: [{ id: 1, note: '[[[{{{"' }], pagination: { next: null } };
    expect(decodeAnswer(answer(JSON.stringify(body)))).toEqual({ body, flaws: [] });
  });

  it('that is none is a SyntaxError', () => {
    expect(() => decodeAnswer(answer('<html>'))).toThrow(SyntaxError);
  });

  it('is not cut at the depth that passes', () => {
    expect(decodeAnswer(answer(nested(100)))).toEqual({ body: JSON.parse(nested(100)), flaws: [] });
  });

  it.each([
    ['objects', nested(101)],
    ['lists', `${'['.repeat(6_000)}1${']'.repeat(6_000)}`],
    ['keys full of brackets', nested(6_000, '}]"')],
  ])('is cut where it is deeper: %s', (_name, text) => {
    const { body, flaws } = decodeAnswer(answer(text));
    expect(flaws).toEqual([{ item: undefined, reason: cut }]);
    expect(JSON.stringify(body)).toContain('null');
  });

  it('is as deep as its objects and lists are, whatever its texts hold', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '[', '}', ']', 'a') });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 4 }), fc.integer({ min: 98, max: 101 }), (texts, levels) => {
        const json = `[${[...texts.map((each) => JSON.stringify(each)), nested(levels, texts.join(''))].join(',')}]`;
        expect(decodeAnswer(answer(json)).flaws).toHaveLength(levels + 1 > 100 ? 1 : 0);
      }),
    );
  });

  it('says which items of a page were cut, each once', () => {
    const deep = `{"x":${nested(500)},"y":${nested(500)}}`;
    const { body, flaws } = decodeAnswer(answer(`{"items":[{"id":1},${deep},{"id":3},${deep}]}`));
    expect(flaws.map(({ item }) => item).sort()).toEqual([1, 3]);
    expect(body).toMatchObject({ items: [{ id: 1 }, { x: { a: {} } }, { id: 3 }, { y: { a: {} } }] });
  });

  it('that was not valid UTF-8 names the items in which something is missing, or else the whole', () => {
    const page = (text: string) => `{"items":[{"id":1},{"id":2,"name":"${text}"}]}`;
    expect(decodeAnswer(answer(page('M\ufffdller'), true)).flaws).toMatchObject([{ item: 1 }]);
    expect(decodeAnswer(answer(page('ok'), true)).flaws).toMatchObject([{ item: undefined }]);
  });
});
