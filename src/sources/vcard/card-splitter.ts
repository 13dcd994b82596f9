import {
  isBase64Line,
  maxPropertyHeadLength,
  readPropertyHead,
  readTransferEncoding,
} from './content-line.ts';

/** A line without its line end. */
interface Line {
  readonly text: string;
  /** True if the line exceeds the maximum length; then `text` is its beginning. */
  readonly cut: boolean;
}

/** Splits text chunk by chunk into lines, in bounded memory. */
class LineSplitter {
  readonly #longest: number;
  #rest = '';
  #cut = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Returns the lines completed by this chunk. */
  push(text: string): readonly Line[] {
    const all = this.#rest + text;
    const lines: Line[] = [];
    let at = 0;
    // Carriage returns at the end may be the beginning of a line end, which is `\r\r\n` in the files of some programs.
    for (const { 0: end, index } of all.matchAll(/\r?\r\n|\n|\r(?!\r?$)/g)) {
      lines.push(this.#line(all.slice(at, index)));
      at = index + end.length;
    }
    this.#keep(all.slice(at));
    return lines;
  }

  /** Returns the last line at the end of the input. */
  end(): readonly Line[] {
    const line = this.#line(this.#rest.replace(/\r{1,2}$/, ''));
    this.#rest = '';
    return line.text === '' ? [] : [line];
  }

  #line(text: string): Line {
    const line = { text: text.slice(0, this.#longest), cut: this.#cut || text.length > this.#longest };
    this.#cut = false;
    return line;
  }

  #keep(rest: string): void {
    if (rest.length > this.#longest + 2) {
      const end = /\r{0,2}$/.exec(rest)?.[0] ?? '';
      this.#cut = true;
      this.#rest = rest.slice(0, this.#longest) + end;
    } else this.#rest = rest;
  }
}

/** The reason why a card cannot be read: its END is missing, it is too large, or it is text outside of cards. */
export type CardProblem = 'incomplete' | 'tooLarge' | 'stray';

/** A card as written in the file. */
export interface RawCard {
  /** The line of its BEGIN; for stray text the first line. */
  readonly line: number;
  /** Its folded lines as bytes, without binary values and nested cards. */
  readonly lines: readonly string[];
  readonly problem: CardProblem | null;
  /** The number of omitted binary values. */
  readonly binaries: number;
  /** The number of omitted nested cards. */
  readonly nested: number;
}

/** A card whose END has not been read. */
interface OpenCard extends RawCard {
  readonly lines: string[];
  problem: CardProblem | null;
  bytes: number;
  binaries: number;
  nested: number;
}

const binaryNames = /^(?:[^.;:]+\.)?(?:PHOTO|LOGO|SOUND|KEY)(?:;|$)/i;

/** Splits an address book chunk by chunk into cards, in bounded memory. */
export class CardSplitter {
  readonly #most: number;
  readonly #lines: LineSplitter;
  #line = 0;
  #card: OpenCard | null = null;
  #depth = 0;
  /** The current property up to the line that completes its head; `#headAt` is the index of its first line. */
  #head = '';
  #headAt = 0;
  #binary = false;
  #blank = false;
  #found: RawCard[] = [];

  constructor(mostBytes: number) {
    this.#most = mostBytes;
    this.#lines = new LineSplitter(mostBytes);
  }

  /** Returns the cards completed by this chunk. */
  push(bytes: string): readonly RawCard[] {
    return this.#run(this.#lines.push(bytes));
  }

  /** Returns the last card at the end of the input. */
  end(): readonly RawCard[] {
    const found = this.#run(this.#lines.end());
    this.#found = [];
    this.#close('incomplete');
    return [...found, ...this.#found];
  }

  #run(lines: readonly Line[]): readonly RawCard[] {
    this.#found = [];
    for (const line of lines) {
      this.#line += 1;
      // Concatenated files have a BOM in the middle.
      const text = line.text.startsWith('\xef\xbb\xbf') ? line.text.slice(3) : line.text;
      if (/^BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/i.test(text)) this.#begin(text);
      else if (this.#card === null || this.#isStray) this.#outside(text);
      else if (/^END[ \t]*:[ \t]*VCARD[ \t]*$/i.test(text)) this.#end(this.#card);
      else this.#inside(this.#card, text, line.cut);
    }
    return this.#found;
  }

  #begin(text: string): void {
    if (this.#card !== null && !this.#isStray && /^(?:[^.;:]+\.)?AGENT[^:]*:\s*$/i.test(this.#head)) {
      this.#depth += 1;
      this.#card.nested += 1;
    } else {
      this.#close('incomplete');
      this.#card = this.#opened(null);
      this.#keep(this.#card, text);
      this.#depth = 1;
    }
    this.#head = '';
    this.#binary = false;
  }

  #end(card: OpenCard): void {
    this.#depth -= 1;
    this.#head = '';
    if (this.#depth > 0) return;
    this.#keep(card, 'END:VCARD');
    this.#close(null);
  }

  #outside(text: string): void {
    if (text.trim() === '') return;
    this.#card ??= this.#opened('stray');
    this.#keep(this.#card, text);
  }

  #inside(card: OpenCard, text: string, cut: boolean): void {
    if (text === '') {
      // An empty line ends a base64 value whose lines are not folded. It is kept, because it may belong to a
      // quoted-printable value, after a soft line break.
      this.#blank = true;
      this.#put(card, text, cut);
      return;
    }
    const folded = /^[ \t]/.test(text);
    const goesOn = this.#binary && (folded || (!this.#blank && isBase64Line(text)));
    this.#blank = false;
    if (goesOn) return;
    this.#binary = false;
    if (!folded) {
      this.#head = text;
      this.#headAt = card.lines.length;
    } else if (this.#head.length < maxPropertyHeadLength && isUndecided(this.#head))
      this.#head += text.slice(1);
    else {
      this.#put(card, text, cut);
      return;
    }
    const head = readPropertyHead(this.#head);
    this.#binary = head !== null && isBinary(head, this.#head.slice(head.length + 1));
    if (!this.#binary) this.#put(card, text, cut);
    else if (this.#depth === 1) {
      card.binaries += 1;
      card.lines.splice(this.#headAt);
    }
  }

  #put(card: OpenCard, text: string, cut: boolean): void {
    if (this.#depth > 1) return;
    if (cut) card.problem ??= 'tooLarge';
    this.#keep(card, text);
  }

  #keep(card: OpenCard, text: string): void {
    card.bytes += text.length + 1;
    const tooLarge = card.problem === 'tooLarge' || card.bytes > this.#most;
    if (tooLarge) card.problem ??= 'tooLarge';
    if (card.lines.length === 0 || !tooLarge) card.lines.push(text);
  }

  get #isStray(): boolean {
    return this.#card?.problem === 'stray';
  }

  #opened(problem: CardProblem | null): OpenCard {
    return { line: this.#line, lines: [], problem, bytes: 0, binaries: 0, nested: 0 };
  }

  /** Closes the current card; `problem` is null if its END was read. */
  #close(problem: CardProblem | null): void {
    const card = this.#card;
    this.#card = null;
    if (card === null) return;
    if (card.problem !== 'stray') card.problem = problem ?? card.problem;
    this.#found.push(card);
  }
}

/** True if the text of a property ends before its value begins. */
function isUndecided(text: string): boolean {
  const head = readPropertyHead(text);
  return head === null || text.length === head.length + 1;
}

/** True if a property has a binary value, not the URL of one. */
function isBinary(head: string, value: string): boolean {
  return binaryNames.test(head) && (readTransferEncoding(head) === 'base64' || /^\s*data:/i.test(value));
}
