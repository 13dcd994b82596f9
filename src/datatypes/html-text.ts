import { Parser } from 'htmlparser2';

const blocks = new Set(
  'address article aside blockquote br dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
const hidden = new Set(['head', 'script', 'style', 'template', 'title']);

/** The text that HTML shows: without tags and comments, a line for each block, characters for their references. */
export function htmlText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  const found = new ShownText();
  const parser = new Parser(found, { decodeEntities: true });
  parser.end(html);
  return found.text();
}

class ShownText {
  #pieces: string[] = [];
  #hidden = 0;
  #hasBlocks = false;

  onopentagname(name: string): void {
    if (hidden.has(name)) this.#hidden += 1;
    this.#break(name);
  }

  onclosetag(name: string): void {
    if (hidden.has(name)) this.#hidden -= 1;
    if (name !== 'br' && name !== 'hr') this.#break(name);
  }

  ontext(text: string): void {
    if (this.#hidden === 0) this.#pieces.push(text);
  }

  /** Line ends in the source count only where no tag makes lines. */
  text(): string {
    const texts = this.#hasBlocks
      ? this.#pieces.map((piece) => (piece === lineEnd ? '\n' : piece.replace(/\s+/g, ' ')))
      : this.#pieces;
    return texts
      .join('')
      .replace(/[ \t]*\n[ \t]*/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .replaceAll('\u00a0', ' ')
      .trim();
  }

  #break(name: string): void {
    if (!blocks.has(name) || this.#hidden > 0) return;
    this.#hasBlocks = true;
    this.#pieces.push(lineEnd);
  }
}

const lineEnd = '\n';
