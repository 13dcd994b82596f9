import type { Draft } from '../../model/draft.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import type { Mapping } from '../schema.ts';

/** A part of a contact that a mapping fills: `contact.email`, `customFields.Plan`, `tags`, `lifecycle` and so on. */
export interface MappingTarget {
  readonly name: string;
  readonly path: readonly string[];
  /** The rule that turns cells into texts; undefined for conversation and comments, which have several. */
  readonly rule: FieldRule | undefined;
}

/** Returns the targets of a mapping, part by part: contact, custom fields, tags and so on. */
export function listMappingTargets(mapping: Mapping): readonly MappingTarget[] {
  const { contact, customFields, tags, lifecycle, assignee } = mapping;
  const named = (part: 'contact' | 'customFields', rules: Readonly<Record<string, FieldRule | undefined>>) =>
    Object.entries(rules).flatMap(([name, rule]) =>
      rule === undefined ? [] : [{ name: `${part}.${name}`, path: [part, name], rule }],
    );
  const single = (name: 'tags' | 'lifecycle' | 'assignee' | 'conversation' | 'comments', rule?: FieldRule) =>
    mapping[name] === undefined ? [] : [{ name, path: [name], rule }];
  return [
    ...named('contact', contact),
    ...named('customFields', customFields ?? {}),
    ...single('tags', tags),
    ...single('lifecycle', lifecycle),
    ...single('assignee', assignee),
    ...single('conversation'),
    ...single('comments'),
  ];
}

/** The value that a row gives a target. */
export type TargetValue = string | number | boolean | readonly string[] | { readonly [name: string]: string };

/** Returns every target to which a draft gives a value, from its row or as a default. */
export function collectTargetValues(
  draft: Draft,
): ReadonlyMap<string, { readonly value: TargetValue; readonly isDefault: boolean }> {
  const found = new Map<string, { value: TargetValue; isDefault: boolean }>();
  const add = (name: string, value: TargetValue | null | undefined, isDefault = false): void => {
    if (value !== null && value !== undefined && value !== '') found.set(name, { value, isDefault });
  };
  const { values, defaults, tags = [], conversation, comments = [] } = draft;
  for (const [isDefault, side] of [
    [true, defaults],
    [false, values],
  ] as const) {
    for (const [name, value] of Object.entries(side.contact)) add(`contact.${name}`, value, isDefault);
    for (const [name, value] of Object.entries(side.customFields))
      add(`customFields.${name}`, value, isDefault);
  }
  if (tags.length > 0) add('tags', tags);
  add('lifecycle', draft.defaultLifecycle, true);
  add('lifecycle', draft.lifecycle);
  add('assignee', draft.assignee?.as);
  if (conversation !== undefined) add('conversation', { ...conversation });
  if (comments.length > 0) add('comments', Object.fromEntries(comments.map(({ id, text }) => [id, text])));
  return found;
}

const parts = new Set([
  'customFields',
  'tags',
  'lifecycle',
  'assignee',
  'conversation',
  'comments',
  'identity',
]);

/**
 * Returns the target of a problem's code: `contact.email` for `email.invalid`, `customFields.Plan` for
 * `customFields.Plan.notAllowed`.
 */
export function findProblemTargetName(code: string): string {
  const target = code.slice(0, Math.max(0, code.lastIndexOf('.')));
  return parts.has(target.split('.')[0] ?? '') ? target : `contact.${target}`;
}
