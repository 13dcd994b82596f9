import type { FatalError } from '../../model/fatal-error.ts';
import { listed } from '../../model/listed.ts';
import { isBlank, mostDepth } from './raw-record.ts';

const longestKey = 1000;
const mostListed = 10;

interface Level {
  readonly closer: '}' | ']';
  /** The key whose value stands here or comes next; null in an array. */
  key: string | null;
  wantsKey: boolean;
}

/** The error for what is wrong at a place of the text at hand; `{line}` in the words becomes its line. */
export type Refusal = (at: number, what: string, next: string) => FatalError;

/** What is around the arrays of records: finds them by the keys that lead to them. */
export class OuterDocument {
  readonly #path: readonly string[];
  readonly #refusal: Refusal;
  readonly #levels: Level[] = [];
  readonly #arrays = new Set<string>();
  /** The string that is being read, null outside of strings. */
  #string: string | null = null;
  #escaped = false;
  /** The place in the text at hand. */
  #at = 0;
  #begun: '' | '{' | '[' = '';
  #found = false;

  constructor(path: readonly string[], refusal: Refusal) {
    this.#path = path;
    this.#refusal = refusal;
  }

  /** Goes on from a place of the text to just behind the `[` of the next array of records, or to the end. */
  next(text: string, from: number): { readonly at: number; readonly inArray: boolean } {
    for (let at = from; at < text.length; at += 1) {
      this.#at = at;
      const character = text[at] ?? '';
      if (this.#string !== null) this.#inString(character, this.#string);
      else if (!isBlank(character.charCodeAt(0)) && this.#character(character))
        return { at: at + 1, inArray: true };
    }
    this.#at = 0;
    return { at: text.length, inArray: false };
  }

  /** Throws where the document is not whole, or had no array at the path. */
  end(): void {
    if (this.#begun === '') throw this.#fail('has only blanks', 'Export it again, or use another file.');
    if (this.#levels.length > 0 || this.#string !== null) throw this.cutOff();
    if (this.#found) return;
    const arrays = listed([...this.#arrays].map((path) => `"${path}"`));
    const path = this.#path.join('.');
    const what = path === '' ? 'is an object, not an array of records' : `has no array at "${path}"`;
    const next =
      arrays === ''
        ? 'There is no array in it; a single object cannot be read as records.'
        : `Set "at" to the array of records: ${arrays}.`;
    throw this.#fail(what, next);
  }

  cutOff(): FatalError {
    return this.#fail('is cut off in {line}', 'Copy or export it again.');
  }

  #fail(what: string, next: string): FatalError {
    return this.#refusal(this.#at, what, next);
  }

  /** Whether the character opens an array of records. */
  #character(character: string): boolean {
    if (this.#levels.length === 0) this.#atTop(character);
    const level = this.#levels.at(-1);
    switch (character) {
      case '"':
        this.#string = '';
        return false;
      case ',':
        if (level !== undefined) level.wantsKey = level.closer === '}';
        return false;
      case ':':
        if (level !== undefined) level.wantsKey = false;
        return false;
      case '[':
      case '{':
        return this.#open(character);
      case ']':
      case '}':
        if (level?.closer !== character)
          throw this.#fail(
            `is not valid JSON: a stray ${character} in {line}`,
            'Fix it, or export it again.',
          );
        this.#levels.pop();
        return false;
      default:
        return false;
    }
  }

  #atTop(character: string): void {
    if (this.#begun !== '') {
      const lines = this.#begun === '{' && character === '{';
      throw this.#fail(
        lines
          ? 'has one record after the other, not an array'
          : 'has more text in {line}, after the end of its JSON',
        lines ? 'Set "format: ndjson".' : 'Fix it, or export it again.',
      );
    }
    if (character !== '{' && character !== '[')
      throw this.#fail(`is not JSON: it begins with ${JSON.stringify(character)}`, 'Set the right "format".');
    this.#begun = character;
  }

  #open(character: '[' | '{'): boolean {
    const path = this.#levels.flatMap(({ key }) => (key === null ? [] : [key]));
    if (
      character === '[' &&
      path.length === this.#path.length &&
      path.every((key, n) => key === this.#path[n])
    ) {
      this.#found = true;
      return true;
    }
    if (character === '[' && path.length > 0 && this.#arrays.size < mostListed)
      this.#arrays.add(path.join('.'));
    if (this.#levels.length === mostDepth)
      throw this.#fail(
        `is nested more than ${mostDepth} levels deep in {line}`,
        'Export it in a flatter shape.',
      );
    const object = character === '{';
    this.#levels.push({ closer: object ? '}' : ']', key: object ? '' : null, wantsKey: object });
    return false;
  }

  #inString(character: string, string: string): void {
    if (this.#escaped || character === '\\') {
      this.#escaped = !this.#escaped && character === '\\';
    } else if (character === '"') {
      this.#string = null;
      const level = this.#levels.at(-1);
      if (level?.wantsKey === true) level.key = unescaped(string);
      return;
    }
    if (string.length < longestKey) this.#string = string + character;
  }
}

function unescaped(key: string): string {
  try {
    const value: unknown = JSON.parse(`"${key}"`);
    return typeof value === 'string' ? value : key;
  } catch {
    // What is no valid key cannot be meant by a path either.
    return key;
  }
}
