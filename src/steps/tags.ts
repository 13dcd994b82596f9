import { z } from 'zod';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import { idToIdentifier } from '../model/identifier.ts';
import { createExtensionEndpoint } from '../workspace/index.ts';
import type {
  AttachTagsEndpoint,
  ContactStepInput,
  ContactTagsLine,
  ManualStep,
  SingleEffectStep,
  StepPlan,
  StepRules,
} from './contact-step.ts';
import { contactStepDefaults, settleByReading, toStepAnswer } from './step.ts';

/** The maximum number of tags of a contact (specification: Limits). */
const most = 10;

const effectSchema = z.object({ contactId: z.number(), tags: z.array(z.string()) });

export interface AttachTagsEffect {
  readonly contactId: number;
  readonly tags: readonly string[];
}

/** Parses the effect of an attachTags step that was read from the journal. */
export function parseAttachTagsEffect(intent: unknown): AttachTagsEffect {
  return effectSchema.parse(intent);
}

const words = { name: 'attachTags', label: 'tags attached to contacts', state: 'tags' } as const;

/**
 * Creates the step for tags: they are sent by the call that the user declared, otherwise listed in contact-tags.csv.
 */
export function createAttachTagsStep({
  mapping,
  attachTags: extension,
}: StepRules): SingleEffectStep<AttachTagsEffect> | ManualStep {
  const { attach } = mapping.tags ?? {};
  const desired = {
    ...words,
    wanted: (draft: Draft) => (draft.tags === undefined || draft.tags.length === 0 ? undefined : draft.tags),
    isAllowed: () => attach !== undefined && needsWorkspaceTags(attach),
  };
  if (attach !== 'extension' || extension === undefined) return { kind: 'list', ...desired, list: tagged };
  return { kind: 'state', ...desired, ...attachTags(extension) };
}

/** Returns true unless tags become a custom field's value: those need no tags in the workspace. */
export function needsWorkspaceTags(attach: string): boolean {
  return !attach.startsWith('customField:');
}

/**
 * Returns the contact's line in contact-tags.csv, with the e-mail and the phone that it has after the row was applied.
 */
function tagged({ draft, contact, only, leftOut }: ContactStepInput): ContactTagsLine {
  const after = (identifier: 'email' | 'phone') => {
    const there = contact[identifier];
    if (identifier === leftOut || (only === 'empty' && there !== null)) return there;
    return draft.values.contact[identifier] ?? there;
  };
  return { contact: contact.id, email: after('email'), phone: after('phone'), tags: draft.tags ?? [] };
}

/** Plans to attach the row's tags that the contact lacks; attaches none if the contact would then have over ten. */
export function planAttachTags(draft: Draft, contact: Contact): StepPlan<AttachTagsEffect> {
  const has = lowered(contact.tags);
  const missing = (draft.tags ?? []).filter((tag) => !has.has(tag.toLowerCase()));
  if (missing.length === 0) return { kind: 'nothing' };
  const total = contact.tags.length + missing.length;
  if (total > most) {
    const reason = `contact ${contact.id} has ${contact.tags.length} tags and would have ${total} with ${missing.join(', ')}; at most ${most} are allowed, so none was attached`;
    return { kind: 'left', note: { code: 'tags.tooMany', column: null, reason } };
  }
  return { kind: 'effect', effect: { contactId: contact.id, tags: missing } };
}

/** Returns the step members that attach tags by the declared call; attaching a tag again has no second effect. */
function attachTags(extension: AttachTagsEndpoint) {
  const endpoint = createExtensionEndpoint(extension);
  return {
    ...contactStepDefaults,
    parse: (intent: unknown) => effectSchema.parse(intent),
    before: (_: AttachTagsEffect, [contact]: readonly Contact[]) => contact && { tags: contact.tags },
    plan: ({ draft, contact }: ContactStepInput) => planAttachTags(draft, contact),
    async send(workspace, { contactId, tags: names }, options) {
      const answer = await workspace.extensions.call(endpoint, idToIdentifier(contactId), names, options);
      return toStepAnswer(answer, contactId);
    },
    settle: (workspace, { contactId, tags: names }, options) =>
      settleByReading(
        workspace,
        contactId,
        (contact) => {
          const has = lowered(contact.tags);
          return names.every((tag) => has.has(tag.toLowerCase()));
        },
        options,
      ),
  } satisfies Omit<SingleEffectStep<AttachTagsEffect>, 'kind' | 'wanted' | 'isAllowed' | keyof typeof words>;
}

/** Returns the names in lower case, because a workspace may keep the spelling with which a tag was first created. */
function lowered(names: readonly string[]): ReadonlySet<string> {
  return new Set(names.map((tag) => tag.toLowerCase()));
}
