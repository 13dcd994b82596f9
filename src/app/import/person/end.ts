import { toComparableEmail, toComparableFurther, toComparablePhone } from '../../../identity/comparable.ts';
import { formatEvidence, type IdentityEvidence, judgeSamePerson } from '../../../identity/evidence.ts';
import {
  type FilledFieldFlags,
  isOpenOutcome,
  type PersonResultRecords,
  type ProposalRecord,
  type QuestionRecord,
  type RowRecord,
  type RunJournal,
  type TaggedContactRecord,
} from '../../../journal/index.ts';
import { formatIdentifier } from '../../../model/identifier.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Problem } from '../../../model/problem.ts';
import { formatRowPlace } from '../../../model/row-place.ts';
import type { ValueHashes } from './memory.ts';
import type { Person, PersonRow } from './person.ts';

/** The facts to remember under each key of a person: its contact, and the hashes of what was applied. */
export interface KnownKeyUpdate {
  readonly contact: number | null;
  readonly identifiers: readonly string[];
  readonly created: boolean;
  readonly applied: ValueHashes;
}

/** A person's result, before it is written to the journal. */
export interface PersonOutcome {
  readonly outcome: Outcome;
  readonly contact: number | null;
  readonly problems: readonly Problem[];
  /**
   * Tells which mapped fields of the contact had a value before and after; undefined where that was not
   * checked.
   */
  readonly fill?: FilledFieldFlags | undefined;
  /** Undefined where nothing was applied: what is remembered of the person does not change. */
  readonly remember?: KnownKeyUpdate | undefined;
  readonly proposals?: readonly ProposalRecord[];
  readonly questions?: readonly QuestionRecord[];
  readonly tagged?: TaggedContactRecord | undefined;
  readonly also?: readonly (() => void)[];
}

/** Under these outcomes nothing of a person was applied, so they hold for each of the person's rows. */
const forEveryRow: readonly Outcome[] = ['rejected', 'proposed', 'stale', 'skipped'];

/** Returns the journal records of a person's end. `isOurs` returns true for the rows that belong to this run. */
export function createPersonResultRecords(
  journal: RunJournal,
  person: Person,
  end: PersonOutcome,
  isOurs: (row: PersonRow) => boolean,
): PersonResultRecords {
  const ours = person.rows.filter(isOurs);
  const answering = ours.at(-1) ?? person.carrier;
  const nothingApplied =
    forEveryRow.includes(end.outcome) || (end.outcome === 'failed' && end.remember === undefined);
  const identifier = firstIdentifierOf(end.remember?.identifiers ?? person.identifiers.map(formatIdentifier));
  const record = (
    row: PersonRow,
    outcome: Outcome,
    problems: readonly Problem[],
    fill?: FilledFieldFlags,
  ): RowRecord => {
    const { seq, line, sheet, key, hash } = row;
    const cells = isOpenOutcome(outcome) ? row.cells : null;
    return {
      seq,
      line,
      sheet,
      outcome,
      key,
      contact: end.contact,
      problems,
      cells,
      raw: null,
      hash,
      identifier: key === null ? memoryKeyOf(person, row, identifier) : identifier,
      fill,
    };
  };
  const ended = (row: PersonRow): RowRecord => {
    const dropped = person.dropped[person.rows.indexOf(row)] ?? [];
    const { outcome, problems, fill } = end;
    if (row !== answering && !nothingApplied)
      return record(row, 'folded', [createFoldedProblem(person, row, answering), ...dropped]);
    // Where nothing was applied, no value of another row replaced a value of this one.
    const own = nothingApplied ? dropped.filter(({ code }) => !code.endsWith('.folded')) : dropped;
    return record(row, outcome, [...problems, ...own], fill);
  };
  return {
    rows: ours.map(ended),
    proposals: end.proposals ?? [],
    questions: end.questions,
    tagged: end.tagged,
    also: [...(end.also ?? []), ...remembering(journal, person, end.remember)],
  };
}

/** Returns the e-mail, else the phone. */
function firstIdentifierOf(identifiers: readonly string[]): string | undefined {
  return identifiers.find((text) => text.startsWith('email:')) ?? identifiers[0];
}

/** Returns the identifier under which the journal remembers a row without a key: that of its person if it is one. */
function memoryKeyOf({ keys, rows }: Person, row: PersonRow, identifier: string | undefined) {
  return identifier !== undefined && keys.includes(identifier) ? identifier : keys[rows.indexOf(row)];
}

/**
 * Returns the problem of a row that was merged into another one, with the evidence that connects the two, directly or
 * through a third row.
 */
export function createFoldedProblem(person: Person, row: PersonRow, answering: PersonRow): Problem {
  const reason = `the same person as in ${formatRowPlace(answering)}${whyFolded(person, row, answering)}`;
  return { code: 'identity.folded', column: null, reason };
}

function whyFolded(person: Person, row: PersonRow, answering: PersonRow): string {
  const evidence = evidenceBetween(person, row, answering);
  if (evidence !== undefined) return `: ${evidence}`;
  for (const other of person.rows) {
    const between = other === row ? undefined : evidenceBetween(person, row, other);
    if (between !== undefined) return ` by way of ${formatRowPlace(other)}: ${between}`;
  }
  return '';
}

function evidenceBetween(person: Person, one: PersonRow, other: PersonRow): string | undefined {
  const [a, b] = [evidenceOf(person, one), evidenceOf(person, other)];
  if (a === undefined || b === undefined) return undefined;
  const judgement = judgeSamePerson(a, b, 'row');
  return judgement.equal.length === 0 ? undefined : formatEvidence(judgement);
}

function evidenceOf({ rows, sides, furtherOfRows }: Person, row: PersonRow): IdentityEvidence | undefined {
  const at = rows.indexOf(row);
  const side = sides[at];
  if (side === undefined) return undefined;
  const further = toComparableFurther(furtherOfRows?.[at] ?? []);
  const { first, family, email, phone, birthDate = null } = side;
  return {
    key: row.key,
    first,
    family,
    birthDate,
    email: toComparableEmail(email),
    phone: toComparablePhone(phone),
    further,
  };
}

function remembering(
  { known }: RunJournal,
  { keys, rows }: Person,
  remember: KnownKeyUpdate | undefined,
): readonly (() => void)[] {
  return keys.map((key, n) => {
    const line = rows[n]?.line ?? 0;
    return remember === undefined ? known.saw(key, line) : known.remember({ key, line, ...remember });
  });
}
