import { Parser } from 'htmlparser2';

const paragraphs = words('blockquote h1 h2 h3 h4 h5 h6 ol p pre table ul');
const blocks = words(
  'address article aside dd div dl dt fieldset figcaption figure footer form header hr li main nav section tr',
);
const hidden = words('head script style template title');
const others = words(
  'a abbr acronym area audio b base basefont bdi bdo big body br button canvas caption center cite code col colgroup data del details dfn dialog em embed font frame frameset html i iframe img input ins kbd label legend link map mark menu meta meter nav noframes noscript object option output param picture progress q rp rt ruby s samp select small source span strike strong sub summary sup svg tbody td textarea tfoot th thead time track tt u var video wbr',
);

/** Office elements such as <o:p>. */
const ofOffice = /^[a-z]\w*:[a-z]\w*$/;

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Returns the visible text of HTML: without tags and comments, blocks on their own lines, entities decoded. */
export function extractHtmlText(html: string): string {
  if (!/[<&]/.test(html)) return html;
  // An unclosed tag would hide the rest.
  const closed = html.replace(marks, '').replace(/<(?![^<]*>)/g, '&lt;');
  const found = new ShownText();
  const parser: Parser = new Parser(
    {
      onopentag: (name) => found.open(name, source()),
      onclosetag: (name, implied) => found.close(name, implied ? '' : source()),
      ontext: (text) => found.add(text),
    },
    { decodeEntities: true },
  );
  const source = (): string => closed.slice(parser.startIndex, parser.endIndex + 1);
  parser.end(closed);
  return found.text();
}

const lineMark = '\u{f0001}';
const paragraphMark = '\u{f0002}';
/** Private-use characters that mark the line breaks of block elements. */
const marks = /[\u{f0001}\u{f0002}]/gu;
const boundary = /[\s\u{f0001}\u{f0002}]*[\u{f0001}\u{f0002}][\s\u{f0001}\u{f0002}]*/gu;

/** Collapses the white space of a chunk, unless it is the line end of a br. */
function withPlainSpace(chunk: string): string {
  return chunk === '\n' ? chunk : chunk.replace(/[ \t\r\n]+/g, ' ');
}

class ShownText {
  #chunks: string[] = [];
  #hidden = 0;

  /** Opens an element; the tag of an unknown one, such as <a@b.co>, is kept as text, as written in `source`. */
  open(name: string, source: string): void {
    if (hidden.has(name)) this.#hidden += 1;
    else if (name === 'br') this.#push('\n');
    else this.#boundary(name, source);
  }

  close(name: string, source: string): void {
    if (hidden.has(name)) this.#hidden -= 1;
    else if (name !== 'br') this.#boundary(name, source);
  }

  add(text: string): void {
    this.#push(text);
  }

  /** Returns the text; keeps the line ends of the source only if there are no block elements. */
  text(): string {
    const all = this.#chunks.join('');
    const spaced = /[\u{f0001}\u{f0002}]/u.test(all) ? this.#chunks.map(withPlainSpace).join('') : all;
    return spaced
      .replace(boundary, (found) => (found.includes(paragraphMark) ? '\n\n' : '\n'))
      .replace(/[ \t]*\n[ \t]*/g, '\n')
      .replaceAll('\u00a0', ' ')
      .trim();
  }

  #boundary(name: string, source: string): void {
    if (paragraphs.has(name)) this.#push(paragraphMark);
    else if (blocks.has(name)) this.#push(lineMark);
    else if (!others.has(name) && !ofOffice.test(name)) this.#push(source);
  }

  #push(chunk: string): void {
    if (this.#hidden === 0) this.#chunks.push(chunk);
  }
}
