import type { Splitter } from '../encoding/text-file.ts';
import { Finder } from '../finder.ts';
import { refused } from '../plain-file.ts';
import { OpenRecord } from './open-record.ts';
import { OuterDocument } from './outer-document.ts';
import { isBlank, type RawRecord, RecordScan } from './raw-record.ts';

/** Parts a JSON document: a record is an element of the arrays at a path. Throws a FatalError('input') where it is no JSON as a whole. */
export class ArraySplitter implements Splitter<RawRecord> {
  readonly #maxBytes: number;
  readonly #outer: OuterDocument;
  readonly #scan = new RecordScan();
  readonly #file: string;
  readonly #lineEnds = new Finder('\n');
  #state: 'outside' | 'between' | 'record' = 'outside';
  #open: OpenRecord;
  #number = 0;
  /** Line ends are counted up to a place of the text at hand. */
  #line = 1;
  #countedTo = 0;
  #openedIn = 1;
  #text = '';
  #at = 0;

  constructor(file: string, path: string | undefined, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
    this.#open = new OpenRecord(0, maxBytes);
    this.#outer = new OuterDocument(path === undefined ? [] : path.split('.'), (at, what, next) => {
      const line = this.#lineOf(at);
      return refused(file, what.replace('{line}', `line ${line}`), next, line);
    });
  }

  push(text: string, suspect: boolean): readonly RawRecord[] {
    const records: RawRecord[] = [];
    this.#text = text;
    this.#at = 0;
    this.#scan.in(text);
    this.#lineEnds.in(text);
    this.#countedTo = 0;
    while (this.#at < text.length) {
      if (this.#state === 'outside') this.#outside();
      else if (this.#state === 'between') this.#between();
      else records.push(...this.#inRecord(suspect));
    }
    this.#lineOf(this.#at);
    return records;
  }

  end(): readonly RawRecord[] {
    this.#lineEnds.in('');
    if (this.#state === 'record') {
      const what = `is cut off in record ${this.#number}, which begins in line ${this.#openedIn}`;
      const next = 'Copy or export it again, or close the open bracket or quote.';
      throw refused(this.#file, what, next, this.#openedIn);
    }
    if (this.#state === 'between') throw this.#outer.cutOff();
    this.#outer.end();
    return [];
  }

  #outside(): void {
    const { at, inArray } = this.#outer.next(this.#text, this.#at);
    this.#at = at;
    if (inArray) this.#state = 'between';
  }

  #between(): void {
    const character = this.#text.charCodeAt(this.#at);
    // A comma too many or too few parts records none the less.
    if (isBlank(character) || character === 0x2c) {
      this.#at += 1;
    } else if (character === 0x5d) {
      this.#at += 1;
      this.#state = 'outside';
    } else {
      this.#number += 1;
      this.#openedIn = this.#lineOf(this.#at);
      this.#open = new OpenRecord(this.#number, this.#maxBytes);
      this.#scan.begin();
      this.#state = 'record';
    }
  }

  #inRecord(suspect: boolean): readonly RawRecord[] {
    const from = this.#at;
    const { kind, at } = this.#scan.scan(from);
    this.#at = at;
    if (kind === 'forced') {
      const what = `has a stray closing bracket in line ${this.#lineOf(this.#at)} in record ${this.#number}, which begins in line ${this.#openedIn}`;
      throw refused(
        this.#file,
        what,
        'Close what is open in that record, or export it again.',
        this.#openedIn,
      );
    }
    this.#open.add(this.#text.slice(from, at), suspect);
    if (this.#scan.tooDeep) this.#open.isTooDeep();
    if (kind === 'more') return [];
    this.#state = 'between';
    return [this.#open.closed()];
  }

  /** The line of a place of the text at hand; places are asked for in order. */
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
