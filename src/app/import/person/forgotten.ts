import { toComparableEmail, toComparablePhone } from '../../../identity/comparable.ts';
import type { RowRecord } from '../../../journal/index.ts';
import { formatIdentifier } from '../../../model/identifier.ts';
import type { ImportContext } from '../context.ts';
import type { Person } from './person.ts';

type Asked = Pick<ImportContext, 'journal' | 'policy'>;

/** Returns true if nothing may be sent for a person because they asked to be forgotten. */
export function isForgotten({ journal, policy }: Asked, { keys, lookedUpBy }: Person): boolean {
  return policy.onDeleted === 'skip' && journal.forgotten.has([...keys, ...lookedUpBy.map(formatIdentifier)]);
}

/** Returns the record of a row whose person asked to be forgotten: it keeps only that the row existed. */
export function createForgottenRecord({ seq, line }: Pick<RowRecord, 'seq' | 'line'>): RowRecord {
  const reason = 'the person asked to be forgotten, and policy.onDeleted is skip';
  const problems = [{ code: 'person.forgotten', column: null, reason }];
  return {
    seq,
    line,
    outcome: 'skipped',
    key: null,
    contact: null,
    problems,
    cells: null,
    raw: null,
    hash: null,
  };
}

/**
 * Returns the record of a row that was not applied; if its person asked to be forgotten, a record without
 * cells and key in its place.
 */
export function redactIfForgotten({ journal, policy }: Asked, row: RowRecord): RowRecord {
  if (policy.onDeleted !== 'skip' || (row.cells === null && row.key === null && row.raw === null)) return row;
  const key = row.key === null ? [] : [`key:${row.key}`];
  const said = [...(row.cells ?? []).map(([, cell]) => cell), row.raw].flatMap(identifiersIn);
  const emails = said.filter((text) => text.startsWith('email:'));
  // A row with its own e-mail may belong to another person with the same phone.
  const who = emails.length > 0 ? emails : said;
  return journal.forgotten.has([...key, ...who]) ? createForgottenRecord(row) : row;
}

const emailShape = /[^\s<>"',;:|()[\]]+@[^\s<>"',;:|()[\]]+/gu;
const phoneShape = /\+?\d[\d\s()./-]{5,}\d/g;

/** Returns what may be an e-mail or a phone in a cell that no mapping has read. */
function identifiersIn(text: string | null): readonly string[] {
  if (text === null || text === '') return [];
  const emails = (text.match(emailShape) ?? []).flatMap((found) => toComparableEmail(found) ?? []);
  const phones = (text.match(phoneShape) ?? []).flatMap((found) => toComparablePhone(found) ?? []);
  return [...emails.map((email) => `email:${email}`), ...phones.map((phone) => `phone:${phone}`)];
}

/**
 * Returns a proposed row as skipped and without cells, because its question is about a forgotten person; returns any
 * other row unchanged.
 */
export function redactProposedRow(row: RowRecord): RowRecord {
  if (row.outcome !== 'proposed') return row;
  const reason =
    'it may be a person who asked to be forgotten, and whose row is in the input: nothing was sent';
  return {
    ...row,
    outcome: 'skipped',
    problems: [{ code: 'identity.forgotten', column: null, reason }],
    cells: null,
  };
}
