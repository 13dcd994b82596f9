import { entriesWithPaths } from './schema/comments.ts';
import type { FieldRule } from './schema/field-rule.ts';
import type { Mapping } from './schema.ts';
import { templateColumns } from './template.ts';

/** A column that the mapping reads, with its place in the mapping. */
export interface ColumnUse {
  readonly column: string;
  readonly path: Path;
  /** The list whose rows are searched for it first. */
  readonly list?: string;
}

type Path = readonly (string | number)[];

/** Returns every list that the mapping makes comments of, with its place in the mapping. */
export function listUses({ comments }: Mapping): readonly { readonly list: string; readonly path: Path }[] {
  return entriesWithPaths(comments ?? []).flatMap(({ entry: { each }, path }) =>
    each === undefined ? [] : [{ list: each, path: [...path, 'each'] }],
  );
}

/** Returns every use of a column, of the input itself or of a list. */
export function columnUses(mapping: Mapping): readonly ColumnUse[] {
  const { contact, customFields, tags, lifecycle, assignee, conversation } = mapping;
  const uses = [...oneUse(mapping.key, ['key'])];
  for (const [name, rule] of Object.entries(contact)) {
    if (rule) uses.push(...ruleUses(rule, ['contact', name]));
  }
  const country = contact.phone?.country;
  if (typeof country === 'object') uses.push(...fromUses(country.from, ['contact', 'phone', 'country']));
  for (const [name, rule] of Object.entries(customFields ?? {})) {
    uses.push(...ruleUses(rule, ['customFields', name]));
  }
  uses.push(...fromUses(tags?.from, ['tags']));
  uses.push(...fromUses(lifecycle?.from, ['lifecycle']));
  uses.push(...fromUses(assignee?.from, ['assignee']));
  const status = conversation?.status;
  if (typeof status === 'object') uses.push(...oneUse(status.from, ['conversation', 'status', 'from']));
  uses.push(...templateUses(conversation?.summary, ['conversation', 'summary']));
  uses.push(...commentUses(mapping));
  return uses;
}

/** Returns a function that is true for columns of the input, or of a list of its rows, that the mapping reads. */
export function columnReader(mapping: Mapping): (column: string, list?: string) => boolean {
  const names = new Set(listUses(mapping).map(({ list }) => list));
  for (const { column, list } of columnUses(mapping)) {
    for (const name of [column, ...(list === undefined ? [] : [listed(list, column)])]) {
      const plain = name.replaceAll('[]', '');
      // A column that holds an object or a list is read where any part of it is.
      for (const { index } of plain.matchAll(/\./g)) names.add(plain.slice(0, index));
      names.add(plain).add(column);
    }
  }
  return (column, list) => names.has(list === undefined ? column : listed(list, column));
}

/** A plain element of a list has no column of its own. */
function listed(list: string, column: string): string {
  return column === '' ? list : `${list}.${column}`;
}

function commentUses({ comments }: Mapping): readonly ColumnUse[] {
  return entriesWithPaths(comments ?? []).flatMap(
    ({ entry: { each, key, order, text, html, dates }, path }) => {
      const uses = [
        ...oneUse(key, [...path, 'key']),
        ...oneUse(order, [...path, 'order']),
        ...templateUses(text, [...path, 'text']),
        ...(Array.isArray(html)
          ? html.map((column, index) => ({ column, path: [...path, 'html', index] }))
          : []),
        ...Object.keys(dates ?? {}).flatMap((column) => oneUse(column, [...path, 'dates', column])),
      ];
      return each === undefined ? uses : uses.map((use) => ({ ...use, list: each }));
    },
  );
}

function ruleUses(rule: FieldRule, path: Path): readonly ColumnUse[] {
  return [...fromUses(rule.from, path), ...templateUses(rule.template, [...path, 'template'])];
}

/** Returns the column that a rule reads first; null if it reads none. */
export function firstColumnOf(rule: FieldRule | undefined): string | null {
  return rule === undefined ? null : (ruleUses(rule, [])[0]?.column ?? null);
}

function fromUses(from: FieldRule['from'], path: Path): readonly ColumnUse[] {
  if (!Array.isArray(from)) return oneUse(from, [...path, 'from']);
  return from.map((column, index) => ({ column, path: [...path, 'from', index] }));
}

function templateUses(template: string | undefined, path: Path): readonly ColumnUse[] {
  return templateColumns(template ?? '').map((column) => ({ column, path }));
}

function oneUse(column: string | undefined, path: Path): readonly ColumnUse[] {
  return column === undefined ? [] : [{ column, path }];
}
