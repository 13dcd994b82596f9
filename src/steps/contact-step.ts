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

/** What a contact step is made for: it reads its own part of the mapping. */
export interface StepRules {
  readonly mapping: Readonly<Partial<Mapping>>;
  /** Where the user declares it. */
  readonly attachTags?: AttachTagsExtension | undefined;
}

/** What a contact step plans by. */
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

/** What a contact step has to do. */
export type StepPlan<E> =
  /** The contact is as wanted, or nothing is wanted. */
  | { readonly kind: 'nothing' }
  /** Left out on purpose, and why. */
  | { readonly kind: 'left'; readonly note: Problem }
  | { readonly kind: 'effect'; readonly effect: E };

/** What a row wants of its contact beyond field values; remembered by its hash, so that a delta run sends what changed. */
interface Wish {
  /** What it is called in messages, and remembered and deferred by. */
  readonly wish: string;
  /** What the row wants; undefined where it says nothing. */
  wanted(draft: Draft, created: boolean): unknown;
  /** Whether the mapping lets it be done at all. */
  isAllowed(created: boolean): boolean;
}

/** One effect on the contact. */
export interface WishStep<E> extends Step<E>, Wish {
  readonly kind: 'wish';
  plan(facts: ContactFacts): StepPlan<E>;
}

/** What no request can do: it goes into a list for a person. */
export interface ListStep extends Pick<Step<never>, 'name' | 'label'>, Wish {
  readonly kind: 'list';
  list(facts: ContactFacts): TaggedContact;
}
