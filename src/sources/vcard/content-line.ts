import { decodeByteString, guessEncoding, resolveCharset } from './byte-text.ts';

/** A property that is being unfolded. */
interface Unfolding {
  readonly lines: string[];
  /** The text before the colon; null before the colon is read, '' if it is beyond the maximum length. */
  head: string | null;
}

/**
 * Unfolds the properties of a card. From version 3.0 on, the blank that begins a continuation line is not text; in 2.1
 * it is. An equals sign at the end of a line continues a quoted-printable value.
 */
export function unfoldLines(lines: readonly string[], version: string): readonly string[] {
  const found: Unfolding[] = [];
  const old = version.startsWith('2');
  for (const line of lines) {
    const current = found.at(-1);
    const last = current?.lines.at(-1) ?? '';
    const transferEncoding = current?.head == null ? null : readTransferEncoding(current.head);
    if (current !== undefined && transferEncoding === 'quoted-printable' && softBreak.test(last)) {
      current.lines.push(current.lines.pop()?.replace(softBreak, '') ?? '', line);
    } else if (current !== undefined && /^[ \t]/.test(line)) {
      current.lines.push(old ? line : line.slice(1));
      current.head ??= headSoFar(current.lines);
    } else if (current !== undefined && transferEncoding === 'base64' && isBase64Line(line))
      current.lines.push(line);
    else if (line.trim() !== '') found.push({ lines: [line], head: headSoFar([line]) });
  }
  return found.map((each) => each.lines.join(''));
}

const softBreak = /=[ \t]*$/;

/** True if a line may continue a base64 value; some programs do not begin such lines with a blank. */
export function isBase64Line(line: string): boolean {
  return /^[A-Za-z0-9+/]+=*\s*$/.test(line);
}

function headSoFar(lines: readonly string[]): string | null {
  const text = lines.join('');
  return readPropertyHead(text) ?? (text.length > maxPropertyHeadLength ? '' : null);
}

/** The maximum length of a property's head, in bytes. */
export const maxPropertyHeadLength = 8192;
const mostKnown = 1000;

/** The text before the colon of a property, parsed: `item1.TEL;TYPE=home`. */
interface PropertyHead {
  readonly group: string | null;
  /** The name of the property in upper case. */
  readonly name: string;
  /** The TYPE parameters in lower case: home, cell, internet. */
  readonly types: readonly string[];
  /** The PREF parameter: 1 is the most preferred; null if there is none. */
  readonly preference: number | null;
  readonly transferEncoding: 'quoted-printable' | 'base64' | null;
  readonly charset: string | null;
}

/** A property as written in a card. */
export interface ContentLine {
  readonly head: PropertyHead;
  /** The text after the colon, as bytes. */
  readonly value: string;
}

/**
 * Creates the parser of unfolded lines; it returns null for a line that is not a property. It caches heads, which
 * repeat from card to card.
 */
export function createContentLineParser(): (line: string) => ContentLine | null {
  const known = new Map<string, PropertyHead | null>();
  return (line) => {
    const text = readPropertyHead(line);
    if (text === null || text.length > maxPropertyHeadLength) return null;
    let head = known.get(text);
    if (head === undefined) {
      if (known.size >= mostKnown) known.clear();
      // A copy: a slice would retain the whole chunk of the file.
      const own = Buffer.from(text, 'latin1').toString('latin1');
      head = parsedHead(own);
      known.set(own, head);
    }
    return head && { head, value: line.slice(text.length + 1) };
  };
}

function parsedHead(text: string): PropertyHead | null {
  const [first = '', ...parameters] = splitUnquoted(text, ';');
  const found = /^(?:([^.\s]+)\.)?([A-Za-z0-9_-]+)$/.exec(first.trim());
  if (found === null) return null;
  const [, group, name = ''] = found;
  const bare: PropertyHead = {
    group: group?.toLowerCase() ?? null,
    name: name.toUpperCase(),
    types: [],
    preference: null,
    transferEncoding: null,
    charset: null,
  };
  return parameters.reduce(withParameter, bare);
}

/** Returns the text before the colon of a property; null if it has no colon. */
export function readPropertyHead(line: string): string | null {
  // A colon within quotes belongs to a parameter; unbalanced quotes are ignored.
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') quoted = !quoted;
    else if (character === ':' && !quoted) return line.slice(0, at);
  }
  const colon = line.indexOf(':');
  return colon === -1 ? null : line.slice(0, colon);
}

/** Returns the transfer encoding that a property's head states for the value; null if it states none. */
export function readTransferEncoding(head: string): PropertyHead['transferEncoding'] {
  if (/;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(head)) return 'quoted-printable';
  return /;(?:ENCODING=)?"?(?:BASE64|B)"?(?:;|$)/i.test(head) ? 'base64' : null;
}

