/**
 * Returns the values of a cell between separators. A value in double quotes may have a separator of one character in it,
 * as in a line of CSV: `Sailing,"Rock, Pop"`; a quote anywhere else is a character like any other.
 */
export function splitCell(text: string, separator: string): readonly string[] {
  if (separator.length !== 1 || !text.includes('"')) return text.split(separator);
  const values: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const quoted = quotedAt(text, at, separator);
    const end = quoted?.end ?? nextOf(text, separator, at);
    values.push(quoted?.value ?? text.slice(at, end));
    at = end + 1;
  }
  return values;
}

function nextOf(text: string, separator: string, from: number): number {
  const at = text.indexOf(separator, from);
  return at === -1 ? text.length : at;
}

const quotedValue = /\s*"((?:[^"]|"")*)"\s*/y;

/** Returns the quoted value at an index, if a separator or the end of the text follows it. */
function quotedAt(
  text: string,
  at: number,
  separator: string,
): { readonly value: string; readonly end: number } | undefined {
  quotedValue.lastIndex = at;
  const [, value] = quotedValue.exec(text) ?? [];
  const end = quotedValue.lastIndex;
  const isWhole = value !== undefined && (end === text.length || text[end] === separator);
  return isWhole ? { value: value.replaceAll('""', '"'), end } : undefined;
}
