import type { Draft } from '../../model/draft.ts';
import type { NestedRow, Row } from '../../model/row.ts';
import { columnUses, listUses } from '../columns.ts';
import { compileMapping } from '../compile/index.ts';
import { listColumns } from '../compile/read-column.ts';
import type { LoadedMapping } from '../load.ts';
import { settleTags } from '../settle-tags.ts';
import { valuesByTarget } from '../trace/targets.ts';
import type { Plain } from './plain.ts';

/** Returns an entry of `tests:` made from a row: the cells that the mapping reads, and the mapping's current result. */
export function createExample(loaded: LoadedMapping, row: Row): { readonly [key: string]: Plain } {
  const mapped = compileMapping(loaded)(row);
  const read = rowAsRead(loaded, row);
  if (!mapped.ok) {
    const [first] = mapped.problems;
    if (first === undefined) throw new Error('a row was rejected without a problem');
    return { row: read, rejects: first.code };
  }
  const settled = settleTags(loaded)(mapped.draft);
  return settled.ok
    ? { row: read, expect: expected(settled.draft) }
    : { row: read, rejects: settled.problem.code };
}

/** Returns the cells and lists that the mapping reads; empty ones are left out, as in a test. */
function rowAsRead({ mapping }: LoadedMapping, row: Row): { readonly [column: string]: Plain } {
  const found = new Map<string, Plain>();
  const lists = new Set(listUses(mapping).map(({ list }) => list));
  for (const { column } of columnUses(mapping)) {
    const cell = row.cell(column);
    if (cell !== undefined && cell !== null && cell !== '') found.set(column, cell);
    else if (cell === undefined) for (const { list } of listColumns(column)) lists.add(list);
  }
  for (const list of lists) {
    const rows = row.list?.(list) ?? [];
    if (rows.length > 0) found.set(list, rows.map(listed));
  }
  return Object.fromEntries(found);
}

/** Returns a row of a list, empty cells included: they take precedence over the same column of the outer row. */
function listed(row: NestedRow): Plain {
  return row.cell('') ?? Object.fromEntries(row.entries());
}

function expected(draft: Draft): Plain {
  const found: Record<string, Plain> = {};
  const fields = { contact: new Map<string, Plain>(), customFields: new Map<string, Plain>() };
  for (const [target, { value }] of valuesByTarget(draft)) {
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
