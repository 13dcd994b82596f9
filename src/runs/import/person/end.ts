import {
  type Fill,
  isOpen,
  type ProposalRecord,
  type RowRecord,
  type RowsEnd,
  type RunJournal,
  type TaggedRecord,
} from '../../../journal/index.ts';
import { identifierText } from '../../../model/identifier.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Applied } from './memory.ts';
import type { Person, PersonRow } from './person.ts';

/** What is remembered of a person whose row was applied, as far as it was. */
export interface Remembering {
  readonly contact: number | null;
  readonly identifiers: readonly string[];
  readonly created: boolean;
  readonly applied: Applied;
}

/** How a person ended, before it is written down. */
export interface PersonEnd {
  readonly outcome: Outcome;
  readonly contact: number | null;
  readonly problems: readonly Problem[];
  /** Which fields the contact had a value for; undefined where that was not looked at. */
  readonly fill?: Fill | undefined;
  /** undefined where nothing was applied: what is remembered of them stays as it is. */
  readonly remember?: Remembering | undefined;
  readonly proposals?: readonly ProposalRecord[];
  readonly tagged?: TaggedRecord | undefined;
  readonly also?: readonly (() => void)[];
}

/** These say that nothing of a row was applied, so they hold for every row of the person. */
const forEveryRow: readonly Outcome[] = ['rejected', 'proposed', 'stale', 'skipped'];

/** What the journal writes of a person's end; `isOurs` says which of the rows this run answers for. */
export function rowsEnd(
  journal: RunJournal,
  person: Person,
  end: PersonEnd,
  isOurs: (row: PersonRow) => boolean,
): RowsEnd {
  const rows = person.rows
    .map((row, n) => ({ row, dropped: person.dropped[n] ?? [] }))
    .filter(({ row }) => isOurs(row));
  const answering = rows.at(-1)?.row ?? person.carrier;
  const told = identifierOf(person);
  const nothingApplied =
    forEveryRow.includes(end.outcome) || (end.outcome === 'failed' && end.remember === undefined);
  return {
    rows: rows.map(({ row, dropped }) => {
      if (row === answering || nothingApplied)
        return {
          ...record(row, end.outcome, end.contact, [...end.problems, ...dropped]),
          ...told,
          fill: end.fill,
        };
      return { ...record(row, 'folded', end.contact, [foldedInto(answering), ...dropped]), ...told };
    }),
    proposals: end.proposals ?? [],
    tagged: end.tagged,
    also: [...(end.also ?? []), ...remembering(journal, person, end.remember)],
  };
}

/** Whom a row without a key is remembered by, too: the e-mail, else the phone. */
function identifierOf({ identifiers }: Person): Pick<RowRecord, 'identifier'> {
  const identifier = identifiers.find(({ kind }) => kind === 'email') ?? identifiers[0];
  return { identifier: identifier && identifierText(identifier) };
}

function record(
  row: PersonRow,
  outcome: Outcome,
  contact: number | null,
  problems: readonly Problem[],
): RowRecord {
  const { seq, line, key, hash } = row;
  const cells = isOpen(outcome) ? row.cells : null;
  return { seq, line, outcome, key, contact, problems, cells, raw: null, hash };
}

function foldedInto({ line }: PersonRow): Problem {
  return { code: 'identity.folded', column: null, reason: `the same person as in line ${line}` };
}

function remembering(
  { known }: RunJournal,
  { keys, rows }: Person,
  remember: Remembering | undefined,
): readonly (() => void)[] {
  return keys.map((key, n) => {
    const line = rows[n]?.line ?? 0;
    return remember === undefined ? known.saw(key, line) : known.remember({ key, line, ...remember });
  });
}
