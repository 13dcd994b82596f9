/** A key of a YAML map with its value and its comments. */
export interface YamlEntry {
  readonly key: string;
  readonly value: YamlEntryValue;
  /** A comment after the value, on the same line; above the key for a map or list in block style. */
  readonly comment?: string | undefined;
  /** Comment lines above the key. */
  readonly above?: readonly string[] | undefined;
}

export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue };

export type YamlEntryValue =
  | { readonly plain: YamlValue }
  | { readonly entries: readonly YamlEntry[] }
  /** A list with each item on its own line. */
  | { readonly items: readonly YamlValue[] };

/** Returns a share as a whole percentage: 0 % only for none, 100 % only for all. */
export function formatWholePercent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

/** Returns a name for a comment or a question: one line, without invisible characters, shortened. */
export function toPrintableName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return plain.length > 60 ? `${plain.slice(0, 57)}...` : plain;
}
