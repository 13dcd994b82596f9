import type { CustomValue } from '../../../../src/model/custom-field.ts';
import type { Draft } from '../../../../src/model/draft.ts';

/** A contact without its id and its comments, as a test compares it. */
export interface Plain {
  readonly fields: Readonly<Record<string, string>>;
  readonly custom: Readonly<Record<string, CustomValue>>;
  readonly lifecycle: string | null;
  /** The user's id. */
  readonly assignee: number | null;
  readonly status: 'open' | 'closed' | 'blocked';
  /** The closing note of the conversation. */
  readonly category: string | null;
  readonly tags: readonly string[];
}

/** A new contact with these values. */
export function plain({ contact, customFields }: Draft['values'], more: Partial<Plain> = {}): Plain {
  const rest = { lifecycle: null, assignee: null, status: 'open', category: null, tags: [] } as const;
  return { fields: strings(contact), custom: withoutNull(customFields), ...rest, ...more };
}

/** The contact with these values laid over it. */
export function laidOver(before: Plain, { contact, customFields }: Draft['values']): Plain {
  const fields = { ...before.fields, ...strings(contact) };
  return { ...before, fields, custom: withoutNull({ ...before.custom, ...customFields }) };
}

/** What is left of two contacts that were merged: of the newer only what the older does not have. */
export function joined(older: Plain, newer: Plain): Plain {
  return {
    ...older,
    fields: { ...newer.fields, ...older.fields },
    custom: { ...newer.custom, ...older.custom },
    lifecycle: older.lifecycle ?? newer.lifecycle,
    assignee: older.assignee ?? newer.assignee,
    tags: [...new Set([...older.tags, ...newer.tags])],
  };
}

function strings(fields: object): Record<string, string> {
  const given = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  return Object.fromEntries(given);
}

function withoutNull(values: Plain['custom']): Plain['custom'] {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** A contact as text, whatever the order of its fields. */
export function show({ fields, custom, tags, ...rest }: Plain): string {
  const sorted = (values: object) => Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(fields), sorted(custom), [...tags].sort(), sorted(rest)]);
}
