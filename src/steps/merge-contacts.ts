import { z } from 'zod';
import { chooseKeptValue } from '../identity/kept-value.ts';
import {
  type Contact,
  type ContactBody,
  type ContactFieldName,
  type ContactFields,
  contactFieldNames,
} from '../model/contact.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { Draft, FieldValues } from '../model/draft.ts';
import { formatIdentifier, idToIdentifier } from '../model/identifier.ts';
import type { KeepRule, KeepRulesByField } from '../model/keep.ts';
import type { Problem } from '../model/problem.ts';
import type { EndpointCallOptions } from '../workspace/index.ts';
import { contactBodySchema, findCustomValue } from './field-change.ts';
import type { FieldComparator } from './field-rules.ts';
import { createMissingFirstNameProblem } from './first-name.ts';
import type { WorkspacePort } from './port.ts';
import { type SettleResult, type Step, toStepAnswer } from './step.ts';

const effectSchema = z.object({
  contactIds: z.tuple([z.number(), z.number()]),
  body: contactBodySchema,
});

export interface MergeContactsEffect {
  /** The older contact, which remains, and the newer. */
  readonly contactIds: readonly [older: number, newer: number];
  readonly body: ContactBody;
}

export type MergePlan =
  | {
      readonly kind: 'effect';
      readonly effect: MergeContactsEffect;
      /** The values that the remaining contact has afterwards, by field. */
      readonly result: FieldValues;
    }
  | { readonly kind: 'problem'; readonly problem: Problem };

/**
 * Returns the two contacts in the order that a merge takes them: the older one, which becomes the primary one, first.
 * The ids decide if the times of creation are equal or unknown.
 */
export function sortOlderFirst([one, two]: readonly [Contact, Contact]): readonly [
  older: Contact,
  newer: Contact,
] {
  const [a, b] = [one.created_at, two.created_at];
  const oneIsOlder = a === null || b === null || a === b ? one.id < two.id : a < b;
  return oneIsOlder ? [one, two] : [two, one];
}

const unedited: FieldValues = { contact: {}, customFields: {} };

/**
 * Plans the merge of two contacts that a row identifies as one person, and the values to keep. Manually edited values
 * (`edited`) take precedence.
 */
export function planMerge(
  contacts: readonly [Contact, Contact],
  draft: Draft,
  keep: KeepRulesByField,
  rules: FieldComparator,
  edited: FieldValues = unedited,
): MergePlan {
  const [older, newer] = sortOlderFirst(contacts);
  const contact = { ...contactResult(older, newer, draft, keep), ...edited.contact };
  const { firstName } = contact;
  if (!firstName) {
    const reason = `neither contact ${older.id} nor ${newer.id} nor the row has a first name, and a merge must send one`;
    return { kind: 'problem', problem: createMissingFirstNameProblem(reason) };
  }
  const customFields = {
    ...customResult(older, newer, draft, keep, rules),
    ...edited.customFields,
  };
  const entries = Object.entries(customFields).map(([name, value]) => ({ name, value }));
  // Fields that were empty need no clearing; all others are sent, because the effect of a merge on fields that are not
  // sent is not documented.
  const sent = contactFieldNames
    .filter((name) => contact[name] !== null || older[name] || newer[name])
    .map((name) => [name, contact[name]] as const);
  const body = {
    ...Object.fromEntries(sent),
    firstName,
    ...(entries.length > 0 ? { custom_fields: entries } : {}),
  };
  return {
    kind: 'effect',
    effect: { contactIds: [older.id, newer.id], body },
    result: { contact, customFields },
  };
}

function contactResult(older: Contact, newer: Contact, draft: Draft, keep: KeepRulesByField): ContactFields {
  const value = (name: ContactFieldName) => {
    const says = draft.values.contact[name];
    // The interface requires a first name, so a row cannot clear it.
    const row = says === undefined || (name === 'firstName' && !says) ? undefined : says || null;
    return chooseMergedValue(
      { older: older[name] || null, newer: newer[name] || null, row },
      keep.contact[name],
    );
  };
  const firstName = value('firstName') ?? draft.defaults.contact.firstName ?? null;
  return { ...Object.fromEntries(contactFieldNames.map((name) => [name, value(name)])), firstName };
}

