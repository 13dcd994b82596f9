import { type LoadedMapping, settleTags } from '../../mapping/index.ts';
import type { Draft } from '../../model/draft.ts';
import { attachesTags } from '../../steps/tags.ts';

/** What the workspace must have before a row is sent. */
export interface Needs {
  /** Custom fields that the mapping may create. */
  readonly fields: readonly string[];
  readonly tags: readonly string[];
}

const nothing: Needs = { fields: [], tags: [] };

/** What the rows of a mapping need in the workspace; a row that is rejected for its own tags needs nothing. */
export function needsOf(loaded: LoadedMapping): (draft: Draft) => Needs {
  const { tags, customFields } = loaded.mapping;
  const attaches = tags !== undefined && attachesTags(tags.attach);
  const creatable = Object.entries(customFields ?? {})
    .filter(([, rule]) => rule.create === true)
    .map(([name]) => name);
  const settle = settleTags(loaded);
  return (draft) => {
    if (!settle(draft).ok) return nothing;
    const { values, defaults } = draft;
    // A field that is not there is as good as cleared.
    const fields = creatable.filter(
      (name) => (values.customFields[name] ?? defaults.customFields[name] ?? null) !== null,
    );
    return { fields, tags: attaches ? (draft.tags ?? []) : [] };
  };
}
