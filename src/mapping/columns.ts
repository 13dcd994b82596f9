import { listCommentEntries } from './schema/comments.ts';
import type { FieldRule } from './schema/field-rule.ts';
import type { Mapping } from './schema.ts';
import { listTemplateColumns } from './template.ts';

/** A column that the mapping reads, with its place in the mapping. */
export interface ColumnUse {
  readonly column: string;
  readonly path: Path;
  /**
   * The list in whose rows the column is looked up first, before the row itself; absent if only the row is searched.
   */
  readonly list?: string;
}

type Path = readonly (string | number)[];

/** Returns every list that `each` of a comment names, with its path in the mapping. */
export function findListUses({
  comments,
}: Mapping): readonly { readonly list: string; readonly path: Path }[] {
  return listCommentEntries(comments ?? []).flatMap(({ entry: { each }, path }) =>
    each === undefined ? [] : [{ list: each, path: [...path, 'each'] }],
  );
}

/** Returns every use of a column in the mapping, be it a column of the row or of a list in it. */
export function findColumnUses(mapping: Mapping): readonly ColumnUse[] {
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

/** Returns a predicate that is true for a column that the mapping reads; with `list`, for a column of that list. */
export function createColumnFilter(mapping: Mapping): (column: string, list?: string) => boolean {
  const names = new Set(findListUses(mapping).map(({ list }) => list));
  for (const { column, list } of findColumnUses(mapping)) {
    for (const name of [column, ...(list === undefined ? [] : [listed(list, column)])]) {
      const plain = name.replaceAll('[]', '');
      // Reading `a.b` also reads `a`, which may be a column that holds an object or a list.
      for (const { index } of plain.matchAll(/\./g)) names.add(plain.slice(0, index));
      names.add(plain).add(column);
    }
  }
  return (column, list) => names.has(list === undefined ? column : listed(list, column));
}

/** Returns the columns that only fields of type date read. */
export function listDateColumns(mapping: Mapping): readonly string[] {
  const uses = findColumnUses(mapping);
  const isDate = ({ path: [of, name] }: ColumnUse) =>
    of === 'customFields' && mapping.customFields?.[String(name)]?.type === 'date';
  const others = new Set(uses.filter((use) => !isDate(use)).map(({ column }) => column));
  return [...new Set(uses.filter(isDate).map(({ column }) => column))].filter(
    (column) => !others.has(column),
  );
}

/**
 * Returns the full name of a list's column: `list.column`, or the list itself for a plain element, whose column is ''.
 */
function listed(list: string, column: string): string {
  return column === '' ? list : `${list}.${column}`;
}

function commentUses({ comments }: Mapping): readonly ColumnUse[] {
  return listCommentEntries(comments ?? []).flatMap(
    ({ entry: { each, key, order, text, needs, html, dates }, path }) => {
      const uses = [
        ...oneUse(key, [...path, 'key']),
        ...oneUse(order, [...path, 'order']),
        ...templateUses(text, [...path, 'text']),
        ...(Array.isArray(needs)
          ? needs.map((column, index) => ({ column, path: [...path, 'needs', index] }))
          : oneUse(needs, [...path, 'needs'])),
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
export function findFirstColumnOfRule(rule: FieldRule | undefined): string | null {
  return rule === undefined ? null : (ruleUses(rule, [])[0]?.column ?? null);
}

function fromUses(from: FieldRule['from'], path: Path): readonly ColumnUse[] {
  if (!Array.isArray(from)) return oneUse(from, [...path, 'from']);
  return from.map((column, index) => ({ column, path: [...path, 'from', index] }));
}

function templateUses(template: string | undefined, path: Path): readonly ColumnUse[] {
  return listTemplateColumns(template ?? '').map((column) => ({ column, path }));
}

function oneUse(column: string | undefined, path: Path): readonly ColumnUse[] {
  return column === undefined ? [] : [{ column, path }];
}
