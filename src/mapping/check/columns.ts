import { columnUses } from '../columns.ts';
import type { Mistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import { insteadOf } from './listed.ts';

/** What the mapping reads and the input's header does not have, each with its place and the nearest column. */
export function checkColumns(mapping: LoadedMapping, columns: readonly string[]): readonly Mistake[] {
  const known = new Set(columns);
  return columnUses(mapping.mapping)
    .filter(({ column }) => !known.has(column))
    .map(({ column, path }) => {
      const instead = insteadOf(column, columns);
      return mapping.mistake(path, `the input has no column ${JSON.stringify(column)}${instead}`);
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}
