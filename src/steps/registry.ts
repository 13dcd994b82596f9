import { createAssigneeStep } from './assignee.ts';
import { type CommentStep, createCommentStep } from './comments.ts';
import type { ManualStep, SingleEffectStep, StepRules } from './contact-step.ts';
import { createConversationStep } from './conversation.ts';
import { contactCreateStep } from './create-contact.ts';
import { tagDeleteStep } from './delete-tag.ts';
import { customFieldEnsureStep } from './ensure-field.ts';
import { tagEnsureStep } from './ensure-tag.ts';
import { createFieldComparator } from './field-rules.ts';
import { createLifecycleStep } from './lifecycle.ts';
import { contactMergeStep } from './merge-contacts.ts';
import type { Step } from './step.ts';
import { createAttachTagsStep } from './tags.ts';
import { createContactUpdateStep } from './update-contact.ts';

/** A step that runs after the contact's field values were written. */
export type ContactStep = SingleEffectStep<unknown> | ManualStep | CommentStep;

/** Every contact step, in the order in which they run. */
const inOrder: readonly ((rules: StepRules) => ContactStep)[] = [
  createAttachTagsStep,
  createLifecycleStep,
  createCommentStep,
  createAssigneeStep,
  createConversationStep,
];

/** Creates the contact steps of an import, in the order in which they run. */
export function createContactSteps(rules: StepRules): readonly ContactStep[] {
  return inOrder.map((step) => step(rules));
}

/** The names and labels of all steps, in the order in which a run and its rows take them. */
export const stepLabels: readonly Pick<Step<never>, 'name' | 'label'>[] = [
  customFieldEnsureStep,
  tagEnsureStep,
  tagDeleteStep,
  contactCreateStep,
  createContactUpdateStep(createFieldComparator([])),
  contactMergeStep,
  ...createContactSteps({ mapping: {} }),
];
