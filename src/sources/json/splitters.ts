import type { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import { exceedsBytes, maxRawTextLength } from '../broken-row.ts';
import { hasUndecodableBytes } from '../encoding/decoding.ts';
import type { TextSplitter } from '../encoding/text-file.ts';
import { SubstringFinder } from '../finder.ts';
import { createInputError } from '../plain-file.ts';
import {
  isJsonWhitespace,
  type JsonRecordProblem,
  JsonRecordScanner,
  maxJsonDepth,
  type RawJsonRecord,
} from './raw-record.ts';

const longestKey = 1000;
const mostListed = 10;

interface Level {
  readonly closer: '}' | ']';
  /** The current key; null in an array. */
  key: string | null;
  wantsKey: boolean;
}

/**
 * Creates the error for a position in the current chunk; replaces `{line}` in `what` with the line of that position.
 */
type ErrorAt = (at: number, what: string, next: string) => FatalError;

/** The last key of a path whose records are the values of an object, and not the elements of an array. */
const anyKey = '*';

/** What holds the records at a position: an array, an object with a record under each key, or nothing yet. */
type Container = 'array' | 'object' | null;

/** Scans a JSON document outside of its arrays or objects of records, which it finds by their path. */
class OuterDocument {
  readonly #path: readonly string[];
  /** The character that opens what holds the records. */
  readonly #opener: '[' | '{';
  readonly #refusal: ErrorAt;
  readonly #levels: Level[] = [];
  readonly #arrays = new Set<string>();
  /** The current string; null outside of strings. */
  #string: string | null = null;
  #escaped = false;
  /** The position in the current chunk. */
  #at = 0;
  #begun: '' | '{' | '[' = '';
  #found = false;

  constructor(path: readonly string[], refusal: ErrorAt) {
    this.#opener = path.at(-1) === anyKey ? '{' : '[';
    this.#path = this.#opener === '{' ? path.slice(0, -1) : path;
    this.#refusal = refusal;
  }

  /** Scans from an index to just after the opening bracket of the next records, or to the end of the chunk. */
  next(text: string, from: number): { readonly at: number; readonly found: Container } {
    for (let at = from; at < text.length; at += 1) {
      this.#at = at;
      const character = text[at] ?? '';
      if (this.#string !== null) this.#inString(character, this.#string);
      else if (!isJsonWhitespace(character.charCodeAt(0)) && this.#character(character))
        return { at: at + 1, found: this.#opener === '{' ? 'object' : 'array' };
    }
    this.#at = 0;
    return { at: text.length, found: null };
  }

  /** Throws if the document is cut off or has no array at the path. */
  end(): void {
    if (this.#begun === '') throw this.#fail('has only blanks', 'Export it again, or use another file.');
    if (this.#levels.length > 0 || this.#string !== null) throw this.cutOff();
    if (this.#found) return;
    const arrays = formatNameList([...this.#arrays].map((path) => `"${path}"`));
    const path = this.#path.join('.');
    const what =
      this.#opener === '{'
        ? `has no object at "${[...this.#path, anyKey].join('.')}"`
        : path === ''
          ? 'is an object, not an array of records'
          : `has no array at "${path}"`;
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

  /** Handles a character; returns true if it opens an array of records. */
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
      character === this.#opener &&
      path.length === this.#path.length &&
      path.every((key, n) => key === this.#path[n])
    ) {
      this.#found = true;
      return true;
    }
    if (character === '[' && path.length > 0 && this.#arrays.size < mostListed)
      this.#arrays.add(path.join('.'));
    if (this.#levels.length === maxJsonDepth)
      throw this.#fail(
        `is nested more than ${maxJsonDepth} levels deep in {line}`,
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
      if (level?.wantsKey === true) level.key = unescapedKey(string);
      return;
    }
    if (string.length < longestKey) this.#string = string + character;
  }
}

function unescapedKey(key: string): string {
  try {
    const value: unknown = JSON.parse(`"${key}"`);
    return typeof value === 'string' ? value : key;
  } catch {
    // No path can name an invalid key, so its text does not matter.
    return key;
  }
}

/** The column with the key of a record in an object of records. */
const keyColumn = '$key';

/** Collects the text of a record up to the size limit. */
export class JsonRecordBuffer {
  readonly #line: number;
  readonly #maxBytes: number;
  #text = '';
  #problem: JsonRecordProblem | null = null;

  constructor(line: number, maxBytes: number) {
    this.#line = line;
    this.#maxBytes = maxBytes;
  }

  add(text: string, suspect: boolean): void {
    if (this.#problem === 'tooLarge') return;
    this.#text += text;
    if (exceedsBytes(this.#text, this.#maxBytes)) {
      this.#problem = 'tooLarge';
      this.#text = this.#text.slice(0, maxRawTextLength);
    } else if (suspect && this.#problem === null && hasUndecodableBytes(text)) {
      this.#problem = 'encoding';
    }
  }

  markTooDeep(): void {
    this.#problem ??= 'tooDeep';
  }

  closed(): RawJsonRecord {
    return { line: this.#line, text: this.#text, problem: this.#problem };
  }

  /** Returns the record with the key under which it is, as its first property. */
  closedUnder(key: string): RawJsonRecord {
    const record = this.closed();
    if (!record.text.startsWith('{')) return record;
    const rest = record.text.slice(1);
    return { ...record, text: `{"${keyColumn}":"${key}"${/^\s*\}/.test(rest) ? '' : ','}${rest}` };
  }
}

/**
 * Splits a JSON document into the elements of the arrays at a path, or into the values of the objects at a path that
 * ends with `*`. Throws a FatalError('input') if the document around
 * them is invalid.
 */
export class JsonArraySplitter implements TextSplitter<RawJsonRecord> {
  readonly #maxBytes: number;
  readonly #outer: OuterDocument;
  readonly #scan = new JsonRecordScanner();
  readonly #file: string;
  readonly #lineEnds = new SubstringFinder('\n');
  #state: 'outside' | 'between' | 'key' | 'colon' | 'record' = 'outside';
  #container: Container = null;
  /** The key of the record, as it is written. */
  #key = '';
  #escaped = false;
  #open: JsonRecordBuffer;
  #number = 0;
  /** The line of the index `#countedTo` in the current chunk. */
  #line = 1;
  #countedTo = 0;
  #openedIn = 1;
  #text = '';
  #at = 0;

  constructor(file: string, path: string | undefined, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#open = new JsonRecordBuffer(0, maxBytes);
    this.#outer = new OuterDocument(path === undefined ? [] : path.split('.'), (at, what, next) => {
      const line = this.#lineOf(at);
      return createInputError(file, what.replace('{line}', `line ${line}`), next, line);
    });
  }

  push(text: string, suspect: boolean): readonly RawJsonRecord[] {
    const records: RawJsonRecord[] = [];
    this.#text = text;
    this.#at = 0;
    this.#scan.setText(text);
    this.#lineEnds.setText(text);
    this.#countedTo = 0;
    while (this.#at < text.length) {
      if (this.#state === 'outside') this.#outside();
      else if (this.#state === 'between') this.#between();
      else if (this.#state === 'key') this.#inKey();
      else if (this.#state === 'colon') this.#colon();
      else records.push(...this.#inRecord(suspect));
    }
    this.#lineOf(this.#at);
    return records;
  }

  end(): readonly RawJsonRecord[] {
    this.#lineEnds.setText('');
    if (this.#state === 'record') {
      const what = `is cut off in record ${this.#number}, which begins in line ${this.#openedIn}`;
      const next = 'Copy or export it again, or close the open bracket or quote.';
      throw createInputError(this.#file, what, next, this.#openedIn);
    }
    if (this.#state !== 'outside') throw this.#outer.cutOff();
    this.#outer.end();
    return [];
  }

  #outside(): void {
    const { at, found } = this.#outer.next(this.#text, this.#at);
    this.#at = at;
    this.#container = found;
    if (found !== null) this.#state = 'between';
  }

  #between(): void {
    const character = this.#text.charCodeAt(this.#at);
    // Missing and superfluous commas between records are accepted.
    if (isJsonWhitespace(character) || character === 0x2c) {
      this.#at += 1;
    } else if (character === (this.#container === 'object' ? 0x7d : 0x5d)) {
      this.#at += 1;
      this.#state = 'outside';
    } else if (this.#container === 'object') {
      if (character !== 0x22) throw this.#strayCharacter();
      this.#at += 1;
      this.#key = '';
      this.#state = 'key';
    } else this.#begin();
  }

  /** Reads the key of the next record, as far as the chunk has it. */
  #inKey(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at] ?? '';
      if (!this.#escaped && character === '"') {
        this.#at += 1;
        this.#state = 'colon';
        return;
      }
      this.#escaped = !this.#escaped && character === '\\';
      this.#key += character;
    }
  }

  #colon(): void {
    const character = this.#text.charCodeAt(this.#at);
    if (isJsonWhitespace(character) || character === 0x3a) this.#at += 1;
    else this.#begin();
  }

  #strayCharacter(): FatalError {
    const line = this.#lineOf(this.#at);
    const what = `is not valid JSON: a key is missing in line ${line}`;
    return createInputError(this.#file, what, 'Fix it, or export it again.', line);
  }

  #begin(): void {
    this.#number += 1;
    this.#openedIn = this.#lineOf(this.#at);
    this.#open = new JsonRecordBuffer(this.#number, this.#maxBytes);
    this.#scan.begin();
    this.#state = 'record';
  }

  #inRecord(suspect: boolean): readonly RawJsonRecord[] {
    const from = this.#at;
    const { kind, at } = this.#scan.scan(from);
    this.#at = at;
    if (kind === 'forced') {
      const what = `has a stray closing bracket in line ${this.#lineOf(this.#at)} in record ${this.#number}, which begins in line ${this.#openedIn}`;
      throw createInputError(
        this.#file,
        what,
        'Close what is open in that record, or export it again.',
        this.#openedIn,
      );
    }
    this.#open.add(this.#text.slice(from, at), suspect);
    if (this.#scan.tooDeep) this.#open.markTooDeep();
    if (kind === 'more') return [];
    this.#state = 'between';
    return [this.#container === 'object' ? this.#open.closedUnder(this.#key) : this.#open.closed()];
  }

  /** Returns the line of an index of the current chunk; indexes must not decrease. */
  #lineOf(at: number): number {
    for (
      let end = this.#lineEnds.from(this.#countedTo);
      end < at;
      end = this.#lineEnds.from(this.#countedTo)
    ) {
      this.#line += 1;
      this.#countedTo = end + 1;
    }
    return this.#line;
  }
}
