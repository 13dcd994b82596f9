import { decoded, likelyEncoding, statedEncoding } from './byte-text.ts';
import type { ContentLine } from './content-line.ts';
import { fromQuotedPrintable, parts, unescaped } from './escapes.ts';

/** A property with its value as text. */
export interface Property extends Pick<ContentLine, 'group' | 'name' | 'types' | 'preference'> {
  /** The whole value, with its escapes. */
  readonly value: string;
  /** The components between semicolons, without escapes. */
  readonly components: readonly string[];
}

/** The value of a line as text; null where it is binary. `encoding` is the file's. */
export function property(line: ContentLine, encoding: string): Property | null {
  const { group, name, types, preference, coding, charset } = line;
  const about = { group, name, types, preference };
  if (coding === 'base64') {
    const bytes = Buffer.from(line.value, 'base64').toString('latin1');
    const text = withoutNul(
      decoded(bytes, charset === null ? likelyEncoding(bytes, encoding) : statedEncoding(charset, encoding)),
    );
    return /[\p{Surrogate}\p{Cc}]/u.test(text.replace(/\s/g, ''))
      ? null
      : { ...about, value: text, components: [text] };
  }
  if (coding === null) {
    const value = withoutNul(decoded(line.value, statedEncoding(charset, encoding)));
    return { ...about, value, components: parts(value, ';').map(unescaped) };
  }
  const bytes = fromQuotedPrintable(line.value);
  const own = charset === null ? likelyEncoding(bytes, encoding) : statedEncoding(charset, encoding);
  const text = (coded: string) => withoutNul(decoded(fromQuotedPrintable(coded), own));
  // A semicolon that is coded is text, one that is not separates: so the parting comes first.
  const components = parts(line.value, ';').map((part) => unescaped(text(part)));
  return { ...about, value: text(line.value), components };
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
