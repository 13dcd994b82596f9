import { decodedText, likelyEncoding, statedEncoding } from './byte-text.ts';

/** A property under way. */
interface Unfolding {
  readonly lines: string[];
  /** What stands before its colon; null as long as that has not come, '' where it comes too late. */
  head: string | null;
}

/**
 * The properties of a card with their folds undone. From version 3.0 on the blank that marks a fold is no text; in 2.1 a
 * fold stands where a blank was, and quoted-printable is broken by an equals character at the end of the line.
 */
export function unfold(lines: readonly string[], version: string): readonly string[] {
  const found: Unfolding[] = [];
  const old = version.startsWith('2');
  for (const line of lines) {
    const current = found.at(-1);
    const last = current?.lines.at(-1) ?? '';
    const transferEncoding = current?.head == null ? null : transferEncodingOf(current.head);
    if (current !== undefined && transferEncoding === 'quoted-printable' && softBreak.test(last)) {
      current.lines.push(current.lines.pop()?.replace(softBreak, '') ?? '', line);
    } else if (current !== undefined && /^[ \t]/.test(line)) {
      current.lines.push(old ? line : line.slice(1));
      current.head ??= headSoFar(current.lines);
    } else if (current !== undefined && transferEncoding === 'base64' && isBase64(line))
      current.lines.push(line);
    else if (line.trim() !== '') found.push({ lines: [line], head: headSoFar([line]) });
  }
  return found.map((each) => each.lines.join(''));
}

const softBreak = /=[ \t]*$/;

/** Whether a line can only be base64 that goes on; some writers do not fold it. */
export function isBase64(line: string): boolean {
  return /^[A-Za-z0-9+/]+=*\s*$/.test(line);
}

function headSoFar(lines: readonly string[]): string | null {
  const text = lines.join('');
  return propertyHead(text) ?? (text.length > maxHeadLength ? '' : null);
}

/** No property has so much before its colon. */
export const maxHeadLength = 8192;
const mostKnown = 1000;

/** What stands before the colon of a property: `item1.TEL;TYPE=home`. */
interface PropertyHead {
  readonly group: string | null;
  /** In capitals. */
  readonly name: string;
  /** What is said of the property, in small letters: home, cell, internet. */
  readonly types: readonly string[];
  /** How it is preferred: 1 is the most, null where nothing is said. */
  readonly preference: number | null;
  readonly transferEncoding: 'quoted-printable' | 'base64' | null;
  readonly charset: string | null;
}

/** A property of a card as it stands there. */
export interface ContentLine {
  readonly head: PropertyHead;
  /** What stands behind the colon, as bytes. */
  readonly value: string;
}

/**
 * What reads the lines of cards, their folds undone (null where one is no property); cards are alike in what stands before
 * their colons, so that it is remembered.
 */
