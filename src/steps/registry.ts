import { assigneeStep } from './assignee.ts';
import { type CommentStep, commentStep } from './comments.ts';
import type { ListStep, StateStep, StepRules } from './contact-step.ts';
import { conversationStep } from './conversation.ts';
import { createContactStep } from './create-contact.ts';
import { deleteTagStep } from './delete-tag.ts';
import { ensureFieldStep } from './ensure-field.ts';
import { ensureTagStep } from './ensure-tag.ts';
import { createFieldComparator } from './field-rules.ts';
import { lifecycleStep } from './lifecycle.ts';
import { mergeContactsStep } from './merge-contacts.ts';
import type { Step } from './step.ts';
import { tagStep } from './tags.ts';
import { updateContactStep } from './update-contact.ts';

/** A step that runs after the contact's own values. */
export type ContactStep = StateStep<unknown> | ListStep | CommentStep;

/** Every contact step, in the order in which they run. */
const inOrder: readonly ((rules: StepRules) => ContactStep)[] = [
  tagStep,
  lifecycleStep,
  commentStep,
  assigneeStep,
  conversationStep,
];

/** Returns the contact steps of an import. */
export function createContactSteps(rules: StepRules): readonly ContactStep[] {
  return inOrder.map((step) => step(rules));
}

/** All kinds of step with their labels, in the order of a run's and a row's steps. */
export const stepLabels: readonly Pick<Step<never>, 'name' | 'label'>[] = [
  ensureFieldStep,
  ensureTagStep,
  deleteTagStep,
  createContactStep,
  updateContactStep(createFieldComparator([])),
  mergeContactsStep,
  ...createContactSteps({ mapping: {} }),
];
