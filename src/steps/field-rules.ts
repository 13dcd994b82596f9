import { dataTypes, findDataType, isSameContactFieldValue } from '../datatypes/index.ts';
import type { CustomField, CustomValue } from '../model/custom-field.ts';

/**
 * Compares field values of a workspace with desired ones, and converts values that were read to the form for sending.
 */
export type FieldComparator = ReturnType<typeof createFieldComparator>;

/**
 * Returns the comparator for a workspace with these custom fields; a field of an unknown data type is compared as
 * text.
 */
export function createFieldComparator(fields: readonly CustomField[]) {
  const types = new Map(fields.map((field) => [field.name, findDataType(field.dataType) ?? dataTypes.text]));
  const typeOf = (name: string) => types.get(name) ?? dataTypes.text;
  return {
    sameContactField: isSameContactFieldValue,
    /** Compares by the field's data type: the workspace returns every value as a string. */
    sameCustomField: (name: string, readBack: CustomValue, wanted: CustomValue): boolean =>
      typeOf(name).same(readBack, wanted),
    /** Converts a value that was read to the form in which it is sent: numbers and checkboxes unquoted. */
    toSend(name: string, readBack: CustomValue): CustomValue {
      if (typeof readBack !== 'string') return readBack;
      const type = typeOf(name);
      if (type === dataTypes.number && readBack.trim() !== '' && Number.isFinite(Number(readBack)))
        return Number(readBack);
      if (type === dataTypes.checkbox && (readBack === 'true' || readBack === 'false'))
        return readBack === 'true';
      return readBack;
    },
  };
}
