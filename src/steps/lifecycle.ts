import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import type { ContactStepInput, SingleEffectStep, StepPlan, StepRules } from './contact-step.ts';
import { contactStepDefaults, settleByReading, toStepAnswer } from './step.ts';

const effectSchema = z.object({ contactId: z.number(), name: z.string().nullable() });

export interface LifecycleEffect {
  readonly contactId: number;
  /** null takes the contact out of any stage. */
  readonly name: string | null;
}

export interface LifecycleRules {
  /** The stages in their order; without them no move counts as backwards. */
  readonly stages?: readonly string[];
  readonly allowBackward: boolean;
  /** `empty`: a contact that existed before keeps its stage; a created one always gets the row's. */
  readonly only: 'changed' | 'empty';
  /** True if this row created the contact, or an earlier run with this work dir did. */
  readonly created: boolean;
}

/** Creates the step for the lifecycle stage: setting the same stage again has no second effect. */
export function createLifecycleStep({ mapping }: StepRules): SingleEffectStep<LifecycleEffect> {
  const { stages, allowBackward = false } = mapping.lifecycle ?? {};
  return {
    kind: 'state',
    state: 'lifecycle',
    name: 'lifecycle',
    label: 'lifecycle stages set',
    ...contactStepDefaults,
    wanted: stageOf,
    isAllowed: () => true,
    plan: ({ draft, contact, only, created }: ContactStepInput) =>
      planLifecycle(draft, contact, { ...(stages && { stages }), allowBackward, only, created }),
    parse: (intent) => effectSchema.parse(intent),
    before: (_, [contact]) => contact && { lifecycle: contact.lifecycle },
    send: async (workspace, { contactId, name }, options) =>
      toStepAnswer(
        await workspace.contacts.setLifecycle(idToIdentifier(contactId), name, options),
        contactId,
      ),
    settle: (workspace, { contactId, name }, options) =>
      settleByReading(workspace, contactId, (contact) => sameStage(name, contact.lifecycle || null), options),
  };
}

/** Returns the stage that the row asks for; the default applies only to contacts that the row creates. */
function stageOf(draft: Draft, created: boolean): string | null | undefined {
  return draft.lifecycle === undefined && created ? draft.defaultLifecycle : draft.lifecycle;
}

/**
 * Plans the move to the stage that the row asks for. If `stages` is set, a contact in an unlisted stage keeps it. A
 * contact in a listed stage moves only to a later one or to none, unless `allowBackward` is set.
 */
export function planLifecycle(
  draft: Draft,
  contact: Contact,
  { stages, allowBackward, only, created }: LifecycleRules,
): StepPlan<LifecycleEffect> {
  const named = stageOf(draft, created);
  if (named === undefined) return { kind: 'nothing' };
  const wanted = named || null;
  const present = contact.lifecycle || null;
  if (sameStage(wanted, present)) return { kind: 'nothing' };
  if (only === 'empty' && !created && present !== null) return kept(contact, present, wanted);
  const effect = { contactId: contact.id, name: wanted };
  if (stages === undefined || present === null) return { kind: 'effect', effect };
  const from = place(stages, present);
  if (from < 0) return unlisted(contact, present, 'it has', stages);
  if (wanted === null || allowBackward) return { kind: 'effect', effect };
  const to = place(stages, wanted);
  if (to < 0) return unlisted(contact, wanted, 'the row wants', stages);
  if (to > from) return { kind: 'effect', effect };
  const reason = `contact ${contact.id} is in "${present}", and "${wanted}" comes before it; allowBackward: true would send it`;
  return { kind: 'left', note: { code: 'lifecycle.backward', column: null, reason } };
}

function kept({ id }: Contact, present: string, wanted: string | null): StepPlan<LifecycleEffect> {
  if (wanted === null) return { kind: 'nothing' };
  const reason = `contact ${id} is in ${JSON.stringify(present)}, so ${JSON.stringify(wanted)} is left out (onMatch: fill)`;
  return { kind: 'left', note: { code: 'lifecycle.kept', column: null, reason } };
}

/** Compares without regard to case: the workspace may have its own spelling of a stage. */
function sameStage(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function place(stages: readonly string[], stage: string): number {
  return stages.findIndex((each) => sameStage(each, stage));
}

function unlisted(
  contact: Contact,
  stage: string,
  who: string,
  stages: readonly string[],
): StepPlan<LifecycleEffect> {
  const reason = `contact ${contact.id} was left in its stage: "${stage}", which ${who}, is not one of ${stages.join(', ')}`;
  return { kind: 'left', note: { code: 'lifecycle.unlisted', column: null, reason } };
}
