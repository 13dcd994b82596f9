const mysqlEscapes: Readonly<Record<string, string>> = {
  '0': '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\u001a',
  // MySQL keeps the backslash of these two outside of patterns.
  '%': '\\%',
  _: '\\_',
};
const postgresEscapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The text of a string's inside as MySQL escapes it; `quote` is what stands around it. */
export function mysqlText(inside: string, quote: string): string {
  let text = '';
  let from = 0;
  for (let at = inside.indexOf('\\'); at !== -1; at = inside.indexOf('\\', from)) {
    const character = inside.charAt(at + 1);
    text += standardText(inside.slice(from, at), quote) + (mysqlEscapes[character] ?? character);
    from = at + 2;
  }
  return text + standardText(inside.slice(from), quote);
}

/** The text of a string's inside where only its quote is escaped, by doubling. */
export function standardText(inside: string, quote: string): string {
  return inside.includes(quote) ? inside.replaceAll(quote + quote, quote) : inside;
}

/** The text of the inside of PostgreSQL's E'…'. */
export function postgresText(inside: string): string {
  return inside.replace(
    /\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\([\s\S])|''/g,
    (whole, short?: string, long?: string, bytes?: string, character?: string) => {
      const point = short ?? long;
      if (point !== undefined) return textOfPoint(point, whole);
      if (bytes !== undefined) return bytesText(bytes);
      return character === undefined ? "'" : (postgresEscapes[character] ?? character);
    },
  );
}

/** The text of a field of PostgreSQL's COPY. */
export function copyText(field: string): string {
  return field.replace(
    /((?:\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}))+)|\\([\s\S])/g,
    (_, bytes?: string, character?: string) =>
      bytes === undefined ? (postgresEscapes[character ?? ''] ?? character ?? '') : bytesText(bytes),
  );
}

function textOfPoint(hex: string, otherwise: string): string {
  const point = Number.parseInt(hex, 16);
  return point <= 0x10ffff ? String.fromCodePoint(point) : otherwise;
}

/** Octal and hexadecimal escapes are bytes of the text's encoding, UTF-8 nearly always. */
function bytesText(escapes: string): string {
  const bytes = escapes
    .split('\\')
    .slice(1)
    .map(
      (code) => (code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)) & 0xff,
    );
  return Buffer.from(bytes).toString('utf8');
}