export function contentLineParser(): (line: string) => ContentLine | null {
  const known = new Map<string, PropertyHead | null>();
  return (line) => {
    const text = propertyHead(line);
    if (text === null || text.length > maxHeadLength) return null;
    let head = known.get(text);
    if (head === undefined) {
      if (known.size >= mostKnown) known.clear();
      // A copy: a part of a string keeps the whole chunk of the file that it was cut from.
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

/** What stands before the colon of a property, or null where it has not come yet. */
export function propertyHead(line: string): string | null {
  // A colon within quotes belongs to a parameter; where quotes do not add up they mean nothing.
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at];
    if (character === '"') quoted = !quoted;
    else if (character === ':' && !quoted) return line.slice(0, at);
  }
  const colon = line.indexOf(':');
  return colon === -1 ? null : line.slice(0, colon);
}

/** How the value behind a head is coded. */
export function transferEncodingOf(head: string): PropertyHead['transferEncoding'] {
  if (/;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(head)) return 'quoted-printable';
  return /;(?:ENCODING=)?"?(?:BASE64|B)"?(?:;|$)/i.test(head) ? 'base64' : null;
}

function withParameter(head: PropertyHead, parameter: string): PropertyHead {
  const [, name = 'TYPE', text = ''] = /^(?:\s*([^=\s]+)\s*=)?(.*)$/s.exec(parameter) ?? [];
  const values = splitUnquoted(text, ',').map((value) => value.trim().replace(/^"(.*)"$/s, '$1'));
  const value = values[0] ?? '';
  const transferEncoding = transferEncodingOf(`;${value}`);
  switch (name.toUpperCase()) {
    case 'CHARSET':
      return { ...head, charset: value };
    case 'ENCODING':
      return { ...head, transferEncoding };
    case 'PREF':
      return { ...head, preference: Number.parseInt(value, 10) || 1 };
    case 'TYPE':
      // A parameter without a name is a type, or how the value is coded.
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
  // Some list their types within one pair of quotes.
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

/** The names of the components that some properties have between semicolons. */
export const componentNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['N', ['family', 'given', 'middle', 'prefix', 'suffix']],
  ['ADR', ['pobox', 'extended', 'street', 'city', 'region', 'code', 'country']],
  ['ORG', ['', 'unit']],
]);

const none: readonly string[] = [];

/** A property with its value as text. */
export interface Property extends Pick<PropertyHead, 'group' | 'name' | 'types' | 'preference'> {
  /** With its escapes; '' of a property that has components. */
  readonly value: string;
  /** Without escapes. */
  readonly components: readonly string[];
}

/** The value of a line as text; null where it is binary. `encoding` is the file's. */
export function readProperty(line: ContentLine, encoding: string): Property | null {
  const { value } = line;
  const { group, name, types, preference, transferEncoding, charset } = line.head;
  // Field by field: a spread of the head takes several times as long, and there are as many as lines.
  const of = (text: string, components: readonly string[]): Property => ({
    group,
    name,
    types,
    preference,
    value: text,
    components,
  });
  const hasComponents = componentNames.has(name);
  if (transferEncoding === 'quoted-printable') {
    const read = quotedPrintable(line, encoding);
    if (!hasComponents) return of(read(value), none);
    // A semicolon that is coded is text, one that is not parts: so the parting comes first.
    const coded = splitUnescaped(value, ';');
    return of(
      '',
      coded.map((part) => unescaped(read(part))),
    );
  }
  const bytes = transferEncoding === 'base64' ? Buffer.from(value, 'base64').toString('latin1') : value;
  const isUnstated = charset === null && transferEncoding === 'base64';
  const own = isUnstated ? likelyEncoding(bytes, encoding) : statedEncoding(charset, encoding);
  const text = decodedText(bytes, own);
  if (transferEncoding === 'base64' && isBinaryText(text)) return null;
  const clean = withoutNul(text);
  if (!hasComponents) return of(clean, none);
  return of('', splitUnescaped(clean, ';').map(unescaped));
}

function quotedPrintable(
  { value, head: { charset } }: ContentLine,
  encoding: string,
): (coded: string) => string {
  const own =
    charset === null
      ? likelyEncoding(fromQuotedPrintable(value), encoding)
      : statedEncoding(charset, encoding);
  return (coded) => withoutNul(decodedText(fromQuotedPrintable(coded), own));
}

function isBinaryText(text: string): boolean {
  return /[\p{Surrogate}\p{Cc}]/u.test(text.replace(/\s/g, ''));
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** Undoes the escapes of a value: `\n` is a line end, a backslash before another character only says that it is meant. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  // Before a letter it is one of its own: paths of Windows were never escaped in version 2.1.
  return text.replace(/\\([nN]|[^\p{L}\p{N}])/gsu, (_, character: string) =>
    /n/i.test(character) ? '\n' : character,
  );
}

/** The parts between separators that are not escaped, with their escapes. */
export function splitUnescaped(text: string, separator: ';' | ','): readonly string[] {
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

/** The bytes that quoted-printable stands for. */
function fromQuotedPrintable(text: string): string {
  return text.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
