import type { Mapping } from '../mapping/index.ts';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';
import type { Step } from './step.ts';

/** The call that attaches tags to a contact; the user declares it, because the specification has none. */
export interface AttachTagsEndpoint {
  readonly method: 'POST' | 'PUT';
  /** A path with the placeholder of the contact's identifier: `/contact/{identifier}/tag`. */
  readonly path: string;
  /** The form of the body: a bare JSON array of names. */
  readonly body: 'tags';
}

/** A line of contact-tags.csv: a contact whose tags are attached manually. */
export interface ContactTagsLine {
  readonly contact: number;
  readonly email: string | null;
  readonly phone: string | null;
  readonly tags: readonly string[];
}

/** The rules of an import that contact steps are made from; each reads its own part of the mapping. */
export interface StepRules {
  readonly mapping: Readonly<Partial<Mapping>>;
  /** Absent where the user declares none. */
  readonly attachTags?: AttachTagsEndpoint | undefined;
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
  /**
   * The kind of the row's identifier that is left out because it belongs to another contact; undefined if none is left
   * out.
   */
  readonly leftOut: 'email' | 'phone' | undefined;
  /** True if an earlier import gave the contact the same desired state. */
  readonly isApplied?: boolean;
}

/** The result of planning a contact step: nothing to do, left out with a reason, or an effect to send. */
export type StepPlan<E> =
  /** The contact already has the desired state, or the row asks for none. */
  | { readonly kind: 'nothing' }
  /** Left out on purpose, with the reason. */
  | { readonly kind: 'left'; readonly note: Problem }
  | { readonly kind: 'effect'; readonly effect: E };

/**
 * A state of the contact, beyond its field values, that a row asks for; its hash is recorded, so that a later import
 * sends only changes.
 */
interface DesiredState {
  /** The name of the state in messages, in the journal, and in `deferred`. */
  readonly state: string;
  /** The state that the row asks for; undefined where it asks for none. */
  wanted(draft: Draft, created: boolean): unknown;
  /** Returns true if the mapping allows the step. */
  isAllowed(created: boolean): boolean;
}

/** A step that gives the contact its desired state by at most one request. */
export interface SingleEffectStep<E> extends Step<E>, DesiredState {
  readonly kind: 'state';
  plan(facts: ContactStepInput): StepPlan<E>;
}

/** A step that no request can perform: it goes into a list for manual action. */
export interface ManualStep extends Pick<Step<never>, 'name' | 'label'>, DesiredState {
  readonly kind: 'list';
  list(facts: ContactStepInput): ContactTagsLine;
}
