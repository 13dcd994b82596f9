import { contactFieldTypes, dataTypes, type Parsed } from '../../datatypes/index.ts';
import type { ContactFieldName } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { Row } from '../../model/row.ts';
import type { Note } from '../document/mistake.ts';
import type { CustomFieldRule } from '../schema/custom-fields.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import { compileField, type FieldResult } from './field.ts';

type Reader<V> = (row: Row, country: string | undefined) => FieldResult<V>;

/** A rule under `contact:`. */
export function compileContactField(name: ContactFieldName, rule: FieldRule, note: Note): Reader<string> {
  const { parse } = contactFieldTypes[name];
  const raw = rule.default === undefined ? undefined : String(rule.default);
  return compileField(rule, {
    code: name,
    readsEmpty: false,
    firstValid: name === 'email' || name === 'phone',
    read: parse,
    fallback: readDefault(raw, (text) => parse(text, undefined), ['contact', name, 'default'], note),
  });
}

/** A rule under `customFields:`; `field` is the workspace's, where it is known. */
export function compileCustomField(
  name: string,
  rule: CustomFieldRule,
  field: CustomField | undefined,
  note: Note,
): Reader<string | number | boolean> {
  const dataType = dataTypes[rule.type];
  const allowedValues = field?.dataType === 'list' ? (field.allowedValues ?? undefined) : undefined;
  const reader = dataType.reader(rule, { allowedValues });
  return compileField(rule, {
    code: `customFields.${name}`,
    readsEmpty: reader.readsEmpty,
    firstValid: rule.type === 'email',
    read: reader.read,
    fallback: defaultOf(),
  });

  function defaultOf(): string | number | boolean | undefined {
    const raw = rule.default;
    // YAML has numbers and booleans of its own; only text goes through the options of the rule.
    if (typeof raw === rule.type || (typeof raw === 'boolean' && rule.type === 'checkbox')) return raw;
    const text = raw === undefined ? undefined : String(raw);
    return readDefault(text, (cell) => reader.read(cell), ['customFields', name, 'default'], note);
  }
}

function readDefault<V>(
  raw: string | undefined,
  read: (text: string) => Parsed<V>,
  path: readonly string[],
  note: Note,
): V | undefined {
  if (raw === undefined) return undefined;
  const parsed = read(raw);
  if (parsed.ok) return parsed.value;
  note(path, `the default is not valid here: ${parsed.reason}`);
  return undefined;
}
