/** The placeholder of a text that was removed. */
export const forgottenPlaceholder = '[forgotten]';

/** Removes the texts of a person from a text, however they are written; returns null if none is in it. */
export type TextRemover = (text: string) => string | null;

/**
 * Returns a function that removes all spellings of these identifiers: in upper case, in an address, in JSON, as bare
 * digits.
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
