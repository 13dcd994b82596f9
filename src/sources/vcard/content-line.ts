/** No property has so much before its colon. */
export const longestHead = 8192;
const mostKnown = 1000;

/** What stands before the colon of a property: `item1.TEL;TYPE=home`. */
export interface Head {
  readonly group: string | null;
  /** In capitals. */
  readonly name: string;
  /** What is said of the property, in small letters: home, cell, internet. */
  readonly types: readonly string[];
  /** How it is preferred: 1 is the most, null where nothing is said. */
  readonly preference: number | null;
  readonly coding: 'quoted-printable' | 'base64' | null;
  readonly charset: string | null;
}

/** A property of a card as it stands there. */
export interface ContentLine {
  readonly head: Head;
  /** What stands behind the colon, as bytes. */
  readonly value: string;
}

/**
 * What reads the lines of cards, their folds undone (null where one is no property); cards are alike in what stands before
 * their colons, so that it is remembered.
 */
export function contentLines(): (line: string) => ContentLine | null {
  const known = new Map<string, Head | null>();
  return (line) => {
    const text = headOf(line);
    if (text === null || text.length > longestHead) return null;
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

function parsedHead(text: string): Head | null {
  const [first = '', ...parameters] = splitUnquoted(text, ';');
  const found = /^(?:([^.\s]+)\.)?([A-Za-z0-9_-]+)$/.exec(first.trim());
  if (found === null) return null;
  const [, group, name = ''] = found;
  const bare: Head = {
    group: group?.toLowerCase() ?? null,
    name: name.toUpperCase(),
    types: [],
    preference: null,
    coding: null,
    charset: null,
  };
  return parameters.reduce(withParameter, bare);
}

/** What stands before the colon of a property, or null where it has not come yet. */
export function headOf(line: string): string | null {
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
export function codingOf(head: string): Head['coding'] {
  if (/;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(head)) return 'quoted-printable';
  return /;(?:ENCODING=)?"?(?:BASE64|B)"?(?:;|$)/i.test(head) ? 'base64' : null;
}

function withParameter(head: Head, parameter: string): Head {
  const [, name = 'TYPE', text = ''] = /^(?:\s*([^=\s]+)\s*=)?(.*)$/s.exec(parameter) ?? [];
  const values = splitUnquoted(text, ',').map((value) => value.trim().replace(/^"(.*)"$/s, '$1'));
  const value = values[0] ?? '';
  const coding = codingOf(`;${value}`);
  switch (name.toUpperCase()) {
    case 'CHARSET':
      return { ...head, charset: value };
    case 'ENCODING':
      return { ...head, coding };
    case 'PREF':
      return { ...head, preference: Number.parseInt(value, 10) || 1 };
    case 'TYPE':
      // A parameter without a name is a type, or how the value is coded.
      if (name === 'TYPE' && !parameter.includes('=') && (coding !== null || /^[78]BIT$/i.test(value)))
        return { ...head, coding };
      return withTypes(head, values);
    default:
      return head;
  }
}

function withTypes(head: Head, values: readonly string[]): Head {
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
