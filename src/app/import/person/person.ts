import type { Rival, SharedPlaces } from '../../../identity/input-index/index.ts';
import { type IdentifyBy, identifiersOf } from '../../../identity/look-up.ts';
import type { QuestionSide, StepRecord } from '../../../journal/index.ts';
import type { CommentDraft, Draft } from '../../../model/draft.ts';
import { type Identifier, identifierText } from '../../../model/identifier.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Cell } from '../../../model/row.ts';
import type { RowPlace } from '../../../model/row-place.ts';

/** A row as its outcome needs it. */
export interface PersonRow extends RowPlace {
  readonly seq: number;
  readonly key: string | null;
  readonly cells: readonly (readonly [column: string, cell: Cell])[];
  /** Of its content (`rowHash`). */
  readonly hash: string | null;
}

/** A comment with what it is remembered under: the key of the row that it stands in. */
export interface PersonComment extends CommentDraft {
  readonly under: string;
  /** Tells it from the person's other comments. */
  readonly item: string;
}

/** One person of the input: a row, or several rows folded into one draft. */
export interface Person {
  /** In the input's order; the last one carries the steps. */
  readonly rows: readonly PersonRow[];
  readonly carrier: PersonRow;
  /** What the person is remembered under: the key of each row. */
  readonly keys: readonly string[];
  readonly draft: Draft;
  /** What was left out of each row alone; the draft says only what was left out of them together. */
  readonly dropped: readonly (readonly Problem[])[];
  /** What each row says of who it is. */
  readonly sides: readonly QuestionSide[];
  /** The phones of each row besides the one that it sends. */
  readonly furtherPhones?: readonly (readonly string[])[];
  /** Where the row of the input stands that an e-mail or a phone of this person belongs to, another person's. */
  readonly shared: SharedPlaces;
  /** Others of the input who say one of its e-mails or phones, too. */
  readonly rivals: readonly Rival[];
  /** The identifiers that the draft sends, in the mapping's order. */
  readonly identifiers: readonly Identifier[];
  /** What the person is looked up by: these, and those of the rows that were folded. */
  readonly lookedUpBy: readonly Identifier[];
  /** Further phones of the rows, which are not sent as the contact's own: weak evidence of who the person is. */
  readonly furtherLookedUpBy: readonly Identifier[];
  readonly comments: readonly PersonComment[];
  /** What an interrupted run left in the air. */
  readonly open: readonly StepRecord[];
}

/**
 * What a row is remembered under: its key in the legacy CRM, or where the mapping has none its e-mail, else its phone,
 * whatever order it is looked up in: a phone may be a switchboard, and many people's. What belongs to another person of the
 * input is taken only where there is nothing else.
 */
export function memoryKey(
  draft: Draft,
  identify: readonly IdentifyBy[],
  shared: SharedPlaces = {},
): string | undefined {
  if (draft.key !== null) return `key:${draft.key}`;
  const every = identifiersOf(draft, identify);
  const own = every.filter((each) => sharedWith(each, shared) === undefined);
  const all = own.length > 0 ? own : every;
  const identifier = all.find(({ kind }) => kind === 'email') ?? all[0];
  return identifier && identifierText(identifier);
}

/** What a draft says of who it is, as people read it. */
export function sideOf({ values }: Draft): QuestionSide {
  const { firstName, lastName, email, phone } = values.contact;
  return { first: firstName ?? null, family: lastName ?? null, email: email ?? null, phone: phone ?? null };
}

/** The comments of a person's rows; a comment that stands in two rows under one key and with one text is one. */
export function commentsOf(
  rows: readonly { readonly draft: Draft; readonly under: string }[],
): readonly PersonComment[] {
  const texts = new Map<string, string>();
  const comments: PersonComment[] = [];
  for (const { draft, under } of rows) {
    for (const { id, text } of draft.comments ?? []) {
      const own = freeId(texts, under, id, text);
      if (own === undefined) continue;
      texts.set(`${under} ${own}`, text);
      comments.push({ id: own, text, under, item: rows.length === 1 ? own : `${own} of ${under}` });
    }
  }
  return comments;
}

function freeId(
  texts: ReadonlyMap<string, string>,
  under: string,
  id: string,
  text: string,
): string | undefined {
  for (let n = 1; ; n += 1) {
    const own = n === 1 ? id : `${id} #${n}`;
    const taken = texts.get(`${under} ${own}`);
    if (taken === text) return undefined;
    if (taken === undefined) return own;
  }
}

/** The line of the row that an identifier belongs to, where it is another person's. */
export function sharedWith({ kind }: Identifier, shared: SharedPlaces): RowPlace | undefined {
  return kind === 'id' ? undefined : shared[kind];
}
