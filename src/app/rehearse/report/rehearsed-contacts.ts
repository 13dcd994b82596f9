import { type ContactFieldName, contactFieldNames } from '../../../model/contact.ts';
import { formatCsvList, iteratePagesAsync } from '../../../report/csv-list.ts';
import type { RehearsalSummary } from '../rehearsal-schema.ts';

/** A contact of the local workspace, with the values that a rehearsal shows. */
export interface RehearsedContact extends Readonly<Record<ContactFieldName, string | null>> {
  readonly id: number;
  readonly custom_fields: readonly { readonly name: string; readonly value: string | null }[];
  readonly tags: readonly string[];
  readonly assignee: { readonly email: string } | null;
  readonly closing: { readonly category: string; readonly summary: string | null } | null;
  readonly comments: readonly unknown[];
  readonly status: string;
  readonly lifecycle: string | null;
}

/** A contact before and after the import; undefined where it did not exist. */
export interface RehearsedContactVersions {
  readonly id: number;
  readonly before: RehearsedContact | undefined;
  readonly after: RehearsedContact | undefined;
}

export type RehearsedContactChange = RehearsalSummary['samples'][number];

/**
 * Returns the change of a contact by the import; undefined for none. `isNew` returns true for an id that the import
 * created.
 */
export function compareRehearsedContact(
  { id, before, after }: RehearsedContactVersions,
  isNew: (id: number) => boolean,
): RehearsedContactChange | undefined {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const change = before === undefined ? 'created' : after === undefined ? 'mergedAway' : 'changed';
  const values = [...new Set([...is.keys(), ...was.keys()])].flatMap((field) => {
    const [from, to] = [was.get(field) ?? null, is.get(field) ?? null];
    return from === to ? [] : [{ field, from, to }];
  });
  if (change === 'changed' && values.length === 0) return undefined;
  return { contact: isNew(id) ? null : id, change, name: nameOf(after ?? before), values };
}

function nameOf(contact: RehearsedContact | undefined): string {
  if (contact === undefined) return '';
  const { firstName, lastName, email, phone } = contact;
  return [[firstName, lastName].filter(Boolean).join(' '), email ?? phone].filter(Boolean).join(', ');
}

/** Returns the values of a contact by the names of their columns, in column order. */
function valuesOf(contact: RehearsedContact | undefined): ReadonlyMap<string, string | null> {
  if (contact === undefined) return new Map();
  const { custom_fields, status, closing, assignee, lifecycle, tags, comments } = contact;
  return new Map<string, string | null>([
    ...contactFieldNames.map((name) => [name, contact[name]] as const),
    ...custom_fields.map(({ name, value }) => [columnOf(name), value] as const),
    ['lifecycle', lifecycle],
    ['tags', tags.length === 0 ? null : tags.join('; ')],
    ['status', status],
    ['closing note', closing && [closing.category, closing.summary].filter(Boolean).join(': ')],
    ['assignee', assignee?.email ?? null],
    ['new comments', comments.length === 0 ? null : String(comments.length)],
  ]);
}

const stepFields = ['lifecycle', 'tags', 'status', 'closing note', 'assignee', 'new comments'];

/** Returns the column of a custom field, with a prefix if the name is that of another column. */
function columnOf(name: string): string {
  return [...contactFieldNames, ...stepFields, 'id'].includes(name) ? `customFields.${name}` : name;
}

/**
 * Yields contacts as CSV, with a column for each custom field; the ids of new contacts are empty, because the real
 * import would get other ids.
 */
export async function* formatRehearsedContactsCsv(
  contactsAfter: (id: number, limit: number) => readonly RehearsedContact[],
  isNew: (id: number) => boolean,
): AsyncIterable<string> {
  const [first] = contactsAfter(0, 1);
  const custom = (first?.custom_fields ?? []).map(({ name }) => columnOf(name));
  const columns = [...contactFieldNames, ...custom, ...stepFields];
  const pages = iteratePagesAsync<RehearsedContact>((last, limit) => contactsAfter(last?.id ?? 0, limit));
  yield* formatCsvList(['id', ...columns], pages, (contact) => {
    const values = valuesOf(contact);
    return [
      isNew(contact.id) ? '' : String(contact.id),
      ...columns.map((column) => values.get(column) ?? ''),
    ];
  });
}
