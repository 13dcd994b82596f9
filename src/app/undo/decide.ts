import { type Contact, contactFieldNames } from '../../model/contact.ts';
import type { CustomValue } from '../../model/custom-field.ts';
import type { Problem } from '../../model/problem.ts';
import type { AssigneeEffect } from '../../steps/assignee.ts';
import type { ConversationEffect } from '../../steps/conversation.ts';
import type { FieldChange } from '../../steps/field-change.ts';
import type { FieldComparator } from '../../steps/field-rules.ts';
import type { LifecycleEffect } from '../../steps/lifecycle.ts';
import { getContactFieldValue, isSameFieldValue } from '../run/written-value.ts';
import type { WriteStatus } from './write-status.ts';

/** The kinds of values that can be reverted. */
export const revertibleValueKinds = ['contact', 'custom', 'lifecycle', 'assignee', 'conversation'] as const;

/** The name of a revertible value: a contact field, a custom field, or a state. */
export interface RevertibleValueName {
  /** The kind of the value: `contact`, `custom`, `lifecycle`, `assignee` or `conversation`. */
  readonly kind: (typeof revertibleValueKinds)[number];
  /** The name of the field; empty for `lifecycle`, `assignee` and `conversation`. */
  readonly name: string;
}

/** A value that the run wrote, with its status in the journal. */
export interface RevertCandidate extends RevertibleValueName {
  readonly standing: WriteStatus;
}

/** A value to put back. */
export interface ValueReversion extends RevertibleValueName {
  /** The present value. */
  readonly from: CustomValue;
  /** The value before the run. */
  readonly to: CustomValue;
}

/** The decision about one contact. */
export interface ContactReversion {
  readonly putBack: readonly ValueReversion[];
  /** The problems that say which values stay as they are, and why. */
  readonly kept: readonly Problem[];
}

/** The problem that is recorded for a contact that no longer exists. */
export const missingContactProblem: Problem = {
  code: 'undo.gone',
  column: null,
  reason: 'the contact is not there any more',
};

export interface UndoDecisionRules {
  readonly rules: FieldComparator;
  /** True if conversations may be opened and closed. */
  readonly conversations: boolean;
  /** Returns the id of the run with this number. */
  readonly idOf: (run: number) => string;
}

/**
 * Decides which of the values that the run wrote to a contact are reverted to those before the run. A value stays if it
 * was edited since, a later run or a merge wrote it, or the undo cannot or may not change it.
 */
export function decideContactReversion(
  contact: Contact,
  values: readonly RevertCandidate[],
  by: UndoDecisionRules,
): ContactReversion {
  const decided = values.map((value) => decideValue(contact, value, by));
  return {
    putBack: decided.flatMap((each) => (each !== undefined && 'to' in each ? [each] : [])),
    kept: decided.flatMap((each) => (each !== undefined && 'code' in each ? [each] : [])),
  };
}

/** The decision about one value; undefined if there is nothing to do and nothing to report. */
type Decided = ValueReversion | Problem | undefined;

function decideValue(
  contact: Contact,
  value: RevertCandidate,
  { rules, conversations, idOf }: UndoDecisionRules,
): Decided {
  const { kind, name, standing } = value;
  if (standing.kind === 'merged') return undefined;
  if (standing.kind === 'later')
    return kept(value, 'undo.later', `run ${idOf(standing.by)} wrote it later; undo that run first`);
  const present = getContactFieldValue(contact, kind, name, null);
  const { before } = standing;
  if (isSameFieldValue(kind, name, present, before, rules)) return undefined;
  if (standing.kind === 'takenBack')
    return kept(value, 'undo.edited', `run ${idOf(standing.by)} put it back, and it was changed after that`);
  if (!isSameFieldValue(kind, name, present, standing.wrote, rules))
    return kept(value, 'undo.edited', 'it was changed after the run');
  if (kind === 'contact' && name === 'firstName' && (before === null || before === ''))
    return kept(value, 'undo.firstName', 'it was empty before the run, and a contact must have a first name');
  if (kind === 'conversation') {
    if (!conversations)
      return kept(
        value,
        'undo.conversation',
        'conversations are opened and closed only with --conversations',
      );
    if (before !== 'open' && before !== 'closed')
      return kept(
        value,
        'undo.conversation',
        `it was ${before ?? 'without a status'} before the run, which no request can set`,
      );
  }
  return { kind, name, from: present, to: before };
}

function kept(value: RevertibleValueName, code: string, reason: string): Problem {
  return { code, column: toValueColumnName(value), reason };
}

/** Returns the name of a value as the lists and the journal use it: `email`, `customFields.Plan`, `lifecycle`. */
export function toValueColumnName({ kind, name }: RevertibleValueName): string {
  if (kind === 'custom') return `customFields.${name}`;
  return kind === 'contact' ? name : kind;
}

/** Returns the field changes of an update that reverts the values, as the interface takes them. */
export function toFieldChanges(
  putBack: readonly ValueReversion[],
  rules: FieldComparator,
): readonly FieldChange[] {
  return putBack.flatMap(({ kind, name, from, to }): FieldChange[] => {
    if (kind === 'custom') return [{ kind, name, from, to: to === '' ? null : rules.toSend(name, to) }];
    const own = kind === 'contact' ? contactFieldNames.find((each) => each === name) : undefined;
    return own === undefined ? [] : [{ kind: 'contact', name: own, from: text(from), to: text(to) }];
  });
}

function text(value: CustomValue): string | null {
  return value === null || value === '' ? null : String(value);
}

/** Returns the effects that revert lifecycle stage, assignee and conversation, as their steps send them. */
export function buildRevertEffects(contactId: number, putBack: readonly ValueReversion[]) {
  const lifecycle = putBack.find(({ kind }) => kind === 'lifecycle');
  const assignee = putBack.find(({ kind }) => kind === 'assignee');
  const conversation = putBack.find(({ kind }) => kind === 'conversation');
  return {
    lifecycle: lifecycle && ({ contactId, name: text(lifecycle.to) } satisfies LifecycleEffect),
    assignee:
      assignee &&
      ({ contactId, userId: assignee.to === null ? null : Number(assignee.to) } satisfies AssigneeEffect),
    conversation:
      conversation &&
      ({
        contactId,
        status: conversation.to === 'open' ? 'open' : 'closed',
      } satisfies ConversationEffect),
  };
}
