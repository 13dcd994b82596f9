import type { Mapping } from '../mapping/index.ts';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';
import type { Step } from './step.ts';

/** The call that attaches tags in a workspace, as the user declares it: the specification lists none. */
export interface AttachTagsExtension {
  readonly method: 'POST' | 'PUT';
  /** A path with the placeholder of the contact's identifier: `/contact/{identifier}/tag`. */
  readonly path: string;
  /** The form of the body: a bare JSON array of names. */
  readonly body: 'tags';
}

/** A contact whose tags are attached manually: a line of contact-tags.csv. */
export interface TaggedContact {
  readonly contact: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

/** The rules of an import that contact steps are made from; each reads its own part of the mapping. */
export interface StepRules {
  readonly mapping: Readonly<Partial<Mapping>>;
  /** Absent where the user declares none. */
  readonly attachTags?: AttachTagsExtension | undefined;
}

/** The input of a contact step's plan: the row's draft, its contact, and the policy. */
export interface ContactStepInput {
  readonly draft: Draft;
  /** The contact as it was read before the row's own values were sent. */
  readonly contact: Contact;
  /** True if this row created the contact, or an earlier run with this work dir did. */
  readonly created: boolean;
  /** `empty` under the policy onMatch: fill. */
  readonly only: 'changed' | 'empty';
  /** The row's identifier that was not sent, because it belongs to another contact; undefined if there is none. */
  readonly leftOut: 'email' | 'phone' | undefined;
}

/** The result of planning a contact step: nothing to do, left out with a reason, or an effect to send. */
export type StepPlan<E> =
  /** The contact already has the desired state, or the row asks for none. */
  | { readonly kind: 'nothing' }
  /** Left out on purpose, with the reason. */
  | { readonly kind: 'left'; readonly note: Problem }
  | { readonly kind: 'effect'; readonly effect: E };

/**
 * A state of the contact, beyond its field values, that a row asks for; its hash is recorded, so that a delta run sends
 * only changes.
 */
interface DesiredState {
  /** The name of the state in messages, in the journal, and in `deferred`. */
  readonly state: string;
  /** The state that the row asks for; undefined where it asks for none. */
  wanted(draft: Draft, created: boolean): unknown;
  /** Returns true if the mapping allows the step. */
  isAllowed(created: boolean): boolean;
}

/** A step that sends one effect on the contact. */
export interface SingleEffectStep<E> extends Step<E>, DesiredState {
  readonly kind: 'state';
  plan(facts: ContactStepInput): StepPlan<E>;
}

/** A step that no request can perform: it goes into a list for manual action. */
export interface ManualStep extends Pick<Step<never>, 'name' | 'label'>, DesiredState {
  readonly kind: 'list';
  list(facts: ContactStepInput): TaggedContact;
}
