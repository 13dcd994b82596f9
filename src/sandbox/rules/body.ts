import { createValidationError } from '../api-error.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Parses a body as JSON in UTF-8; throws a TypeError for other bytes, and a SyntaxError for other text. */
export function parseUtf8Json(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/**
 * Returns the body as an object; throws a 400 for any other value, and for properties outside `known` if those are
 * refused.
 */
export function requireObjectBody(
  body: unknown,
  known: readonly string[],
  unknownProperties: 'refuse' | 'ignore',
): JsonObject {
  if (!isJsonObject(body)) throw createValidationError('the body must be a JSON object');
  if (unknownProperties === 'refuse') {
    const stranger = Object.keys(body).find((name) => !known.includes(name));
    if (stranger !== undefined) throw createValidationError(`"${stranger}" is no property of this body`);
  }
  return body;
}

/** Returns the body without the properties in `names` that `isNone` accepts as empty. */
export function omitEmptyProperties(
  body: JsonObject,
  names: readonly string[],
  isNone: (value: unknown) => boolean,
): JsonObject {
  const kept = Object.entries(body).filter(([name, value]) => !names.includes(name) || !isNone(value));
  return Object.fromEntries(kept);
}

/** Returns a required property as text; throws a 400 if it is missing, blank or of another type. */
export function readRequiredText(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '')
    throw createValidationError(`${name} is required and must be text`);
  return value;
}

/**
 * Returns a property as text of at most `max` UTF-16 units, undefined if it is absent; throws a 400 for any other
 * value.
 */
export function readOptionalText(body: JsonObject, name: string, max = 100_000): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw createValidationError(`${name} must be text`);
  if (value.length > max) throw createValidationError(`${name} must not exceed ${max} characters`);
  return value;
}

/** Returns an array of distinct texts, none of them blank; throws a 400 for any other value. */
export function readTextArray(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value)) throw createValidationError(`${name} must be an array of texts`);
  const texts = value.map((item: unknown) => {
    if (typeof item !== 'string' || item.trim() === '')
      throw createValidationError(`${name} must hold texts`);
    return item;
  });
  if (new Set(texts).size !== texts.length) throw createValidationError(`${name} must not repeat an item`);
  return texts;
}
