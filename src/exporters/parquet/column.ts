import type { SchemaElement } from 'hyparquet';
import type { ColumnType } from '../../model/export-record.ts';
import { booleanOf, dateOf, integerOf, momentOf, numberOf, textsOf } from '../typed-value.ts';
import { jsonOf, textOf } from '../value.ts';

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly schema: readonly SchemaElement[];
  /** The value as the column holds it; null where it is empty or of another type. */
  typed(value: unknown): unknown;
}

const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } } as const;
const moment = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;
const date = { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } } as const;

type Leaf = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const leaves: {
  readonly [T in Exclude<ColumnType, 'texts'>]: readonly [Leaf, (value: unknown) => unknown];
} = {
  text: [text, textOf],
  json: [text, jsonOf],
  integer: [{ type: 'INT64' }, integerOf],
  number: [{ type: 'DOUBLE' }, numberOf],
  boolean: [{ type: 'BOOLEAN' }, booleanOf],
  moment: [moment, momentOf],
  date: [date, dateOf],
};

/** The column of that name for values of a type. */
export function parquetColumn(name: string, type: ColumnType): ParquetColumn {
  if (type === 'texts') return { schema: listOf(name), typed: textsOf };
  const [leaf, typed] = leaves[type];
  return { schema: [{ name, repetition_type: 'OPTIONAL', ...leaf }], typed };
}

function listOf(name: string): readonly SchemaElement[] {
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...text },
  ];
}
