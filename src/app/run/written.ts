import { z } from 'zod';
import type { WrittenStep } from '../../journal/index.ts';
import { type Contact, type ContactBody, contactFieldNames } from '../../model/contact.ts';
import type { CustomValue } from '../../model/custom-field.ts';
import { type Identifier, idToIdentifier } from '../../model/identifier.ts';
import { createAssigneeStep } from '../../steps/assignee.ts';
import { createConversationStep } from '../../steps/conversation.ts';
import { contactCreateStep } from '../../steps/create-contact.ts';
import { findCustomValue } from '../../steps/field-change.ts';
import { createFieldComparator } from '../../steps/field-rules.ts';
import { createLifecycleStep } from '../../steps/lifecycle.ts';
import { contactMergeStep } from '../../steps/merge-contacts.ts';
import { parseAttachTagsEffect } from '../../steps/tags.ts';
import { createContactUpdateStep } from '../../steps/update-contact.ts';
import { contactSchema } from '../../workspace/index.ts';

/**
 * The kinds of written values: a contact field, a custom field, one of three states, a tag that was attached,
 * or a tag that is listed in contact-tags.csv for attaching by hand.
 */
export const writtenValueKinds = [
  'contact',
  'custom',
  'lifecycle',
  'assignee',
  'conversation',
  'tag',
  'fileTag',
] as const;

export type WrittenValueKind = (typeof writtenValueKinds)[number];

/** A value that was written, and the one it replaced: undefined where that is unknown. */
export interface WrittenValue {
  readonly kind: WrittenValueKind;
  /** The field's name, or the tag's; empty for a state. */
  readonly name: string;
  readonly want: CustomValue;
  readonly was: CustomValue | undefined;
}

/** The effects of a step, as far as the journal knows. */
export interface WrittenEffects {
  /** The contact that the step wrote to; undefined where its id was never returned. */
  readonly contact: number | undefined;
  /** For a create: the identifiers to look the contact up by (its id alone, if known), and its first name. */
  readonly created: { readonly identifiers: readonly Identifier[]; readonly firstName: string } | undefined;
  readonly values: readonly WrittenValue[];
  /** The contact that was merged into `contact`; undefined for any step but a merge. */
  readonly gone: number | undefined;
  /** An effect that cannot be read back: a comment, or the category and summary of a closing. */
  readonly unseen: 'comment' | 'closing' | undefined;
}

const rules = { mapping: {} };
const steps = {
  update: createContactUpdateStep(createFieldComparator([])),
  lifecycle: createLifecycleStep(rules),
  assignee: createAssigneeStep(),
  conversation: createConversationStep(rules),
};

/** Returns the effects of a step on a contact; undefined for a step that has none. */
export function parseStepEffects(step: WrittenStep): WrittenEffects | undefined {
  switch (step.name) {
    case 'create':
      return ofCreate(step);
    case 'update': {
      const { contactId, changes } = steps.update.parse(step.intent);
      return written(
        contactId,
        changes.map(({ kind, name, from, to }) => ({ kind, name, want: to, was: from })),
      );
    }
    case 'merge':
      return ofMerge(step);
    case 'attachTags': {
      const { contactId, tags } = parseAttachTagsEffect(step.intent);
      const values = tags.map((tag) => ({ kind: 'tag', name: tag, want: tag, was: null }) as const);
      return written(contactId, values);
    }
    case 'lifecycle': {
      const { contactId, name } = steps.lifecycle.parse(step.intent);
      return written(contactId, [state('lifecycle', name, before(step, 'lifecycle'))]);
    }
    case 'assignee': {
      const { contactId, userId } = steps.assignee.parse(step.intent);
      return written(contactId, [state('assignee', userId, before(step, 'userId'))]);
    }
    case 'conversation': {
      const { contactId, status, category } = steps.conversation.parse(step.intent);
      const values = [state('conversation', status, before(step, 'status'))];
      return { ...written(contactId, values), unseen: category === undefined ? undefined : 'closing' };
    }
    case 'comment':
      return { ...written(commented.parse(step.intent).contactId, []), unseen: 'comment' };
    default:
      return undefined;
  }
}

const commented = z.object({ contactId: z.number() });

function written(contact: number | undefined, values: readonly WrittenValue[]): WrittenEffects {
  return { contact, created: undefined, values, gone: undefined, unseen: undefined };
}

function state(
  kind: 'lifecycle' | 'assignee' | 'conversation',
  want: CustomValue,
  was: CustomValue | undefined,
): WrittenValue {
  return { kind, name: '', want, was };
}

/** Returns the effects of a create: every value replaced an empty one. */
function ofCreate({ intent, contact }: WrittenStep): WrittenEffects {
  const { identifiers, body } = contactCreateStep.parse(intent);
  const values = valuesOf(body, () => null);
  return {
    ...written(contact ?? undefined, values),
    created: {
      identifiers: contact === null ? identifiers : [idToIdentifier(contact)],
      firstName: body.firstName,
    },
  };
}

function ofMerge(step: WrittenStep): WrittenEffects {
  const { contactIds, body } = contactMergeStep.parse(step.intent);
  const [older, newer] = contactIds;
  const stood = stoodBefore(step.before)?.find(({ id }) => id === older);
  const was = (kind: 'contact' | 'custom', name: string): CustomValue | undefined => {
    if (stood === undefined) return undefined;
    if (kind === 'custom') return findCustomValue(stood.custom_fields, name);
    const own = contactFieldNames.find((each) => each === name);
    return own && stood[own];
  };
  return { ...written(older, valuesOf(body, was)), gone: newer };
}

function valuesOf(
  body: ContactBody,
  was: (kind: 'contact' | 'custom', name: string) => CustomValue | undefined,
): readonly WrittenValue[] {
  const own = contactFieldNames.flatMap((name) => {
    const want = body[name];
    return want === undefined ? [] : [{ kind: 'contact', name, want, was: was('contact', name) } as const];
  });
  const custom = (body.custom_fields ?? []).map(
    ({ name, value }) => ({ kind: 'custom', name, want: value, was: was('custom', name) }) as const,
  );
  return [...own, ...custom];
}

const merged = z.object({ contacts: z.array(contactSchema) });

function stoodBefore(value: unknown): readonly Contact[] | undefined {
  return merged.safeParse(value).data?.contacts;
}

const states = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** Returns the value that a step replaced; undefined where the journal kept none. */
function before({ before: kept }: WrittenStep, name: string): CustomValue | undefined {
  return states.safeParse(kept).data?.[name];
}
