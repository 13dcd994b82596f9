import type { KnownComment, TaggedRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Aside, StepEnd } from '../step.ts';
import type { BelongingName } from './delta.ts';
import type { Person } from './person.ts';

/** What the steps after a contact's own have to know. */
export interface BelongingsWork {
  readonly person: Person;
  readonly contact: Contact;
  /** Whether this row, or this work dir before, created the contact. */
  readonly created: boolean;
  /** Whether the journal remembered the contact before this run. */
  readonly remembered: boolean;
  /** Since when the contact may not be ready yet (ms); undefined for one that was there. */
  readonly newSince: number | undefined;
  /** The identifier of the row that is another contact's and was not sent. */
  readonly leftOut: 'email' | 'phone' | undefined;
  /** `empty` under the policy onMatch: fill. */
  readonly only: 'changed' | 'empty';
  /** What is to be looked at, with the hash to remember it by. */
  readonly pending: { readonly [B in BelongingName]?: string };
  readonly comments: readonly PendingComment[];
  readonly aside: Aside;
}

export interface PendingComment {
  readonly comment: Person['comments'][number];
  readonly known: KnownComment | undefined;
}

/** What came of them. */
export interface BelongingsEnd {
  /** Whether anything was changed in the workspace. */
  readonly did: boolean;
  readonly uncertain: boolean;
  readonly failures: readonly Problem[];
  readonly notes: readonly Problem[];
  readonly applied: { readonly [B in BelongingName]?: string };
  readonly tagged: TaggedRecord | undefined;
  readonly also: readonly (() => void)[];
}

/** A step that did not come off. */
export type Failed = Exclude<StepEnd, { kind: 'done' }>;

/** What is said of a step that did not come off. */
export function failure(step: string, end: Failed): Problem {
  const reason = 'message' in end ? end.message : 'the workspace could not say whether it took effect';
  const code = end.kind === 'refused' ? 'workspace.refused' : 'workspace.failed';
  return { code, column: null, reason: `${step}: ${reason}` };
}
