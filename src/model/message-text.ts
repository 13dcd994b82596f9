/** Properties whose texts describe a message of an unknown kind, in the order in which they are shown. */
const telling = [
  'text',
  'title',
  'subtitle',
  'caption',
  'description',
  'subject',
  'name',
  'fileName',
  'filename',
  'emoji',
  'address',
  'latitude',
  'longitude',
  'link',
  'url',
] as const;

const deepest = 6;
const mostParts = 30;

/**
 * Returns the text of a text message; for other types (images, files, templates, places: not in the specification)
 * the type in brackets with up to 30 texts and addresses found in it; an empty text for no message.
 */
export function formatMessageText(
  message: { readonly type?: string | null | undefined; readonly text?: string | null | undefined } | null,
): string {
  if (message === null) return '';
  const { type, text } = message;
  if ((type ?? 'text') === 'text') return text ?? '';
  const parts = [...new Set(found(message, 0))].slice(0, mostParts);
  return [`[${type}]`, ...parts].join(' ');
}

/** Returns the texts of the object itself first, then those of nested objects. */
function found(value: unknown, depth: number): readonly string[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  if (Array.isArray(value)) return value.flatMap((each: unknown) => found(each, depth + 1));
  const properties = new Map<string, unknown>(Object.entries(value));
  const own = telling.flatMap((name) => textIn(properties.get(name)));
  return [...own, ...[...properties.values()].flatMap((each) => found(each, depth + 1))];
}

function textIn(value: unknown): readonly string[] {
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'string' && value.trim() !== '' ? [value.trim()] : [];
}
