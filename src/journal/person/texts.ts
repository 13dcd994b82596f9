import { findOtherPhoneForm } from '../../model/phone-forms.ts';

/** The placeholder that replaces a removed text. */
export const forgottenPlaceholder = '[forgotten]';

/** Returns a text with the identifiers of a person replaced by a placeholder; null if it has none of them. */
export type IdentifierRedactor = (text: string) => string | null;

/**
 * Returns a function that replaces these identifiers (`email:…`, `phone:…`) in a text. E-mails match in any case, also
 * percent-encoded or escaped as in JSON, but not within a longer address. Phones match as digits without separators,
 * with or without `+`, `%2B` or `00`, in either form of a number that has two.
 */
export function createIdentifierRedactor(identifiers: readonly string[]): IdentifierRedactor {
  const patterns = identifiers.flatMap((identifier) => {
    const colon = identifier.indexOf(':');
    const value = identifier.slice(colon + 1);
    // A placeholder of an earlier, interrupted `forget` identifies no person.
    if (value === '' || value.includes(forgottenPlaceholder)) return [];
    const digits = value.replace(/\D/g, '');
    if (identifier.startsWith('phone:'))
      return [digits, findOtherPhoneForm(`+${digits}`)?.slice(1) ?? ''].flatMap((each) =>
        each === '' ? [] : [`(?<!\\d)(?:\\+|%2B|00)?${each}(?!\\d)`],
      );
    const spellings = new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]);
    return [...spellings].map((each) => `${addressStart}${escaped(each)}${addressEnd}`);
  });
  if (patterns.length === 0) return () => null;
  const pattern = new RegExp(patterns.sort((a, b) => b.length - a.length).join('|'), 'giu');
  return (text) => {
    const clean = text.replaceAll(pattern, forgottenPlaceholder);
    return clean === text ? null : clean;
  };
}

// Escapes of JSON and URLs may stand right before an address, and look like a part of it: `\\nada@example.com`.
const afterEscape = String.raw`(?<=\\[bfnrt]|\\u[\da-f]{4}|%[\da-f]{2})`;
const addressStart = String.raw`(?:${afterEscape}|(?<![\p{L}\p{N}_]|[\p{L}\p{N}_][.+-]))`;
const addressEnd = String.raw`(?![\p{L}\p{N}_]|[.-][\p{L}\p{N}])`;

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
