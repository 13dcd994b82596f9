import * as z from 'zod';
import { toComparableEmail, toComparablePhone } from '../../../identity/comparable.ts';
import { formatEvidence } from '../../../identity/evidence.ts';
import { foldDrafts, listFoldNotes } from '../../../identity/fold.ts';
import {
  type DuplicatesPolicy,
  type IdentifierHolders,
  type InputIndex,
  identifierHoldersSchema,
  type PersonSharingIdentifier,
  personSharingIdentifierSchema,
  type RowGroup,
  type RowQuestion,
  rowPlaceSchema,
} from '../../../identity/input-index/index.ts';
import { listDraftIdentifiers, type MatchIdentifierKind } from '../../../identity/look-up.ts';
import type { QuestionRecord, StepRecord } from '../../../journal/index.ts';
import { type Draft, draftSchema } from '../../../model/draft.ts';
import { formatIdentifier, type Identifier } from '../../../model/identifier.ts';
import type { KeepRulesByField } from '../../../model/keep.ts';
import type { Problem } from '../../../model/problem.ts';
import {
  formatRowPlace,
  formatRowPlaces,
  normaliseRowPlace,
  type RowPlace,
} from '../../../model/row-place.ts';
import {
  collectComments,
  draftToComparedPerson,
  findIdentifierHolder,
  listKnownKeys,
  type Person,
  type PersonRow,
  toKnownKey,
} from './person.ts';

/** The result of adding a row to the rows of its person. */
export type GatherResult =
  | { readonly kind: 'person'; readonly person: Person }
  /** The row waits for the last row of its person. */
  | { readonly kind: 'waits' }
  | UnsentRows;

/** Rows of which nothing is sent. */
export interface UnsentRows {
  readonly kind: 'skipped' | 'rejected' | 'proposed';
  readonly rows: readonly PersonRow[];
  /** The memory key of each row; undefined where nothing identifies it. */
  readonly keys: readonly (string | undefined)[];
  readonly problem: Problem;
  /** The questions about proposed rows. */
  readonly questions?: readonly QuestionRecord[];
}

/** The facts about a row in the input's index. */
export interface IndexedRowFacts {
  /** The rows that describe the same person; undefined where no other row does. */
  readonly group?: RowGroup | undefined;
  readonly questions?: readonly RowQuestion[] | undefined;
  readonly reused?: RowPlace | undefined;
  readonly shared?: IdentifierHolders | undefined;
  readonly rivals?: readonly PersonSharingIdentifier[] | undefined;
}

/** Reads the index for the rows from `from` up to, not including, `to`. */
export function readRowFacts(index: InputIndex, from: number, to: number): (seq: number) => IndexedRowFacts {
  const groups = index.groupsBetween(from, to);
  const questions = index.questionsBetween(from, to);
  const reused = index.reusedBetween(from, to);
  const shared = index.sharedBetween(from, to);
  const rivals = index.rivalsBetween(from, to);
  return (seq) => ({
    group: groups.get(seq),
    questions: questions.get(seq),
    reused: reused.get(seq),
    shared: shared.get(seq),
    rivals: rivals.get(seq),
  });
}

/** The rules for combining rows into people. */
export interface GatherOptions {
  readonly index: InputIndex;
  readonly duplicates: DuplicatesPolicy;
  readonly identify: readonly MatchIdentifierKind[];
  readonly keep: KeepRulesByField;
  /**
   * Applies the mapping's rules for tags to a person's merged draft; returns a problem if it has too many.
   */
  readonly settleTags: (
    draft: Draft,
  ) => { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly problem: Problem };
}

/**
 * Combines rows into people by policy.duplicates; under `merge`, rows wait on disk for the last row of their person.
 */
export class PersonGatherer {
  readonly #options: GatherOptions;

  constructor(options: GatherOptions) {
    this.#options = options;
  }

  /** Takes a row in the input's order; `open` are its steps that an interrupted run left open. */
  take(drafted: DraftedRow, facts: IndexedRowFacts, open: readonly StepRecord[]): GatherResult {
    const { index, duplicates, identify } = this.#options;
    const { group, shared = notShared, rivals = [] } = facts;
    const { row, draft } = drafted;
    const one = { row, draft, shared, rivals };
    if (group === undefined) return this.#person([one], facts, open);
    const { seq } = row;
    const left = { rows: [row], keys: [toKnownKey(draft, identify, shared)] };
    switch (duplicates) {
      case 'reject':
        return { kind: 'rejected', ...left, problem: duplicate(group, 'none of them is taken') };
      case 'first':
      case 'last':
        if (seq === group[duplicates]) return this.#person([one], facts, open);
        return {
          kind: 'skipped',
          ...left,
          problem: duplicate(group, `the ${duplicates} of them is taken`),
        };
      case 'merge': {
        index.keep(seq, one);
        if (seq !== group.last) return { kind: 'waits' };
        return this.#complete(group, facts, open);
      }
    }
  }

