import { dataTypes } from '../../datatypes/index.ts';
import type { Draft } from '../../model/draft.ts';
import { furtherFields } from '../schema/contact.ts';
import type { ExpectedDraft } from '../schema/examples.ts';
import { attachedField } from '../schema/tags.ts';
import type { Mapping } from '../schema.ts';

/** Where a draft is not what a test expects of a new contact; what the test does not name is not compared. */
export function differencesOf(expected: ExpectedDraft, draft: Draft, mapping: Mapping): readonly string[] {
  const { contact, customFields, tags, lifecycle, assignee, conversation, comments } = expected;
  const { values, defaults } = draft;
  return [
    ...byName('', contact, { ...defaults.contact, ...said(values.contact) }),
    ...customFieldDifferences(customFields, draft, mapping),
    ...(tags ? tagDifferences(tags, draft.tags ?? []) : []),
    ...(lifecycle === undefined
      ? []
      : one('lifecycle', lifecycle, draft.lifecycle ?? draft.defaultLifecycle)),
    ...(assignee === undefined ? [] : one('assignee', assignee, draft.assignee?.as || null)),
    ...byName('conversation.', conversation, { ...draft.conversation }),
    ...byName(
      'comments.',
      comments,
      Object.fromEntries((draft.comments ?? []).map(({ id, text }) => [id, text])),
    ),
  ];
}

type Plain = string | number | boolean | null;

function byName(
  prefix: string,
  expected: Readonly<Record<string, Plain | undefined>> | undefined,
  found: Readonly<Record<string, string | null>>,
): readonly string[] {
  const actual = new Map(Object.entries(found));
  return Object.entries(expected ?? {}).flatMap(([name, value]) =>
    one(prefix + name, value ?? null, actual.get(name)),
  );
}

function one(name: string, expected: Plain, found: string | null | undefined): readonly string[] {
  const wanted = expected === null ? null : String(expected);
  return wanted === (found ?? null) ? [] : [difference(name, wanted, found ?? null)];
}

function customFieldDifferences(
  expected: ExpectedDraft['customFields'],
  { values, defaults }: Draft,
  mapping: Mapping,
): readonly string[] {
  const actual = new Map(Object.entries({ ...defaults.customFields, ...said(values.customFields) }));
  const texts = new Set([
    mapping.tags && attachedField(mapping.tags),
    ...furtherFields(mapping.contact).map(({ name }) => name),
  ]);
  return Object.entries(expected ?? {}).flatMap(([name, value]) => {
    const type = texts.has(name) ? 'text' : mapping.customFields?.[name]?.type;
    if (!type) return [`customFields.${name} is expected, and the mapping has no such field`];
    const found = actual.get(name) ?? null;
    return dataTypes[type].same(found, value) ? [] : [difference(`customFields.${name}`, value, found)];
  });
}

function tagDifferences(
  expected: NonNullable<ExpectedDraft['tags']>,
  found: readonly string[],
): readonly string[] {
  const wanted = expected.map(String);
  const same = wanted.length === found.length && wanted.every((tag, index) => tag === found[index]);
  return same ? [] : [difference('tags', wanted, found)];
}

/** The values that say something: what is cleared falls back to the default of a new contact. */
function said<V>(values: Readonly<Record<string, V | null | undefined>>): Record<string, V> {
  const found: Record<string, V> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) found[name] = value;
  }
  return found;
}

function difference(name: string, expected: unknown, found: unknown): string {
  return `${name} should be ${shown(expected)} but is ${shown(found)}`;
}

function shown(value: unknown): string {
  return value === null ? 'absent' : JSON.stringify(value);
}
