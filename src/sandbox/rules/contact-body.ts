import { createValidationError } from '../api-error.ts';
import { isJsonObject, type JsonObject, readRequiredText, requireObjectBody } from './body.ts';
import { dataTypeChecks, type FieldDefinition, type FieldValue } from './data-types.ts';
import { isCountryCode, isEmail, isHttpUrl, isLanguageCode, isPhone } from './shapes.ts';

/** The plain fields of a contact that a request can set besides firstName, with the checks of their values. */
const plainFields = [
  ['lastName', () => true],
  ['phone', isPhone],
  ['email', isEmail],
  ['language', isLanguageCode],
  ['profilePic', isHttpUrl],
  ['countryCode', isCountryCode],
] as const;

type PlainField = (typeof plainFields)[number][0];

export const plainContactFieldNames = plainFields.map(([name]) => name);

const contactBodyNames = ['firstName', ...plainContactFieldNames, 'custom_fields'] as const;

/** The change that a create, an update or a merge asks for; an absent property is left alone, null clears. */
export interface ContactChange {
  /** Undefined if the body lacks it, which only `partial` allows. */
  readonly firstName: string | undefined;
  readonly plain: { readonly [F in PlainField]?: string | null };
  /** By the id of the custom field; undefined if the body has no `custom_fields`, empty if these are null. */
  readonly custom: ReadonlyMap<number, FieldValue | null> | undefined;
}

interface BodyRules {
  readonly unknownProperties: 'refuse' | 'ignore';
  /** True if the first name may be absent. */
  readonly partial: boolean;
  /** The names of further properties that the body may have. */
  readonly more?: readonly string[];
}

/** Reads the contact fields of a body; throws a 400 that names the first rule broken. */
export function parseContactChange(
  body: unknown,
  fieldNamed: (name: string) => FieldDefinition | undefined,
  { unknownProperties, partial, more = [] }: BodyRules,
): ContactChange {
  const object = requireObjectBody(body, [...contactBodyNames, ...more], unknownProperties);
  return {
    firstName: partial && object.firstName === undefined ? undefined : readRequiredText(object, 'firstName'),
    plain: plainChange(object),
    custom: 'custom_fields' in object ? customChange(object.custom_fields, fieldNamed) : undefined,
  };
}

function plainChange(body: JsonObject): ContactChange['plain'] {
  const change: { -readonly [F in PlainField]?: string | null } = {};
  for (const [name, fits] of plainFields) {
    const value = body[name];
    if (value === undefined) continue;
    if (value !== null && typeof value !== 'string')
      throw createValidationError(`${name} must be text or null`);
    if (value !== null && !fits(value)) throw createValidationError(`"${value}" is no valid ${name}`);
    change[name] = value === '' ? null : value;
  }
  return change;
}

function customChange(
  value: unknown,
  fieldNamed: (name: string) => FieldDefinition | undefined,
): ReadonlyMap<number, FieldValue | null> {
  if (value === null) return new Map();
  if (!Array.isArray(value)) throw createValidationError('custom_fields must be an array');
  const change = new Map<number, FieldValue | null>();
  for (const entry of value) {
    const [field, fieldValue] = customEntry(entry, fieldNamed);
    if (change.has(field.id)) throw createValidationError(`custom field "${field.name}" is listed twice`);
    change.set(field.id, fieldValue);
  }
  return change;
}

function customEntry(
  entry: unknown,
  fieldNamed: (name: string) => FieldDefinition | undefined,
): [FieldDefinition, FieldValue | null] {
  if (!isJsonObject(entry)) throw createValidationError('an entry of custom_fields must be an object');
  const name = readRequiredText(entry, 'name');
  const field = fieldNamed(name);
  if (field === undefined) throw createValidationError(`there is no custom field "${name}"`);
  const value = entry.value ?? null;
  if (value === null || (value === '' && field.dataType === 'text')) return [field, null];
  if (!dataTypeChecks[field.dataType](value, field)) {
    throw createValidationError(
      `${JSON.stringify(value)} is no ${field.dataType} for custom field "${name}"`,
    );
  }
  return [field, value];
}
