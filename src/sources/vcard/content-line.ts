/** No property has so much before its colon. */
export const longestHead = 8192;

/** A property of a card as it stands there: `item1.TEL;TYPE=home:+1 555`. */
export interface ContentLine {
  readonly group: string | null;
  /** In capitals. */
  readonly name: string;
  /** What is said of the property, in small letters: home, cell, internet. */
  readonly types: readonly string[];
  /** How it is preferred: 1 is the most, null where nothing is said. */
  readonly preference: number | null;
  readonly coding: 'quoted-printable' | 'base64' | null;
  readonly charset: string | null;
  /** What stands behind the colon, as bytes. */
  readonly value: string;
}

/** Reads a line whose folds are undone; null where it is no property. */
export function contentLine(line: string): ContentLine | null {
  const head = headOf(line);
  if (head === null || head.length > longestHead) return null;
  const [first = '', ...params] = splitUnquoted(head, ';');
  const found = /^(?:([^.\s]+)\.)?([A-Za-z0-9_-]+)$/.exec(first.trim());
  if (found === null) return null;
  const [, group = null, name = ''] = found;
  const about = { types: [] as string[], preference: null, coding: null, charset: null };
  return {
    group: group?.toLowerCase() ?? null,
    name: name.toUpperCase(),
    value: line.slice(head.length + 1),
    ...params.reduce(withParameter, about),
  };
}

/** What stands before the colon of a property, or null where it has not come yet. */
export function headOf(line: string): string | null {
  // A colon within quotes belongs to a parameter; where quotes do not add up they mean nothing.
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const sign = line[at];
    if (sign === '"') quoted = !quoted;
    else if (sign === ':' && !quoted) return line.slice(0, at);
  }
  const colon = line.indexOf(':');
  return colon === -1 ? null : line.slice(0, colon);
}

/** How the value behind a head is coded. */
export function codingOf(head: string): ContentLine['coding'] {
  if (/;(?:ENCODING=)?"?QUOTED-PRINTABLE/i.test(head)) return 'quoted-printable';
  return /;(?:ENCODING=)?"?(?:BASE64|B)"?(?:;|$)/i.test(head) ? 'base64' : null;
}

type About = Pick<ContentLine, 'types' | 'preference' | 'coding' | 'charset'>;

function withParameter(about: About, parameter: string): About {
  const [, name = 'TYPE', text = ''] = /^(?:\s*([^=\s]+)\s*=)?(.*)$/s.exec(parameter) ?? [];
  const values = splitUnquoted(text, ',').map((value) => value.trim().replace(/^"(.*)"$/s, '$1'));
  const value = values[0] ?? '';
  const coding = codingOf(`;${value}`);
  switch (name.toUpperCase()) {
    case 'CHARSET':
      return { ...about, charset: value };
    case 'ENCODING':
      return { ...about, coding };
    case 'PREF':
      return { ...about, preference: Number.parseInt(value, 10) || 1 };
    case 'TYPE':
      // A parameter without a name is a type, or how the value is coded.
      if (name === 'TYPE' && !parameter.includes('=') && (coding !== null || /^[78]BIT$/i.test(value)))
        return { ...about, coding };
      return withTypes(about, values);
    default:
      return about;
  }
}

function withTypes(about: About, values: readonly string[]): About {
  // Some list their types within one pair of quotes.
  const types = values.flatMap((value) => value.toLowerCase().split(',')).map((type) => type.trim());
  const preferred = types.includes('pref');
  return {
    ...about,
    types: [...about.types, ...types.filter((type) => type !== 'pref' && type !== '')],
    preference: preferred ? (about.preference ?? 1) : about.preference,
  };
}

function splitUnquoted(text: string, separator: ';' | ','): readonly string[] {
  if (!text.includes('"')) return text.split(separator);
  return text.match(separator === ';' ? /(?:[^";]|"[^"]*"?)+/g : /(?:[^",]|"[^"]*"?)+/g) ?? [''];
}
