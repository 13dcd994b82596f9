import type { Duplicates } from '../../../../src/identity/input-index.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import type { SourceItem } from '../../../../src/model/row.ts';
import { mapRow } from './map-row.ts';
import { switchboard } from './policy.ts';

/** One person of the input, by the rules alone. */
export interface InputPerson {
  readonly kind: 'person';
  /** The items of its rows, the last of which carries the outcome. */
  readonly items: readonly number[];
  readonly draft: Draft;
  readonly identifiers: { readonly email?: string | undefined; readonly phone?: string | undefined };
  /** The comments of all rows, in order. */
  readonly comments: readonly string[];
}

/** Rows of which nothing is sent. */
interface LeftOut {
  readonly kind: 'skipped' | 'rejected';
  readonly items: readonly number[];
}

interface MappedRow {
  readonly item: number;
  readonly draft: Draft;
}

/** The people of the input in the order of their last rows; what cannot be mapped is nobody. */
export function peopleOf(
  items: readonly SourceItem[],
  duplicates: Duplicates,
): readonly (InputPerson | LeftOut)[] {
  const rows = items.flatMap((item, n): MappedRow[] => {
    const mapped = item.kind === 'row' ? mapRow(item) : undefined;
    return mapped?.ok === true ? [{ item: n, draft: mapped.draft }] : [];
  });
  const unified = unifiedTags(rows);
  const isWeak = weakPhones(unified);
  return grouped(unified, isWeak)
    .toSorted((a, b) => lastOf(a) - lastOf(b))
    .flatMap((group) => taken(group, duplicates, isWeak));
}

/** The first spelling of a tag in the input is everybody's. */
function unifiedTags(rows: readonly MappedRow[]): readonly MappedRow[] {
  const spellings = new Map<string, string>();
  for (const tag of rows.flatMap(({ draft }) => draft.tags ?? [])) {
    if (!spellings.has(tag.toLowerCase())) spellings.set(tag.toLowerCase(), tag);
  }
  return rows.map(({ item, draft }) => {
    const { tags } = draft;
    if (tags === undefined) return { item, draft };
    return { item, draft: { ...draft, tags: tags.map((tag) => spellings.get(tag.toLowerCase()) ?? tag) } };
  });
}

type IsWeak = (phone: string) => boolean;

function weakPhones(rows: readonly MappedRow[]): IsWeak {
  return (phone) => {
    const emails = rows.flatMap(({ draft }) =>
      draft.values.contact.phone === phone ? [draft.values.contact.email] : [],
    );
    return new Set(emails).size > switchboard;
  };
}

function grouped(rows: readonly MappedRow[], isWeak: IsWeak): readonly (readonly MappedRow[])[] {
  let groups: readonly (readonly MappedRow[])[] = [];
  for (const row of rows) {
    const linked = groups.filter((group) => group.some((other) => share(row, other, isWeak)));
    groups = [...groups.filter((group) => !linked.includes(group)), [...linked.flat(), row]];
  }
  return groups.map((group) => group.toSorted((a, b) => a.item - b.item));
}

function share({ draft: one }: MappedRow, { draft: other }: MappedRow, isWeak: IsWeak): boolean {
  const [a, b] = [one.values.contact, other.values.contact];
  if (one.key !== null && one.key === other.key) return true;
  if (a.email !== undefined && a.email === b.email) return true;
  return typeof a.phone === 'string' && a.phone === b.phone && !isWeak(a.phone);
}

function lastOf(group: readonly MappedRow[]): number {
  return group.at(-1)?.item ?? 0;
}

function taken(
  group: readonly MappedRow[],
  duplicates: Duplicates,
  isWeak: IsWeak,
): readonly (InputPerson | LeftOut)[] {
  const items = group.map(({ item }) => item);
  if (duplicates === 'merge' || group.length === 1) return [folded(group, isWeak)];
  if (duplicates === 'reject') return [{ kind: 'rejected', items }];
  const one = duplicates === 'first' ? group.slice(0, 1) : group.slice(-1);
  const others = items.filter((item) => one.every((row) => row.item !== item));
  return [folded(one, isWeak), { kind: 'skipped', items: others }];
}

/** A later cell wins; tags and comments are united. */
function folded(group: readonly MappedRow[], isWeak: IsWeak): InputPerson {
  const drafts = group.map(({ draft }) => draft);
  const values = {
    contact: Object.assign({}, ...drafts.map((draft) => draft.values.contact)),
    customFields: Object.assign({}, ...drafts.map((draft) => draft.values.customFields)),
  };
  const tags = new Set(drafts.flatMap((draft) => draft.tags ?? []));
  const draft: Draft = { ...Object.assign({}, ...drafts), values, tags: [...tags] };
  const { email, phone } = draft.values.contact;
  return {
    kind: 'person',
    items: group.map(({ item }) => item),
    draft,
    identifiers: {
      email: email ?? undefined,
      phone: typeof phone === 'string' && !isWeak(phone) ? phone : undefined,
    },
    comments: drafts.flatMap(({ comments = [] }) => comments.map(({ text }) => text)),
  };
}
