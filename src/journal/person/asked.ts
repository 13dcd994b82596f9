/** The identifier, contact id or source key by which the command line names a person. */
export interface PersonQuery {
  readonly kind: 'email' | 'phone' | 'key' | 'id';
  readonly value: string;
}

const named = /^(email|phone|key|id):(.+)$/s;

/** Parses `ada@example.com`, `+49 151 123`, `id:17`, `key:17` or a bare source key; any other text counts as a key. */
export function parsePersonQuery(typed: string): PersonQuery {
  const text = typed.trim().normalize('NFC');
  const [, kind, value] = named.exec(text) ?? [];
  if (kind === 'email' && value !== undefined) return { kind, value: value.toLowerCase() };
  if (kind === 'phone' && value !== undefined) return { kind, value: phoneOf(value) };
  if ((kind === 'key' || kind === 'id') && value !== undefined) return { kind, value };
  if (/^\S+@\S+$/.test(text)) return { kind: 'email', value: text.toLowerCase() };
  if (/^\+[\d\s()./-]{6,}$/.test(text)) return { kind: 'phone', value: phoneOf(text) };
  return { kind: 'key', value: text };
}

/** Returns true for a text that looks like a phone number without its country code, which is taken as a key. */
export function isLikeNationalPhone(typed: string): boolean {
  const text = typed.trim();
  return !text.startsWith('+') && /^[\d\s()./-]+$/.test(text) && text.replace(/\D/g, '').length >= 7;
}

function phoneOf(text: string): string {
  return `+${text.replace(/\D/g, '').replace(/^00/, '')}`;
}
