import type { CustomValue } from '../../../../src/model/custom-field.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import type { TransportResponse } from '../../../../src/model/ports.ts';

/** Whoever has this first name is refused by the model, create, update and merge alike. */
export const refusedName = 'Ada REFUSED';

/** A custom field of the model. */
export interface ModelField {
  readonly id: number;
  readonly name: string;
  readonly dataType: string;
  readonly allowedValues?: readonly string[];
}

/** The contact fields of a body, or what is wrong with it. */
export function valuesOf(body: unknown, fields: readonly ModelField[]): string | Draft['values'] {
  if (!isRecord(body) || typeof body.firstName !== 'string') return 'firstName is required';
  if (body.firstName === refusedName) return 'this one is refused';
  const { custom_fields: entries = [], contactIds: _, ...others } = body;
  const contact: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(others)) {
    if (typeof value !== 'string' && value !== null) return `${name} is not a string`;
    contact[name] = value;
  }
  if (!Array.isArray(entries)) return 'custom_fields is not a list';
  const customFields: Record<string, CustomValue> = {};
  for (const entry of entries) {
    const value = customOf(entry, fields);
    if (typeof value === 'string') return value;
    customFields[value.name] = value.value;
  }
  return { contact, customFields };
}

function customOf(
  entry: unknown,
  fields: readonly ModelField[],
): string | { name: string; value: CustomValue } {
  if (!isRecord(entry) || typeof entry.name !== 'string') return 'a custom field needs a name';
  const { name, value } = entry;
  const type = fields.find((field) => field.name === name)?.dataType;
  const wanted = type === 'number' ? 'number' : type === 'checkbox' ? 'boolean' : 'string';
  if (type === undefined) return `there is no field ${name}`;
  if (value === null) return { name, value };
  if (typeof value !== wanted) return `${name} must be a ${wanted}`;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? { name, value }
    : 'what is that';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function answer(status: number, body: unknown): TransportResponse {
  return { status, retryAfter: undefined, body: JSON.stringify(body) };
}

export function error(status: number, message: string, retryAfter?: number): TransportResponse {
  return { status, retryAfter, body: JSON.stringify({ code: status, message }) };
}

export function page(items: readonly unknown[]): TransportResponse {
  return answer(200, { items, pagination: { next: '', previous: '' } });
}