  /** Returns the person of a group whose last row has been read. */
  #complete(group: RowGroup, facts: IndexedRowFacts, open: readonly StepRecord[]): GatherResult {
    const { index } = this.#options;
    const rows = index.kept(group).map(({ content }) => waitingRowSchema.parse(content));
    index.drop(group);
    return this.#person(rows, facts, open);
  }

  #person(rows: readonly KeptRow[], facts: IndexedRowFacts, open: readonly StepRecord[]): GatherResult {
    const { identify, keep, settleTags } = this.#options;
    const carrier = rows.at(-1)?.row;
    const [first] = rows;
    if (carrier === undefined || first === undefined) return { kind: 'waits' };
    const all = rows.map(({ row }) => row);
    const keys = listKnownKeys(rows, identify);
    const left = (kind: UnsentRows['kind'], problem: Problem) => ({ kind, rows: all, keys, problem });
    if (facts.reused !== undefined) return left('rejected', keyReused(first.draft, facts.reused));
    if (facts.questions !== undefined) {
      const asking = (seq: number) => rows.find(({ row }) => row.seq === seq) ?? first;
      const questions = facts.questions.map((asked, n) => questionOf(asked, n, asking(asked.seq)));
      return { ...left('proposed', sameAs(facts.questions)), questions };
    }
    const drafts = rows.map(({ draft }) => draft);
    const folded = rows.length === 1 ? { ...first.draft, dropped: [] } : foldDrafts(drafts, keep);
    const notes = rows.length === 1 ? [] : listFoldNotes(drafts, folded, keep);
    const settled = settleTags(folded);
    if (!settled.ok) return left('rejected', settled.problem);
    const identifiers = this.#identifiers(settled.draft);
    if (identifiers.length === 0) return left('rejected', onlySwitchboard(settled.draft));
    const shared = sharedOf(settled.draft, rows);
    if (identifiers.every((each) => findIdentifierHolder(each, shared) !== undefined))
      return left('rejected', nothingLeft(identifiers, shared));
    const known = keys.map((key) => key ?? '');
    const lookedUpBy =
      rows.length === 1
        ? identifiers
        : unique([...identifiers, ...rows.flatMap(({ draft }) => this.#identifiers(draft))]);
    return {
      kind: 'person',
      person: {
        rows: all,
        carrier,
        keys: known,
        draft: this.#withUnifiedTags(settled.draft),
        dropped: drafts.map(({ dropped }, n) => [...dropped, ...(notes[n] ?? [])]),
        sides: rows.map(({ draft }) => draftToComparedPerson(draft)),
        furtherOfRows: drafts.map((draft) => draft.furtherIdentifiers ?? []),
        identifiers,
        lookedUpBy,
        furtherLookedUpBy: this.#further(drafts, lookedUpBy),
        shared,
        rivals: rows.length === 1 ? first.rivals : rows.flatMap((row) => row.rivals),
        comments: collectComments(rows.map(({ draft }, n) => ({ draft, under: known[n] ?? '' }))),
        open,
      },
    };
  }

  /**
   * Returns the draft with each tag in its first spelling in the input: tags that differ only in case are one
   * tag.
   */
  #withUnifiedTags(draft: Draft): Draft {
    const { index } = this.#options;
    if (draft.tags === undefined) return draft;
    return { ...draft, tags: draft.tags.map((name) => index.tagSpelling(name)) };
  }

  /** Returns the identifiers of a draft without phones that many people share. */
  #identifiers(draft: Draft): readonly Identifier[] {
    const { index, identify } = this.#options;
    return listDraftIdentifiers(draft, identify).filter(
      ({ kind, value }) => kind !== 'phone' || !index.isWeakPhone(value),
    );
  }

  /**
   * Returns the further e-mails and phones of a person's rows that may identify the person: those that the mapping
   * identifies people by, that are not looked up already and that few people share.
   */
  #further(drafts: readonly Draft[], lookedUpBy: readonly Identifier[]): readonly Identifier[] {
    const { index, identify } = this.#options;
    const further = drafts.flatMap(({ furtherIdentifiers = [] }) =>
      furtherIdentifiers.filter(({ kind }) => identify.includes(kind)),
    );
    if (further.length === 0) return further;
    const texts = new Set(lookedUpBy.map(formatIdentifier));
    return unique(further).filter(
      (each) =>
        !texts.has(formatIdentifier(each)) &&
        !index.isCrowded(each) &&
        !(each.kind === 'phone' && index.isWeakPhone(each.value)),
    );
  }
}

