import { isDate, isEmail, isLooseUrl, isTime } from './shapes.ts';

export const fieldDataTypes = ['text', 'list', 'number', 'checkbox', 'email', 'url', 'date', 'time'] as const;

export type FieldDataType = (typeof fieldDataTypes)[number];

/** A custom field as the workspace keeps it. */
export interface FieldDefinition {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly dataType: FieldDataType;
  readonly allowedValues: readonly string[];
}

/** A stored value of a custom field; empty values are not stored. */
export type FieldValue = string | number | boolean;

export function isFieldDataType(value: unknown): value is FieldDataType {
  return fieldDataTypes.some((name) => name === value);
}

type Accepts = (value: unknown, field: FieldDefinition) => value is FieldValue;

const textThat =
  (fits: (text: string, field: FieldDefinition) => boolean): Accepts =>
  (value, field): value is FieldValue =>
    typeof value === 'string' && fits(value, field);

/** The checks of JSON values for a field, by data type (specification: Custom field value formatting rules). */
export const dataTypeChecks: { readonly [T in FieldDataType]: Accepts } = {
  text: textThat(() => true),
  number: (value): value is FieldValue => typeof value === 'number' && Number.isFinite(value),
  email: textThat(isEmail),
  url: textThat(isLooseUrl),
  list: textThat((text, field) => field.allowedValues.includes(text)),
  date: textThat(isDate),
  time: textThat(isTime),
  checkbox: (value): value is FieldValue => typeof value === 'boolean',
};

/** Converts a text to a value of the field's data type; undefined if it does not fit. */
export function parseFieldText(text: string, field: FieldDefinition): FieldValue | undefined {
  const value = typedText(text, field.dataType);
  return dataTypeChecks[field.dataType](value, field) ? value : undefined;
}

function typedText(text: string, dataType: FieldDataType): unknown {
  if (dataType === 'number') return text.trim() === '' ? undefined : Number(text);
  if (dataType === 'checkbox') return text === 'true' ? true : text === 'false' ? false : undefined;
  return text;
}

/** Returns a free slug made from a custom field's name, as a workspace gives to a field without one. */
export function createSlug(name: string, taken: (slug: string) => boolean): string {
  const plain =
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '') || 'field';
  let slug = plain;
  for (let n = 2; taken(slug); n += 1) slug = `${plain}_${n}`;
  return slug;
}
