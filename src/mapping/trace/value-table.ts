import type { Row } from '../../model/row.ts';
import { compileCandidates } from '../compile/candidates.ts';
import { compilePlaceholders } from '../compile/placeholders.ts';
import type { LoadedMapping } from '../load.ts';
import { targetsOf } from './targets.ts';

/** The table of values of a target: which texts reach it, and what it makes of them. */
export interface ValueTable {
  /** The texts of a row that are looked up in the table; '' for an empty cell. */
  textsOf(row: Row): readonly string[];
  /** What a text becomes (null: no value); undefined where the table does not list it. */
  becomes(text: string): string | null | undefined;
  /** The texts that the table lists. */
  readonly listed: readonly string[];
}

/** The table of a target's `values`, or of an assignee's `users`; undefined where the mapping has no such target with a rule. */
export function compileValueTable({ mapping }: LoadedMapping, name: string): ValueTable | undefined {
  const rule = targetsOf(mapping).find((target) => target.name === name)?.rule;
  if (rule === undefined) return undefined;
  const users = name === 'assignee' && rule.values === undefined ? mapping.assignee?.users : undefined;
  const entries = Object.entries(rule.values ?? users ?? {});
  const table = new Map(
    entries.map(([text, value]) => [text.toLowerCase(), value === null ? null : String(value)]),
  );
  const { values: _values, strict: _strict, join: _join, ...before } = rule;
  const withoutPlaceholders = compilePlaceholders(mapping.empty);
  const find = compileCandidates(before, true);
  return {
    textsOf: (row) => find(withoutPlaceholders(row)).candidates.map(({ text }) => text),
    becomes: (text) => table.get(text.toLowerCase()),
    listed: entries.map(([text]) => text),
  };
}
