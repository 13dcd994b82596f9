import { createTimeOfDayTest, dataTypes } from '../../datatypes/index.ts';
import { listDateColumns } from '../columns.ts';
import type { Mapping } from '../schema.ts';

/** A day that a field of type date reads in a cell. */
export interface FieldDay {
  readonly field: string;
  /** As `yyyy-mm-dd`. */
  readonly day: string;
}

/**
 * Returns, for each column that only fields of type date read, the test whether a cell has a time of day, which these
 * fields leave out.
 */
export function compileTimeOfDayTests(mapping: Mapping): ReadonlyMap<string, (cell: string) => boolean> {
  const rules = Object.values(mapping.customFields ?? {});
  return new Map(
    listDateColumns(mapping).map((column) => {
      const own = rules.filter(({ type, from }) => type === 'date' && [from].flat().includes(column));
      return [column, createTimeOfDayTest(own)];
    }),
  );
}

/**
 * Returns a function from a cell to the days that fields of type date read in it; none for a column that other parts
 * of the mapping read, too.
 */
export function compileDayReader(mapping: Mapping): (column: string, cell: string) => readonly FieldDay[] {
  const columns = new Set(listDateColumns(mapping));
  const fields = Object.entries(mapping.customFields ?? {}).flatMap(([field, rule]) =>
    rule.type === 'date'
      ? [{ field, from: [rule.from].flat(), reader: dataTypes.date.reader(rule, {}) }]
      : [],
  );
  return (column, cell) => {
    if (!columns.has(column)) return [];
    return fields.flatMap(({ field, from, reader }) => {
      const read = from.includes(column) ? reader.read(cell.trim()) : undefined;
      return read?.ok === true ? [{ field, day: String(read.value) }] : [];
    });
  };
}
