import { createHash } from 'node:crypto';
import type { Known } from '../../../journal/index.ts';
import { contactFieldNames } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';

/** What belongs to a contact beside its fields and comments; each is a step of its own. */
export const belongingNames = ['tags', 'lifecycle', 'assignee', 'conversation'] as const;
export type BelongingName = (typeof belongingNames)[number];

/** Hashes of source values, by field. */
export type Applied = Readonly<Record<string, string>>;

/** 48 bits are enough to tell a value from the one before it, and millions of them are kept. */
export function hashOf(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? '')
    .digest('base64url')
    .slice(0, 8);
}

/** The hashes of a draft's field values, by `email`, `customFields.Plan`. */
export function fieldHashes({ contact, customFields }: FieldValues): Applied {
  const hashes: Record<string, string> = {};
  for (const name of contactFieldNames) {
    const value = contact[name];
    if (value !== undefined) hashes[name] = hashOf(value);
  }
  for (const [name, value] of Object.entries(customFields)) hashes[`customFields.${name}`] = hashOf(value);
  return hashes;
}

/** The hashes of what a draft wants beside field values; what it says nothing about is absent. */
export function belongingHashes(draft: Draft, created: boolean): { readonly [B in BelongingName]?: string } {
  const stage = draft.lifecycle === undefined && created ? draft.defaultLifecycle : draft.lifecycle;
  return {
    ...(draft.tags !== undefined && draft.tags.length > 0 && { tags: hashOf(draft.tags) }),
    ...(stage !== undefined && { lifecycle: hashOf(stage) }),
    ...(draft.assignee !== undefined && { assignee: hashOf(draft.assignee.userId) }),
    ...(draft.conversation !== undefined && { conversation: hashOf(draft.conversation) }),
  };
}

/** The values whose source changed since they were last applied (design: delta runs). */
export function changedValues({ contact, customFields }: FieldValues, applied: Applied): FieldValues {
  return {
    contact: Object.fromEntries(
      contactFieldNames.flatMap((name) => {
        const value = contact[name];
        return value === undefined || applied[name] === hashOf(value) ? [] : [[name, value]];
      }),
    ),
    customFields: Object.fromEntries(
      Object.entries(customFields).filter(
        ([name, value]) => applied[`customFields.${name}`] !== hashOf(value),
      ),
    ),
  };
}

export function hasValues({ contact, customFields }: FieldValues): boolean {
  return Object.keys(contact).length > 0 || Object.keys(customFields).length > 0;
}

/**
 * What is remembered of a person: the keys of one person were applied together, so that what one of them has not is not
 * applied; undefined where nobody remembers any of them.
 */
export function rememberedOf(known: readonly Known[]): Remembered | undefined {
  const [first, ...others] = known;
  if (first === undefined) return undefined;
  const applied = Object.entries(first.applied).filter(([field, hash]) =>
    others.every((other) => other.applied[field] === hash),
  );
  return {
    contacts: [...new Set(known.flatMap(({ contact }) => contact ?? []))],
    identifiers: known.flatMap(({ contact, identifiers }) => (contact === null ? [identifiers] : [])),
    created: known.some(({ created }) => created),
    applied: Object.fromEntries(applied),
  };
}

export interface Remembered {
  /** More than one where rows that were two people have become one. */
  readonly contacts: readonly number[];
  /** For each whose id was never met the identifier texts it was created with. */
  readonly identifiers: readonly (readonly string[])[];
  readonly created: boolean;
  readonly applied: Applied;
}
