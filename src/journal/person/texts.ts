/** The placeholder that replaces a removed text. */
export const forgottenPlaceholder = '[forgotten]';

/** Returns a text with the identifiers of a person replaced by a placeholder; null if it has none of them. */
export type TextRemover = (text: string) => string | null;

/**
 * Returns a function that removes these identifiers (`email:…`, `phone:…`) in any case and spelling: percent-encoded, as
 * in JSON, and phones as bare digits.
 */
export function createTextRemover(identifiers: readonly string[]): TextRemover {
  const patterns = identifiers.flatMap((identifier) => {
    const colon = identifier.indexOf(':');
    const value = identifier.slice(colon + 1);
    // A placeholder of an earlier, interrupted `forget` identifies no person.
    if (value === '' || value.includes(forgottenPlaceholder)) return [];
    const digits = value.replace(/\D/g, '');
    if (identifier.startsWith('phone:'))
      return digits === '' ? [] : [`(?<!\\d)(?:\\+|%2B|00)?${digits}(?!\\d)`];
    return [...new Set([value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)])].map(escaped);
  });
  if (patterns.length === 0) return () => null;
  const pattern = new RegExp(patterns.sort((a, b) => b.length - a.length).join('|'), 'giu');
  return (text) => {
    const clean = text.replaceAll(pattern, forgottenPlaceholder);
    return clean === text ? null : clean;
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