/**
 * Returns the custom fields of the merged contact; null for a field that has a value in a contact and none in the
 * result.
 */
function customResult(
  older: Contact,
  newer: Contact,
  draft: Draft,
  keep: KeepRulesByField,
  rules: FieldComparator,
): FieldValues['customFields'] {
  const names = new Set([
    ...[older, newer].flatMap((contact) => contact.custom_fields.map(({ name }) => name)),
    ...Object.keys(draft.values.customFields),
  ]);
  const result = new Map<string, CustomValue>();
  for (const name of names) {
    const typed = (contact: Contact) => {
      const value = findCustomValue(contact.custom_fields, name);
      return value === '' ? null : rules.toSend(name, value);
    };
    const there = { older: typed(older), newer: typed(newer) };
    const row = own(draft.values.customFields, name);
    const value = chooseMergedValue({ ...there, row: row === '' ? null : row }, own(keep.customFields, name));
    if (value !== null || there.older !== null || there.newer !== null) result.set(name, value);
  }
  return Object.fromEntries(result);
}

/** Returns an own property: a field may be called `constructor`. */
function own<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/**
 * The step that sends POST /contact/merge, once, since it cannot be undone; afterwards only one of the contacts exists.
 */
export const contactMergeStep: Step<MergeContactsEffect> = {
  name: 'merge',
  label: 'contacts merged',
  eventuallyVisible: true,
  parse: (intent) => effectSchema.parse(intent),
  // The newer contact cannot be restored; these values are kept for rebuilding it manually.
  before: (_, contacts) => ({ contacts }),
  creates: () => [],
  mayArriveLate: ({ contactIds }) => contactIds.map((id) => formatIdentifier(idToIdentifier(id))),
  async send(workspace, { contactIds, body }, options) {
    const answer = await workspace.contacts.merge({ contactIds, ...body }, options);
    return answer.kind === 'ok' ? toStepAnswer(answer, answer.value.contactId) : answer;
  },
  async settle(workspace, { contactIds: [olderId, newerId] }, options): Promise<SettleResult> {
    const older = await currentState(workspace, olderId, options);
    if (older.kind === 'unknown') return older;
    const newer = await currentState(workspace, newerId, options);
    if (newer.kind === 'unknown') return newer;
    if (older.kind === 'there' && newer.kind === 'there') return { kind: 'absent' };
    if (older.kind === 'there') return { kind: 'done', contact: older.contact };
    if (newer.kind === 'there') return { kind: 'done', contact: newer.contact };
    return {
      kind: 'unknown',
      message: `neither contact ${olderId} nor contact ${newerId} is there any more`,
    };
  },
};

type CurrentState =
  | { readonly kind: 'there'; readonly contact: Contact }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly message: string };

async function currentState(
  workspace: WorkspacePort,
  id: number,
  options: EndpointCallOptions | undefined,
): Promise<CurrentState> {
  const answer = await workspace.contacts.read(idToIdentifier(id), options);
  if (answer.kind === 'absent') return { kind: 'gone' };
  if (answer.kind !== 'ok') return { kind: 'unknown', message: answer.message };
  // The answer may be the contact into which this one was merged: then this one is gone, as with a 404.
  return answer.value.id === id ? { kind: 'there', contact: answer.value } : { kind: 'gone' };
}

/** The values of one field in the row and in the two contacts to merge; null is empty. */
export interface FieldMergeInputs<V> {
  readonly older: V | null;
  readonly newer: V | null;
  /** undefined if the row has no value for the field, null if the row clears it. */
  readonly row: V | null | undefined;
}

/**
 * Returns the value to keep by the field's rule. Without a rule: the row's value, also a null that clears the field; if
 * the row has none, the older contact's value, else the newer's.
 */
export function chooseMergedValue<V extends string | number | boolean>(
  { older, newer, row }: FieldMergeInputs<V>,
  rule: KeepRule | undefined,
): V | string | null {
  if (rule === undefined) return row === undefined ? (older ?? newer) : row;
  return chooseKeptValue([older, newer, row], rule) ?? null;
}
