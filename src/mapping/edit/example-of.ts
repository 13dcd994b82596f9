import type { Draft } from '../../model/draft.ts';
import type { NestedRow, Row } from '../../model/row.ts';
import { findColumnUses, findListUses } from '../columns.ts';
import { compileMapping } from '../compile/index.ts';
import { splitListColumn } from '../compile/read-column.ts';
import type { LoadedMapping } from '../load.ts';
import { compileTagFinalizer } from '../settle-tags.ts';
import { collectTargetValues } from '../trace/targets.ts';
import type { JsonValue } from './plain.ts';

/** Returns an entry of `tests:` made from a row: the cells that the mapping reads, and the mapping's current result. */
export function createMappingExample(loaded: LoadedMapping, row: Row): { readonly [key: string]: JsonValue } {
  const mapped = compileMapping(loaded)(row);
  const read = rowAsRead(loaded, row);
  if (!mapped.ok) {
    const [first] = mapped.problems;
    if (first === undefined) throw new Error('a row was rejected without a problem');
    return { row: read, rejects: first.code };
  }
  const settled = compileTagFinalizer(loaded)(mapped.draft);
  return settled.ok
    ? { row: read, expect: expected(settled.draft) }
    : { row: read, rejects: settled.problem.code };
}

/** Returns the cells and lists that the mapping reads; empty ones are left out, as in a test. */
function rowAsRead({ mapping }: LoadedMapping, row: Row): { readonly [column: string]: JsonValue } {
  const found = new Map<string, JsonValue>();
  const lists = new Set(findListUses(mapping).map(({ list }) => list));
  for (const { column } of findColumnUses(mapping)) {
    const cell = row.cell(column);
    if (cell !== undefined && cell !== null && cell !== '') found.set(column, cell);
    else if (cell === undefined) for (const { list } of splitListColumn(column)) lists.add(list);
  }
  for (const list of lists) {
    const rows = row.list?.(list) ?? [];
    if (rows.length > 0) found.set(list, rows.map(listed));
  }
  return Object.fromEntries(found);
}

/** Returns a row of a list, empty cells included: they take precedence over the same column of the outer row. */
function listed(row: NestedRow): JsonValue {
  return row.cell('') ?? Object.fromEntries(row.entries());
}

function expected(draft: Draft): JsonValue {
  const found: Record<string, JsonValue> = {};
  const fields = { contact: new Map<string, JsonValue>(), customFields: new Map<string, JsonValue>() };
  for (const [target, { value }] of collectTargetValues(draft)) {
    if (target.startsWith('contact.')) fields.contact.set(target.slice('contact.'.length), value);
    else if (target.startsWith('customFields.'))
      fields.customFields.set(target.slice('customFields.'.length), value);
    else found[target] = value;
  }
  const filled = Object.entries(fields).filter(([, { size }]) => size > 0);
  return {
    ...Object.fromEntries(filled.map(([part, values]) => [part, Object.fromEntries(values)])),
    ...found,
  };
}
