import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import { type TextFile, textFile } from '../encoding/text-file.ts';
import { refused } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import { byteEncoding, byteTexts } from './byte-text.ts';
import { cardFile } from './card-file.ts';
import { CardSplitter, type RawCard } from './card-splitter.ts';
import { CardReader, listed } from './items.ts';
import { LeftOut } from './left-out.ts';
import type { VcardOptions } from './options.ts';

const batchRows = 256;

/** An address book as a source; nothing is touched before `inspect` or `read`. */
export function vcardSource(options: VcardOptions, input: SourceInput): Source {
  return new VcardSource(options, input);
}

interface Opened extends TextFile {
  readonly notes: readonly string[];
}

class VcardSource implements Source {
  readonly #options: VcardOptions;
  readonly #input: SourceInput;
  #opened: Opened | null = null;

  constructor(options: VcardOptions, input: SourceInput) {
    this.#options = options;
    this.#input = input;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#opened = await this.#open(signal);
    const { file, encoding, fingerprint, notes: said } = this.#opened;
    const leftOut = new LeftOut();
    const reader = new CardReader(byteEncoding(this.#opened), this.#options.maxRowBytes);
    let items = 0;
    let cards = 0;
    for await (const found of this.#cards(this.#opened, signal)) {
      items += found.length;
      for (const card of found) {
        if (card.trouble !== 'stray') cards += 1;
        const { binaries, nested } = reader.read(card);
        leftOut.add(card.line, binaries, nested);
      }
    }
    if (cards === 0)
      throw refused(
        file.name,
        'has no vCard',
        'Set the right "format", or export the contacts again as .vcf.',
      );
    const notes = [...said, ...encoding.notes, ...leftOut.notes()];
    const lists = [{ name: listed, columns: [''] }];
    return { name: file.name, bytes: file.bytes, fingerprint, items, columns: null, lists, notes };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#opened ??= await this.#open(signal);
    const reader = new CardReader(byteEncoding(this.#opened), this.#options.maxRowBytes);
    let toSkip = from;
    for await (const cards of this.#cards(this.#opened, signal)) {
      const wanted = toSkip === 0 ? cards : cards.slice(toSkip);
      toSkip -= Math.min(toSkip, cards.length);
      for (let at = 0; at < wanted.length; at += batchRows) {
        signal.throwIfAborted();
        const batch = wanted.slice(at, at + batchRows);
        yield batch.map((card) => reader.read(card).item);
      }
    }
  }

  async #open(signal: AbortSignal): Promise<Opened> {
    const { file, notes } = this.#opened ?? (await cardFile(this.#input, signal));
    const text = await textFile(file, this.#options.encoding, ['vcard', this.#options], signal);
    return { ...text, notes };
  }

  async *#cards(file: TextFile, signal: AbortSignal): AsyncGenerator<readonly RawCard[], void, undefined> {
    const splitter = new CardSplitter(this.#options.maxRowBytes);
    for await (const bytes of byteTexts(file, signal)) yield splitter.push(bytes);
    yield splitter.end();
  }
}
