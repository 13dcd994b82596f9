import type { AnswerFlaw } from '../model/answer.ts';
import type { TransportResponse } from '../model/ports.ts';

/**
 * The most levels of nesting that are kept: more than the interface has, and few enough for recursive
 * functions.
 */
const deepest = 100;

/** The parsed JSON of an answer, and the defects of its items. */
export interface DecodedAnswer {
  readonly body: unknown;
  readonly flaws: readonly AnswerFlaw[];
}

/**
 * Parses the JSON of an answer; objects and arrays below level 100 become null. Throws a SyntaxError for other text.
 */
export function decodeAnswer({ body: text, damaged }: TransportResponse): DecodedAnswer {
  const body: unknown = JSON.parse(text);
  const cut = isDeep(text) ? cutDeep(body) : [];
  const flaws = cut.map(
    (item): AnswerFlaw => ({ item, reason: `it was nested deeper than ${deepest} levels and cut there` }),
  );
  return { body, flaws: damaged === true ? [...flaws, ...damagedParts(body)] : flaws };
}

/**
 * Returns true for JSON that is nested too deeply, from its text alone, which is much cheaper than walking the value.
 */
function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = findStringEnd(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > deepest) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
    }
  }
  return false;
}

const backslash = 0x5c;

/** Returns the index of the quote that closes the JSON string whose opening quote is at `start`. */
function findStringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

interface Branch {
  readonly value: object;
  readonly depth: number;
  /** The index of the page's item that contains the value; undefined where none does. */
  readonly item: number | undefined;
}

/**
 * Replaces values that are nested too deeply by null, without recursion. Returns the distinct indexes of the items that
 * had such a value, with undefined for a value outside of the items.
 */
function cutDeep(body: unknown): readonly (number | undefined)[] {
  const cut = new Set<number | undefined>();
  const { items } = pageIn(body);
  const open: Branch[] = isObject(body) ? [{ value: body, depth: 1, item: undefined }] : [];
  for (let branch = open.pop(); branch !== undefined; branch = open.pop()) {
    const { value, depth } = branch;
    for (const [key, inner] of Object.entries(value)) {
      if (!isObject(inner)) continue;
      const item = value === items ? Number(key) : branch.item;
      if (depth < deepest) open.push({ value: inner, depth: depth + 1, item });
      else {
        Reflect.set(value, key, null);
        cut.add(item);
      }
    }
  }
  return [...cut];
}

const replacement = '\ufffd';

/**
 * Returns a flaw for each item with a replacement character (U+FFFD), or one for the whole answer where no item has
 * one.
 */
function damagedParts(body: unknown): readonly AnswerFlaw[] {
  const { items } = pageIn(body);
  const found = items.flatMap((item, index) => (JSON.stringify(item).includes(replacement) ? [index] : []));
  const reason = `it was not valid UTF-8: what could not be read is ${replacement}`;
  return (found.length === 0 ? [undefined] : found).map((item) => ({ item, reason }));
}

function pageIn(body: unknown): { readonly items: readonly unknown[] } {
  return isObject(body) && 'items' in body && Array.isArray(body.items)
    ? { items: body.items }
    : { items: [] };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
