const spaces = new Set(
  [
    '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a',
    '\u2028\u2029\u202f\u205f\u3000',
    // Invisible characters: zero-width characters, joiners, direction marks, the BOM.
    '\u00ad\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff',
  ]
    .join('')
    .split('')
    .map((character) => character.charCodeAt(0)),
);

/** Removes white space at both ends, including invisible characters and the ideographic space. */
export function trimWhiteSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && spaces.has(text.charCodeAt(start))) start++;
  while (end > start && spaces.has(text.charCodeAt(end - 1))) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/**
 * Returns a text in lower case. The Turkish İ becomes a plain i: by the rules of Unicode it would become an i and a
 * combining dot, which is another e-mail address and another name.
 */
export function toLowerCase(text: string): string {
  return text.toLowerCase().replaceAll('i\u0307', 'i');
}

const invisible = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const spaceRun = /[\s\u0085]+/g;

/** Removes invisible characters, collapses white space, and trims. */
export function collapseWhiteSpace(text: string): string {
  return text.replace(invisible, '').replace(spaceRun, ' ').trim();
}
