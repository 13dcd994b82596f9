import { invalid } from '../refusal.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The JSON of a body; throws for bytes that are no UTF-8 or no JSON. */
export function jsonOf(bytes: Uint8Array): unknown {
  return JSON.parse(utf8.decode(bytes));
}

/** The body as an object; throws a 400 where it is none, or has properties outside `known` and they are refused. */
export function objectBody(
  body: unknown,
  known: readonly string[],
  unknownProperties: 'refuse' | 'ignore',
): JsonObject {
  if (!isObject(body)) throw invalid('the body must be a JSON object');
  if (unknownProperties === 'refuse') {
    const stranger = Object.keys(body).find((name) => !known.includes(name));
    if (stranger !== undefined) throw invalid(`"${stranger}" is no property of this body`);
  }
  return body;
}

/** The body without those of its named properties whose value stands for none. */
export function leftOut(
  body: JsonObject,
  names: readonly string[],
  isNone: (value: unknown) => boolean,
): JsonObject {
  const kept = Object.entries(body).filter(([name, value]) => !names.includes(name) || !isNone(value));
  return Object.fromEntries(kept);
}

/** A required text that is not empty. */
export function requiredText(body: JsonObject, name: string): string {
  const value = body[name];
  if (typeof value !== 'string' || value.trim() === '') throw invalid(`${name} is required and must be text`);
  return value;
}

/** A text of at most `max` UTF-16 units, or undefined where the body has none. */
export function optionalText(body: JsonObject, name: string, max = 100_000): string | undefined {
  const value = body[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`${name} must be text`);
  if (value.length > max) throw invalid(`${name} must not exceed ${max} characters`);
  return value;
}

/** An array of different texts that are not empty. */
export function textArray(value: unknown, name: string): readonly string[] {
  if (!Array.isArray(value)) throw invalid(`${name} must be an array of texts`);
  const texts = value.map((item: unknown) => {
    if (typeof item !== 'string' || item.trim() === '') throw invalid(`${name} must hold texts`);
    return item;
  });
  if (new Set(texts).size !== texts.length) throw invalid(`${name} must not repeat an item`);
  return texts;
}
