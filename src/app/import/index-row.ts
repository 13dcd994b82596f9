import type { InputIndex } from '../../identity/input-index/index.ts';
import type { MatchIdentifierKind } from '../../identity/look-up.ts';
import { compileTagFinalizer, type LoadedMapping, listFurtherValuesFields } from '../../mapping/index.ts';
import type { Draft } from '../../model/draft.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import { needsWorkspaceTags } from '../../steps/tags.ts';
import { findBirthDate } from './person/person.ts';

/** The rules for what the index records about a row besides its draft. */
export interface RowIndexRules {
  readonly identify: readonly MatchIdentifierKind[];
  readonly needsOf: (draft: Draft) => RowPrerequisites;
  /** Returns the identities (as in `listIdentityHashes`) that a row had at its last import and no longer has. */
  readonly givenUp: (draft: Draft, place: RowPlace) => readonly string[];
}

/** Adds a mapped row to the input's index: its identity, identities it has given up, and its needs in the workspace. */
export function indexRow(
  index: InputIndex,
  place: RowPlace & { readonly seq: number },
  draft: Draft,
  { identify, needsOf, givenUp }: RowIndexRules,
): void {
  const { seq } = place;
  for (const identity of givenUp(draft, place)) index.addMoved(identity, seq);
  const { firstName, lastName, email, phone } = draft.values.contact;
  // A field that the mapping does not list under `identify` is not evidence of identity.
  const known = (kind: MatchIdentifierKind, value: string | null | undefined) =>
    identify.includes(kind) ? (value ?? null) : null;
  const { fields, tags, isOverfull } = needsOf(draft);
  index.add({
    seq,
    ...normaliseRowPlace(place),
    key: draft.key,
    email: known('email', email),
    phone: known('phone', phone),
    further: (draft.furtherIdentifiers ?? []).filter(({ kind }) => identify.includes(kind)),
    person: `${firstName ?? ''} ${lastName ?? ''}`.trim().toLowerCase(),
    first: firstName ?? null,
    family: lastName ?? null,
    birthDate: findBirthDate(draft),
    isOverfull,
  });
  index.addFields(fields, seq);
  index.addTags(tags, seq);
}

/** The tags and fields that must exist in the workspace before a row is sent. */
export interface RowPrerequisites {
  /** Custom fields that the mapping may create. */
  readonly fields: readonly string[];
  readonly tags: readonly string[];
  /** True if the row is rejected because it has more tags than a contact can hold. */
  readonly isOverfull: boolean;
}

const nothing: RowPrerequisites = { fields: [], tags: [], isOverfull: true };

/** Returns a function that finds the prerequisites of a row; a row rejected because of its own tags has none. */
export function createPrerequisiteFinder(loaded: LoadedMapping): (draft: Draft) => RowPrerequisites {
  const { tags, customFields } = loaded.mapping;
  const attaches = tags !== undefined && needsWorkspaceTags(tags.attach);
  const ofRules = Object.entries(customFields ?? {}).filter(([, rule]) => rule.create === true);
  const further = listFurtherValuesFields(loaded.mapping.contact).filter(({ create }) => create);
  const creatable = [...ofRules.map(([name]) => name), ...further.map(({ name }) => name)];
  const settle = compileTagFinalizer(loaded);
  return (draft) => {
    if (!settle(draft).ok) return nothing;
    const { values, defaults } = draft;
    // A null needs no field: a field that does not exist has no value to clear.
    const fields = creatable.filter(
      (name) => (values.customFields[name] ?? defaults.customFields[name] ?? null) !== null,
    );
    return { fields, tags: attaches ? (draft.tags ?? []) : [], isOverfull: false };
  };
}
