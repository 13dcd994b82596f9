import type { ContactColumns } from '../columns/contact-columns.ts';
import type { Stated } from '../input/stated.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Entry, shownName } from '../yaml/entry.ts';
import { yamlText } from '../yaml/text.ts';
import { belongingEntries, canBeInserted, type Lists } from './belonging-entries.ts';
import { contactEntries } from './contact-entries.ts';
import { customFieldEntries, type LeftOut } from './custom-field-entries.ts';
import { exampleEntries } from './example-entries.ts';
import { keyEntry } from './key-entry.ts';

export interface DraftedMapping {
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

/** What the head of a drafted file says. */
export interface MappingHead {
  readonly name: string;
  /** Where the JSON Schema stands, relative to the file. */
  readonly schema: string;
  readonly lines: readonly string[];
}

/** The mapping YAML of a table. */
export function mappingText(
  head: MappingHead,
  columns: ContactColumns,
  table: TableProfile,
  lists: Lists,
  stated: Pick<Stated, 'key' | 'country'>,
): DraftedMapping {
  const { entries: fields, leftOut } = customFieldEntries(columns, usedBy(columns), table, lists.where);
  const entries: Entry[] = [
    { key: 'mapping', value: { plain: head.name } },
    keyEntry(columns.key, table, stated.key),
    { key: 'contact', value: { entries: contactEntries(columns, table, stated.country) } },
    ...(fields.length === 0 ? [] : [{ key: 'customFields', value: { entries: fields } }]),
    ...belongingEntries(columns, table, lists),
    ...exampleEntries(columns),
  ];
  const top = [`yaml-language-server: $schema=${head.schema}`, ...head.lines];
  return { text: yamlText(top, entries, footOf(leftOut, table)), leftOut };
}

/** The columns that stand under the contact's own keys. */
function usedBy(columns: ContactColumns): ReadonlySet<string> {
  const { names } = columns;
  const ofNames =
    names === undefined ? [] : names.kind === 'full' ? [names.column] : [names.first, names.last];
  const all = [
    columns.key,
    ...columns.emails,
    ...columns.phones,
    ...ofNames,
    columns.language,
    columns.country,
    columns.photo,
    columns.owner,
    ...columns.tags,
    columns.stage,
    ...columns.notes.filter(({ profile }) => canBeInserted(profile.name)),
  ];
  return new Set(all.flatMap((column) => column?.profile.name ?? []));
}

function footOf(leftOut: readonly LeftOut[], { moreColumns }: TableProfile): readonly string[] {
  const reasons = new Map<string, string[]>();
  for (const { column, why } of leftOut) {
    const known = reasons.get(why);
    if (known === undefined) reasons.set(why, [shownName(column)]);
    else known.push(shownName(column));
  }
  const lines = [...reasons].map(([why, names]) => `  ${why}: ${names.join(', ')}`);
  const more = moreColumns === 0 ? [] : [`  not checked: ${moreColumns} more columns`];
  return lines.length + more.length === 0 ? [] : ['Left out:', ...lines, ...more];
}
