import { decoded, likelyEncoding, statedEncoding } from './byte-text.ts';
import type { ContentLine, Head } from './content-line.ts';
import { fromQuotedPrintable, parts, unescaped } from './escapes.ts';

/** The names of the components that some properties have between semicolons. */
export const componentNames: ReadonlyMap<string, readonly string[]> = new Map([
  ['N', ['family', 'given', 'middle', 'prefix', 'suffix']],
  ['ADR', ['pobox', 'extended', 'street', 'city', 'region', 'code', 'country']],
  ['ORG', ['', 'unit']],
]);

const none: readonly string[] = [];

/** A property with its value as text. */
export interface Property extends Pick<Head, 'group' | 'name' | 'types' | 'preference'> {
  /** With its escapes; '' of a property that has components. */
  readonly value: string;
  /** Without escapes. */
  readonly components: readonly string[];
}

/** The value of a line as text; null where it is binary. `encoding` is the file's. */
export function property(line: ContentLine, encoding: string): Property | null {
  const { value } = line;
  const { group, name, types, preference, coding, charset } = line.head;
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
  if (coding === 'quoted-printable') {
    const read = quotedPrintable(line, encoding);
    if (!hasComponents) return of(read(value), none);
    // A semicolon that is coded is text, one that is not parts: so the parting comes first.
    const coded = parts(value, ';');
    return of(
      '',
      coded.map((part) => unescaped(read(part))),
    );
  }
  const bytes = coding === 'base64' ? Buffer.from(value, 'base64').toString('latin1') : value;
  const isUnstated = charset === null && coding === 'base64';
  const own = isUnstated ? likelyEncoding(bytes, encoding) : statedEncoding(charset, encoding);
  const text = decoded(bytes, own);
  if (coding === 'base64' && isBinary(text)) return null;
  const clean = withoutNul(text);
  if (!hasComponents) return of(clean, none);
  return of('', parts(clean, ';').map(unescaped));
}

function quotedPrintable(
  { value, head: { charset } }: ContentLine,
  encoding: string,
): (coded: string) => string {
  const own =
    charset === null
      ? likelyEncoding(fromQuotedPrintable(value), encoding)
      : statedEncoding(charset, encoding);
  return (coded) => withoutNul(decoded(fromQuotedPrintable(coded), own));
}

function isBinary(text: string): boolean {
  return /[\p{Surrogate}\p{Cc}]/u.test(text.replace(/\s/g, ''));
}

function withoutNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
