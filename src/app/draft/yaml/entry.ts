/** A key of a YAML map with its value, and what is said beside and above it. */
export interface Entry {
  readonly key: string;
  readonly value: Value;
  /** Behind the value, on its line. */
  readonly comment?: string | undefined;
  /** Lines above the key. */
  readonly above?: readonly string[] | undefined;
}

export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

export type Value =
  | { readonly plain: Plain }
  | { readonly entries: readonly Entry[] }
  /** A list whose items stand each on a line of their own. */
  | { readonly items: readonly Plain[] };

/** A share of rows as people read it: never 0 % where there is something, nor 100 % where something is missing. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  if (part === whole) return '100 %';
  return `${Math.min(99, Math.max(1, Math.round((part / whole) * 100)))} %`;
}

/** A name in a comment or a question: one line, its invisible characters gone, not too long. */
export function shownName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return plain.length > 60 ? `${plain.slice(0, 57)}...` : plain;
}
