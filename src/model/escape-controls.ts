/**
 * Matches an invisible character where it belongs to the letters around it: joiners of emoji and of scripts that need
 * them, and variation selectors. Elsewhere such a character can make two different names look the same.
 */
const inPlace = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\p{Emoji}\ufe0f)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=(?!\p{sc=Latn}|\p{sc=Grek}|\p{sc=Cyrl}|\p{sc=Zinh}|\p{DI})[\p{L}\p{M}])[\u200c\u200d]`,
  String.raw`(?<=\p{Emoji})[\ufe0e\ufe0f]`,
  String.raw`(?<=\p{Ideographic})[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  String.raw`(?<=\p{sc=Mong})[\u180b-\u180d\u180f]`,
].join('|');

/** Visible format characters: the number and end marks of Arabic, Syriac and Kaithi. */
const seen = String.raw`[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]`;

/** Controls of terminals and of the writing direction, characters that no font shows, and lone surrogates. */
const hidden = String.raw`(?!${seen})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]`;

const candidates = new RegExp(`(${inPlace})|(?![\\t\\n])${hidden}`, 'gu');
const harmless = /^[\t\n\x20-\x7e]*$/;

/**
 * Escapes control characters (except line feeds and tabs) and invisible characters that can deceive, each in the form
 * `\u001b`. Escaped JSON text is still JSON with the same value.
 */
export function escapeControlCharacters(text: string): string {
  if (harmless.test(text)) return text;
  return text.replace(candidates, (found: string, kept: string | undefined) => kept ?? codeUnits(found));
}

function codeUnits(text: string): string {
  return text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

/** Returns the text on one line, so that a value from outside cannot look like a line of Longshore's own output. */
export function toSingleLine(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ').trim();
}
