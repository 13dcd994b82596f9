import type { Mapping } from '../mapping/index.ts';
import type { Contact } from '../model/contact.ts';
import type { Draft } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';
import type { Step } from './step.ts';

/** How a workspace attaches tags, as the user declares it: the specification lists no call that does. */
export interface AttachTagsExtension {
  readonly method: 'POST' | 'PUT';
  /** With the contact's identifier in it: `/contact/{identifier}/tag`. */
  readonly path: string;
  /** What the body is: a bare JSON array of names. */
  readonly body: 'tags';
}

/** A contact whose tags a person attaches: a line of contact-tags.csv. */
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

/** The row and its contact, as a contact step plans by them. */
export interface ContactFacts {
  readonly draft: Draft;
  /** As it was read before the row's own values were sent. */
  readonly contact: Contact;
  /** Whether this row, or this work dir before, created the contact. */
  readonly created: boolean;
  /** `empty` under the policy onMatch: fill. */
  readonly only: 'changed' | 'empty';
  /** The identifier of the row that is another contact's and was not sent. */
  readonly leftOut: 'email' | 'phone' | undefined;
}

/** The plan of a contact step. */
export type StepPlan<E> =
  /** The contact is as wanted, or nothing is wanted. */
  | { readonly kind: 'nothing' }
  /** Left out on purpose, and why. */
  | { readonly kind: 'left'; readonly note: Problem }
  | { readonly kind: 'effect'; readonly effect: E };

/** A state of the contact, beyond its field values, that a row asks for; its hash is remembered, so that a delta run sends only changes. */
interface DesiredState {
  /** The name of the state in messages, in the memory, and in `deferred`. */
  readonly state: string;
  /** The state that the row asks for; undefined where it asks for none. */
  wanted(draft: Draft, created: boolean): unknown;
  /** Whether the mapping allows the step. */
  isAllowed(created: boolean): boolean;
}

/** A step that sends one effect on the contact. */
export interface StateStep<E> extends Step<E>, DesiredState {
  readonly kind: 'state';
  plan(facts: ContactFacts): StepPlan<E>;
}

/** A step that no request can do: it goes into a list for manual action. */
export interface ListStep extends Pick<Step<never>, 'name' | 'label'>, DesiredState {
  readonly kind: 'list';
  list(facts: ContactFacts): TaggedContact;
}