function unique(identifiers: readonly Identifier[]): readonly Identifier[] {
  return [...new Map(identifiers.map((each) => [formatIdentifier(each), each])).values()];
}

function duplicate({ size }: RowGroup, rule: string): Problem {
  const reason = `${size} rows of the input are this person, and by policy.duplicates ${rule}`;
  return { code: 'identity.duplicate', column: null, reason };
}

function onlySwitchboard({ values }: Draft): Problem {
  const reason = `the row has only the phone ${values.contact.phone ?? ''}, which more rows of the input have than policy.maxPeoplePerPhone allows, and nothing shows that they are one person: it is not used for matching`;
  return { code: 'identity.missing', column: null, reason };
}

/**
 * Returns the places of other people's rows that own the e-mail or the phone of a merged draft, as recorded for the
 * rows of the draft's person (`rows`). A value that no other person owns has no entry.
 */
function sharedOf({ values: { contact } }: Draft, rows: readonly KeptRow[]): IdentifierHolders {
  if (rows.every(({ shared }) => shared === notShared)) return notShared;
  const says = (value: string | null | undefined, kind: MatchIdentifierKind, { draft }: KeptRow) =>
    value !== null &&
    value !== undefined &&
    comparable[kind](draft.values.contact[kind] ?? null) === comparable[kind](value);
  const placeOfOther = (kind: MatchIdentifierKind) =>
    rows.find((row) => says(contact[kind], kind, row))?.shared[kind];
  const [email, phone] = [placeOfOther('email'), placeOfOther('phone')];
  return { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }) };
}

/** The `shared` of a row that shares no identifier with another person; it is compared by reference. */
const notShared: IdentifierHolders = {};

const comparable = { email: toComparableEmail, phone: toComparablePhone };

/**
 * Returns the problem of a reused key. It names only the row's own person: a `forget` of the other person does not
 * search this text.
 */
function keyReused({ key, values }: Draft, other: RowPlace): Problem {
  const { firstName, lastName } = values.contact;
  const reason = `the key ${key} is ${nameOf(firstName, lastName)} here and another person in ${formatRowPlace(other)}: this run sends nothing of either`;
  return { code: 'key.reused', column: null, reason };
}

function nameOf(...parts: readonly (string | null | undefined)[]): string {
  return parts.filter((part) => part).join(' ') || 'a person without a name';
}

function sameAs(questions: readonly RowQuestion[]): Problem {
  const places = formatRowPlaces(questions.map(({ holder }) => holder));
  const evidence = [...new Set(questions.map(formatEvidence))].join('; ');
  const question = questions.length === 1 ? 'is this the person of' : 'is this one of the people of';
  return { code: 'identity.ask', column: null, reason: `${question} ${places}? ${evidence}` };
}

function questionOf(asked: RowQuestion, n: number, { row, draft }: DraftedRow): QuestionRecord {
  const { key, memoryKey, first, family, email, phone, birthDate, further = [] } = asked.holder;
  return {
    ...{ seq: row.seq, n, ...normaliseRowPlace(row), key: row.key, memoryKey: asked.memoryKey },
    other: { kind: 'row', ...normaliseRowPlace(asked.holder), key, memoryKey },
    evidence: formatEvidence(asked),
    row: draftToComparedPerson(draft),
    otherSide: {
      ...{ first, family, email, phone },
      ...(birthDate && { birthDate }),
      ...(further.length > 0 && { further }),
    },
  };
}

function nothingLeft(identifiers: readonly Identifier[], shared: IdentifierHolders): Problem {
  const owners = identifiers.flatMap((each) => {
    const place = findIdentifierHolder(each, shared);
    return place === undefined ? [] : [`${each.value} belongs to the person of ${formatRowPlace(place)}`];
  });
  const reason = `${owners.join(', ')}, and the row has no other identifier`;
  return { code: 'identity.missing', column: null, reason };
}

/** A row with its draft. */
export interface DraftedRow {
  readonly row: PersonRow;
  readonly draft: Draft;
}

interface KeptRow extends DraftedRow {
  /** The rows of other people in the input that own the e-mail or phone of this row. */
  readonly shared: IdentifierHolders;
  readonly rivals: readonly PersonSharingIdentifier[];
}

/** A drafted row as it is read back from disk, where it waited for the other rows of its person. */
export const waitingRowSchema = z.object({
  row: z.object({
    seq: z.int(),
    ...rowPlaceSchema.shape,
    key: z.string().nullable(),
    cells: z.array(z.tuple([z.string(), z.string().nullable()])),
    hash: z.string().nullable(),
  }),
  draft: draftSchema,
  shared: identifierHoldersSchema,
  rivals: z.array(personSharingIdentifierSchema),
});
