import { toComparableBirthDate, toComparableFurther } from '../../../identity/comparable.ts';
import type { IdentifierHolders, PersonSharingIdentifier } from '../../../identity/input-index/index.ts';
import { listDraftIdentifiers, type MatchIdentifierKind } from '../../../identity/look-up.ts';
import type { ComparedPerson, StepRecord } from '../../../journal/index.ts';
import type { Contact } from '../../../model/contact.ts';
import type { CommentDraft, Draft, FurtherIdentifier } from '../../../model/draft.ts';
import { formatIdentifier, type Identifier } from '../../../model/identifier.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Cell } from '../../../model/row.ts';
import type { RowPlace } from '../../../model/row-place.ts';

/** A row with the properties that its record in the journal needs. */
export interface PersonRow extends RowPlace {
  readonly seq: number;
  readonly key: string | null;
  readonly cells: readonly (readonly [column: string, cell: Cell])[];
  /** The hash of its content (`hashRowContent`). */
  readonly hash: string | null;
}

/** A comment with the memory key of its row. */
export interface PersonComment extends CommentDraft {
  readonly under: string;
  /** Unique among the person's comments. */
  readonly item: string;
  /** The id as the row has it; comments of several rows may have the same one. */
  readonly rowId: string;
  /** The number of further comments with the same memory key, id and text, which count as this one. */
  readonly repetitions: number;
}

/** One person of the input: a row, or several rows merged into one draft. */
export interface Person {
  /** In the input's order; the last row carries the steps. */
  readonly rows: readonly PersonRow[];
  readonly carrier: PersonRow;
  /** The memory key of each row. */
  readonly keys: readonly string[];
  readonly draft: Draft;
  /** For each row, the problems of the values left out of it; `draft.dropped` has those of the whole person. */
  readonly dropped: readonly (readonly Problem[])[];
  /** The name, e-mail, phone and date of birth of each row, as questions show them. */
  readonly sides: readonly ComparedPerson[];
  /** The e-mails and phones of each row besides those that are sent. */
  readonly furtherOfRows?: readonly (readonly FurtherIdentifier[])[];
  /** The rows of other people in the input that own an e-mail or phone of this person. */
  readonly shared: IdentifierHolders;
  /** Other people in the input who have one of its e-mails or phones, too. */
  readonly rivals: readonly PersonSharingIdentifier[];
  /** The identifiers that the draft sends, in the mapping's order. */
  readonly identifiers: readonly Identifier[];
  /** The identifiers for looking up the person: those of the draft, and those of the merged rows. */
  readonly lookedUpBy: readonly Identifier[];
  /** Further e-mails and phones of the rows that are not sent as the contact's own: weak evidence of identity. */
  readonly furtherLookedUpBy: readonly Identifier[];
  readonly comments: readonly PersonComment[];
  /** The steps that an earlier session has recorded for the last row, which has no outcome yet. */
  readonly open: readonly StepRecord[];
}

/**
 * Returns the key under which the journal remembers a row: its key in the legacy CRM, else its e-mail, else its phone.
 * The e-mail comes first regardless of the look-up order, because a phone may be a switchboard that many people share.
 * An identifier that belongs to another person of the input is used only where there is no other. Undefined where the
 * row has none.
 */
export function toKnownKey(
  draft: Draft,
  identify: readonly MatchIdentifierKind[],
  shared: IdentifierHolders = {},
): string | undefined {
  return findOwnKey(draft, identify, shared) ?? firstIdentifier(listDraftIdentifiers(draft, identify));
}

/**
 * Returns `toKnownKey` of each row of a person, but of a row whose identifiers all belong to another person that of
 * another row: what is remembered under its own would be remembered of the other person, too.
 */
export function listKnownKeys(
  rows: readonly { readonly draft: Draft; readonly shared: IdentifierHolders }[],
  identify: readonly MatchIdentifierKind[],
): readonly (string | undefined)[] {
  const own = rows.map(({ draft, shared }) => findOwnKey(draft, identify, shared));
  const any = own.find((key) => key !== undefined);
  return rows.map(({ draft, shared }, n) => own[n] ?? any ?? toKnownKey(draft, identify, shared));
}

function findOwnKey(
  draft: Draft,
  identify: readonly MatchIdentifierKind[],
  shared: IdentifierHolders,
): string | undefined {
  if (draft.key !== null) return `key:${draft.key}`;
  return firstIdentifier(
    listDraftIdentifiers(draft, identify).filter((each) => findIdentifierHolder(each, shared) === undefined),
  );
}

/** Returns the first e-mail, else the first identifier, as text. */
function firstIdentifier(all: readonly Identifier[]): string | undefined {
  const identifier = all.find(({ kind }) => kind === 'email') ?? all[0];
  return identifier && formatIdentifier(identifier);
}

/** Returns the name, e-mail, phone and date of birth of a draft, as questions show them. */
export function draftToComparedPerson(draft: Draft): ComparedPerson {
  const { firstName, lastName, email, phone } = draft.values.contact;
  const birthDate = findBirthDate(draft);
  const further = toComparableFurther(draft.furtherIdentifiers ?? []);
  return {
    first: firstName ?? null,
    family: lastName ?? null,
    email: email ?? null,
    phone: phone ?? null,
    ...(birthDate !== null && { birthDate }),
    ...(further.length > 0 && { further }),
  };
}

/** Returns the comparable date of birth of a draft; null where it has none. */
export function findBirthDate({ birthDateField, values }: Draft): string | null {
  return birthDateField === undefined ? null : toComparableBirthDate(values.customFields[birthDateField]);
}

/** Returns the comparable date of birth that a contact has in a custom field; null where it has none. */
export function findBirthDateOfContact({ custom_fields }: Contact, field: string | undefined): string | null {
  return toComparableBirthDate(custom_fields.find(({ name }) => name === field)?.value);
}

/**
 * Returns the comments of a person's rows. Comments with the same memory key, id and text become one, with their
 * number; a comment with the same key and id but another text gets a new id.
 */
export function collectComments(
  rows: readonly { readonly draft: Draft; readonly under: string }[],
): readonly PersonComment[] {
  const found = new Map<string, PersonComment>();
  for (const { draft, under } of rows) {
    for (const { id, text } of draft.comments ?? []) {
      const own = chooseId(found, under, id, text);
      const name = `${under} ${own}`;
      const same = found.get(name);
      const item = rows.length === 1 ? own : `${own} of ${under}`;
      const repetitions = same === undefined ? 0 : same.repetitions + 1;
      found.set(name, { id: own, text, under, item, rowId: id, repetitions });
    }
  }
  return [...found.values()];
}

/** Returns the id of the comment that has the text; a free one where there is none. */
function chooseId(
  found: ReadonlyMap<string, PersonComment>,
  under: string,
  id: string,
  text: string,
): string {
  for (let n = 1; ; n += 1) {
    const own = n === 1 ? id : `${id} #${n}`;
    const taken = found.get(`${under} ${own}`);
    if (taken === undefined || taken.text === text) return own;
  }
}

/** Returns the place of another person's row that owns an identifier; undefined if no other person owns it. */
export function findIdentifierHolder({ kind }: Identifier, shared: IdentifierHolders): RowPlace | undefined {
  return kind === 'id' ? undefined : shared[kind];
}
