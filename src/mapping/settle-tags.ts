import type { Draft } from '../model/draft.ts';
import type { Problem } from '../model/problem.ts';
import type { LoadedMapping } from './load.ts';
import { findTagsCustomFieldName, type TagsRule } from './schema/tags.ts';

/** The most tags of a contact (specification: Limits). */
const mostTags = 10;

/**
 * A draft with at most 10 tags, which are also in the custom field of `attach`, if any; or the problem that there are
 * too many.
 */
export type FinalizedTagsResult =
  | { readonly ok: true; readonly draft: Draft }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Returns a function that copies the tags of a draft to the custom field of `attach`, if any; more than 10
 * tags are a problem, or are cut to 10 (`overflow`). Call it when all rows of a person are folded into the
 * draft.
 */
export function compileTagFinalizer({ mapping }: LoadedMapping): (draft: Draft) => FinalizedTagsResult {
  const { tags: rule } = mapping;
  if (!rule) return (draft) => ({ ok: true, draft });
  const field = findTagsCustomFieldName(rule);
  return (draft) => {
    const limited = limit(draft, rule);
    if (!limited.ok || field === undefined) return limited;
    return { ok: true, draft: written(limited.draft, field) };
  };
}

function limit(draft: Draft, { from, overflow }: TagsRule): FinalizedTagsResult {
  const { tags = [] } = draft;
  if (tags.length <= mostTags) return { ok: true, draft };
  const code = 'tags.tooMany';
  const column = [from].flat()[0] ?? null;
  const count = `The contact has ${tags.length} tags; at most ${mostTags} are allowed.`;
  if (overflow !== 'first10') return { ok: false, problem: { code, column, reason: count } };
  const left = tags.slice(mostTags).map((tag) => JSON.stringify(tag));
  const note = { code, column, reason: `${count} Left out: ${left.join(', ')}.` };
  return {
    ok: true,
    draft: { ...draft, tags: tags.slice(0, mostTags), dropped: [...draft.dropped, note] },
  };
}

function written(draft: Draft, field: string): Draft {
  const { tags = [], values } = draft;
  if (tags.length === 0) return draft;
  const customFields = { ...values.customFields, [field]: tags.join('; ') };
  return { ...draft, values: { ...values, customFields } };
}
