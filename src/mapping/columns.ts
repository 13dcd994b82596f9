import type { FieldRule } from './schema/field-rule.ts';
import type { Mapping } from './schema.ts';
import { templateColumns } from './template.ts';

/** A column that the mapping reads, and where it says so. */
export interface ColumnUse {
  readonly column: string;
  readonly path: readonly (string | number)[];
}

/** Every use of an input column in `key`, `contact` and `customFields`. */
export function columnUses({ key, contact, customFields }: Mapping): readonly ColumnUse[] {
  const uses: ColumnUse[] = key === undefined ? [] : [{ column: key, path: ['key'] }];
  for (const [name, rule] of Object.entries(contact)) {
    if (rule) uses.push(...ruleUses(rule, ['contact', name]));
  }
  const country = contact.phone?.country;
  if (typeof country === 'object') uses.push(...fromUses(country.from, ['contact', 'phone', 'country']));
  for (const [name, rule] of Object.entries(customFields ?? {})) {
    uses.push(...ruleUses(rule, ['customFields', name]));
  }
  return uses;
}

function ruleUses(rule: FieldRule, path: readonly string[]): readonly ColumnUse[] {
  const inserted = templateColumns(rule.template ?? '').map((column) => ({
    column,
    path: [...path, 'template'],
  }));
  return [...fromUses(rule.from, path), ...inserted];
}

function fromUses(from: FieldRule['from'], path: readonly string[]): readonly ColumnUse[] {
  if (from === undefined) return [];
  if (typeof from === 'string') return [{ column: from, path: [...path, 'from'] }];
  return from.map((column, index) => ({ column, path: [...path, 'from', index] }));
}
