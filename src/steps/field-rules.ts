import { dataTypeOf, dataTypes, sameContactField } from '../datatypes/index.ts';
import type { CustomField, CustomValue } from '../model/custom-field.ts';

/** How values of this workspace are compared and sent again. */
export type FieldRules = ReturnType<typeof fieldRules>;

/** The rules of the workspace's own custom fields; an unknown data type compares as text. */
export function fieldRules(fields: readonly CustomField[]) {
  const types = new Map(fields.map((field) => [field.name, dataTypeOf(field.dataType) ?? dataTypes.text]));
  const typeOf = (name: string) => types.get(name) ?? dataTypes.text;
  return {
    sameContactField,
    /** By the field's data type: the workspace reads every value back as a string. */
    sameCustomField: (name: string, readBack: CustomValue, wanted: CustomValue): boolean =>
      typeOf(name).same(readBack, wanted),
    /** A value that was read back, as it must be sent: numbers and checkboxes without quotation marks. */
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
