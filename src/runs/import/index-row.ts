import type { InputIndex } from '../../identity/input-index.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import type { Draft } from '../../model/draft.ts';
import type { Needs } from './needs.ts';

/** What the index learns of a row beside its draft. */
export interface IndexRules {
  readonly identify: readonly IdentifyBy[];
  readonly needsOf: (draft: Draft) => Needs;
  /** Identities (as of `identityHashes`) that a row had when it was last imported and has no more. */
  readonly givenUp: (draft: Draft) => readonly string[];
}

/** Adds a row whose mapping succeeded to the index of its input: who it is, and what it needs in the workspace. */
export function indexRow(
  index: InputIndex,
  seq: number,
  draft: Draft,
  { identify, needsOf, givenUp }: IndexRules,
): void {
  for (const identity of givenUp(draft)) index.addMoved(identity, seq);
  const { firstName, lastName, email, phone } = draft.values.contact;
  // What the mapping does not identify by says of nobody who they are.
  const known = (kind: IdentifyBy, value: string | null | undefined) =>
    identify.includes(kind) ? (value ?? null) : null;
  index.add({
    seq,
    key: draft.key,
    email: known('email', email),
    phone: known('phone', phone),
    person: `${firstName ?? ''} ${lastName ?? ''}`.trim().toLowerCase(),
  });
  const { fields, tags } = needsOf(draft);
  index.addFields(fields, seq);
  index.addTags(tags, seq);
}
