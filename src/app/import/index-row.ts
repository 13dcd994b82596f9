import type { InputIndex } from '../../identity/input-index/index.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import { furtherFields, type LoadedMapping, settleTags } from '../../mapping/index.ts';
import type { Draft } from '../../model/draft.ts';
import { placeOf, type RowPlace } from '../../model/row-place.ts';
import { attachesTags } from '../../steps/tags.ts';

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
  place: RowPlace & { readonly seq: number },
  draft: Draft,
  { identify, needsOf, givenUp }: IndexRules,
): void {
  const { seq } = place;
  for (const identity of givenUp(draft)) index.addMoved(identity, seq);
  const { firstName, lastName, email, phone } = draft.values.contact;
  // What the mapping does not identify by says of nobody who they are.
  const known = (kind: IdentifyBy, value: string | null | undefined) =>
    identify.includes(kind) ? (value ?? null) : null;
  const { fields, tags, isOverfull } = needsOf(draft);
  index.add({
    seq,
    ...placeOf(place),
    key: draft.key,
    email: known('email', email),
    phone: known('phone', phone),
    further: identify.includes('phone') ? (draft.furtherPhones ?? []) : [],
    person: `${firstName ?? ''} ${lastName ?? ''}`.trim().toLowerCase(),
    first: firstName ?? null,
    family: lastName ?? null,
    isOverfull,
  });
  index.addFields(fields, seq);
  index.addTags(tags, seq);
}

/** What the workspace must have before a row is sent. */
export interface Needs {
  /** Custom fields that the mapping may create. */
  readonly fields: readonly string[];
  readonly tags: readonly string[];
  /** Whether the row has more than a contact takes, and is rejected for that. */
  readonly isOverfull: boolean;
}

const nothing: Needs = { fields: [], tags: [], isOverfull: true };

/** What the rows of a mapping need in the workspace; a row that is rejected for its own tags needs nothing. */
export function needsOf(loaded: LoadedMapping): (draft: Draft) => Needs {
  const { tags, customFields } = loaded.mapping;
  const attaches = tags !== undefined && attachesTags(tags.attach);
  const ofRules = Object.entries(customFields ?? {}).filter(([, rule]) => rule.create === true);
  const further = furtherFields(loaded.mapping.contact).filter(({ create }) => create);
  const creatable = [...ofRules.map(([name]) => name), ...further.map(({ name }) => name)];
  const settle = settleTags(loaded);
  return (draft) => {
    if (!settle(draft).ok) return nothing;
    const { values, defaults } = draft;
    // A field that is not there is as good as cleared.
    const fields = creatable.filter(
      (name) => (values.customFields[name] ?? defaults.customFields[name] ?? null) !== null,
    );
    return { fields, tags: attaches ? (draft.tags ?? []) : [], isOverfull: false };
  };
}