function withParameter(head: PropertyHead, parameter: string): PropertyHead {
  const [, name = 'TYPE', text = ''] = /^(?:\s*([^=\s]+)\s*=)?(.*)$/s.exec(parameter) ?? [];
  const values = splitUnquoted(text, ',').map((value) => value.trim().replace(/^"(.*)"$/s, '$1'));
  const value = values[0] ?? '';
  const transferEncoding = readTransferEncoding(`;${value}`);
  switch (name.toUpperCase()) {
    case 'CHARSET':
      return { ...head, charset: value };
    case 'ENCODING':
      return { ...head, transferEncoding };
    case 'PREF':
      return { ...head, preference: Number.parseInt(value, 10) || 1 };
    case 'TYPE':
      // A parameter without a name is a type or a transfer encoding.
      if (
        name === 'TYPE' &&
        !parameter.includes('=') &&
        (transferEncoding !== null || /^[78]BIT$/i.test(value))
      )
        return { ...head, transferEncoding };
      return withTypes(head, values);
    default:
      return head;
  }
}

function withTypes(head: PropertyHead, values: readonly string[]): PropertyHead {
  // Some programs quote the list of types.
  const types = values.flatMap((value) => value.toLowerCase().split(',')).map((type) => type.trim());
  const preferred = types.includes('pref');
  return {
    ...head,
    types: [...head.types, ...types.filter((type) => type !== 'pref' && type !== '')],
    preference: preferred ? (head.preference ?? 1) : head.preference,
  };
}

function splitUnquoted(text: string, separator: ';' | ','): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  return text.match(separator === ';' ? /(?:[^";]|"[^"]*"?)+/g : /(?:[^",]|"[^"]*"?)+/g) ?? [''];
}

/** The names of the components of structured properties. */
export const componentNamesByProperty: ReadonlyMap<string, readonly string[]> = new Map([
  ['N', ['family', 'given', 'middle', 'prefix', 'suffix']],
  ['ADR', ['pobox', 'extended', 'street', 'city', 'region', 'code', 'country']],
  ['ORG', ['', 'unit']],
]);

const none: readonly string[] = [];

/** A property with its value as text. */
export interface VcardProperty extends Pick<PropertyHead, 'group' | 'name' | 'types' | 'preference'> {
  /** The escaped value; '' for a structured property. */
  readonly value: string;
  /** The unescaped components. */
  readonly components: readonly string[];
}

/** Decodes a property; returns null for a binary value. `encoding` is that of the file. */
export function decodeProperty(line: ContentLine, encoding: string): VcardProperty | null {
  const { value } = line;
  const { group, name, types, preference, transferEncoding, charset } = line.head;
  // Field by field: a spread of the head is several times slower.
  const of = (text: string, components: readonly string[]): VcardProperty => ({
    group,
    name,
    types,
    preference,
    value: text,
    components,
  });
  const hasComponents = componentNamesByProperty.has(name);
  if (transferEncoding === 'quoted-printable') {
    const read = quotedPrintable(line, encoding);
    if (!hasComponents) return of(read(value), none);
    // Split before decoding: an encoded semicolon is text.
    const coded = splitAtUnescaped(value, ';');
    return of(
      '',
      coded.map((part) => unescapeVcardText(read(part))),
    );
  }
  const bytes = transferEncoding === 'base64' ? Buffer.from(value, 'base64').toString('latin1') : value;
  const isUnstated = charset === null && transferEncoding === 'base64';
  const own = isUnstated ? guessEncoding(bytes, encoding) : resolveCharset(charset, encoding);
  const text = decodeByteString(bytes, own);
  if (transferEncoding === 'base64' && isBinaryText(text)) return null;
  const clean = withoutNul(text);
  if (!hasComponents) return of(clean, none);
  return of('', splitAtUnescaped(clean, ';').map(unescapeVcardText));
}

function quotedPrintable(
  { value, head: { charset } }: ContentLine,
  encoding: string,
): (coded: string) => string {
  const own =
    charset === null
      ? guessEncoding(fromQuotedPrintable(value), encoding)
      : resolveCharset(charset, encoding);
  return (coded) => withoutNul(decodeByteString(fromQuotedPrintable(coded), own));
}

function isBinaryText(text: string): boolean {
  return /[\p{Surrogate}\p{Cc}]/u.test(text.replace(/\s/g, ''));
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/**
 * Unescapes a value: `\n` becomes a line end. A backslash before any other letter or a digit stays; before any other
 * character it is removed.
 */
export function unescapeVcardText(text: string): string {
  if (!text.includes('\\')) return text;
  // A backslash before another letter or a digit stays: version 2.1 does not escape Windows paths.
  return text.replace(/\\([nN]|[^\p{L}\p{N}])/gsu, (_, character: string) =>
    /n/i.test(character) ? '\n' : character,
  );
}

/** Splits at unescaped separators; the parts stay escaped. */
export function splitAtUnescaped(text: string, separator: ';' | ','): readonly string[] {
  if (!text.includes('\\')) return text.split(separator);
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === separator) {
      found.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...found, text.slice(from)];
}

/** Decodes quoted-printable to bytes. */
function fromQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
