import * as z from 'zod';
import { foldDrafts } from '../../../identity/fold.ts';
import type { Group, InputIndex } from '../../../identity/input-index.ts';
import { type IdentifyBy, identifiersOf } from '../../../identity/look-up.ts';
import type { StepRecord } from '../../../journal/index.ts';
import { type Draft, draftSchema } from '../../../model/draft.ts';
import { type Identifier, identifierText } from '../../../model/identifier.ts';
import type { KeepRules } from '../../../model/keep.ts';
import type { Problem } from '../../../model/problem.ts';
import { commentsOf, memoryKey, type Person, type PersonRow } from './person.ts';

export type Duplicates = 'merge' | 'first' | 'last' | 'reject';

/** What a row of the input comes to among the rows of its person. */
export type Gathered =
  | { readonly kind: 'person'; readonly person: Person }
  /** It waits for the last row of its person. */
  | { readonly kind: 'waits' }
  /** Nothing is sent of these rows. */
  | {
      readonly kind: 'skipped' | 'rejected';
      readonly rows: readonly PersonRow[];
      /** What each of them is remembered by; undefined where nothing says who it is. */
      readonly keys: readonly (string | undefined)[];
      readonly problem: Problem;
    };

export interface GatherOptions {
  readonly index: InputIndex;
  readonly duplicates: Duplicates;
  readonly identify: readonly IdentifyBy[];
  readonly keep: KeepRules;
  /** What is decided about the tags of all rows of a person together. */
  readonly settleTags: (
    draft: Draft,
  ) => { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly problem: Problem };
}

/** Makes persons out of rows: those of one person wait on disk for the last of them (design: duplicates). */
export class Gathering {
  readonly #options: GatherOptions;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  /** Takes a row in the input's order; `open` is what an interrupted run left of it. */
  take(drafted: DraftedRow, group: Group | undefined, open: readonly StepRecord[]): Gathered {
    const { index, duplicates, identify } = this.#options;
    if (group === undefined) return this.#person([drafted], open);
    const { row } = drafted;
    const { seq } = row;
    const left = { rows: [row], keys: [memoryKey(drafted.draft, identify)] };
    switch (duplicates) {
      case 'reject':
        return { kind: 'rejected', ...left, problem: duplicate(group, 'none of them is taken') };
      case 'first':
      case 'last':
        if (seq === group[duplicates]) return this.#person([drafted], open);
        return {
          kind: 'skipped',
          ...left,
          problem: duplicate(group, `the ${duplicates} of them is taken`),
        };
      case 'merge': {
        index.keep(seq, drafted);
        if (seq !== group.last) return { kind: 'waits' };
        return this.complete(group, open);
      }
    }
  }

  /** The person of a group whose last row has been read. */
  complete(group: Group, open: readonly StepRecord[]): Gathered {
    const { index } = this.#options;
    const rows = index.kept(group).map(({ content }) => draftedRow.parse(content));
    index.drop(group);
    return this.#person(rows, open);
  }

  #person(rows: readonly DraftedRow[], open: readonly StepRecord[]): Gathered {
    const { identify, keep, settleTags } = this.#options;
    const carrier = rows.at(-1)?.row;
    const [first] = rows;
    if (carrier === undefined || first === undefined) return { kind: 'waits' };
    const folded =
      rows.length === 1
        ? { ...first.draft, dropped: [] }
        : foldDrafts(
            rows.map(({ row, draft }) => ({ line: row.line, draft })),
            keep,
          );
    const all = rows.map(({ row }) => row);
    const settled = settleTags(folded);
    const keys = rows.map(({ draft }) => memoryKey(draft, identify));
    if (!settled.ok) return { kind: 'rejected', rows: all, keys, problem: settled.problem };
    const identifiers = this.#identifiers(settled.draft);
    if (identifiers.length === 0)
      return { kind: 'rejected', rows: all, keys, problem: onlySwitchboard(settled.draft) };
    const known = keys.map((key) => key ?? '');
    return {
      kind: 'person',
      person: {
        rows: all,
        carrier,
        keys: known,
        draft: this.#withUnifiedTags(settled.draft),
        dropped: rows.map(({ draft }) => draft.dropped),
        identifiers,
        lookedUpBy: unique([...identifiers, ...rows.flatMap(({ draft }) => this.#identifiers(draft))]),
        comments: commentsOf(rows.map(({ draft }, n) => ({ draft, under: known[n] ?? '' }))),
        open,
      },
    };
  }

  /** Names are unified without regard to case (design: Tags): the input's first spelling is everybody's. */
  #withUnifiedTags(draft: Draft): Draft {
    const { index } = this.#options;
    if (draft.tags === undefined) return draft;
    return { ...draft, tags: draft.tags.map((name) => index.tagSpelling(name)) };
  }

  /** A phone that many people share says nothing of who somebody is. */
  #identifiers(draft: Draft): readonly Identifier[] {
    const { index, identify } = this.#options;
    return identifiersOf(draft, identify).filter(
      ({ kind, value }) => kind !== 'phone' || !index.isWeakPhone(value),
    );
  }
}

function unique(identifiers: readonly Identifier[]): readonly Identifier[] {
  return [...new Map(identifiers.map((each) => [identifierText(each), each])).values()];
}

function duplicate({ size }: Group, rule: string): Problem {
  const reason = `${size} rows of the input are this person, and by policy.duplicates ${rule}`;
  return { code: 'identity.duplicate', column: null, reason };
}

function onlySwitchboard({ values }: Draft): Problem {
  const reason = `the row has only the phone ${values.contact.phone ?? ''}, and so many people of the input share it (policy.maxPeoplePerPhone) that it says nobody's identity`;
  return { code: 'identity.missing', column: null, reason };
}

/** A row that has become a draft. */
export interface DraftedRow {
  readonly row: PersonRow;
  readonly draft: Draft;
}

/** A drafted row as it comes back from where it waited for the others of its person. */
export const draftedRow = z.object({
  row: z.object({
    seq: z.int(),
    line: z.int(),
    key: z.string().nullable(),
    cells: z.array(z.tuple([z.string(), z.string().nullable()])),
    hash: z.string().nullable(),
  }),
  draft: draftSchema,
});
