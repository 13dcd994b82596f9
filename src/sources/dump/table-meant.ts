import { FatalError } from '../../model/fatal-error.ts';
import { fewNotes, listed } from '../../model/listed.ts';
import { nearest } from '../../model/nearest.ts';

/** A table as a file of a dump claims to have it. */
export interface ClaimedTable {
  readonly name: string;
  /** The file, as people know it. */
  readonly file: string;
  /** Whether `tables` says so. */
  readonly stated: boolean;
}

const mostNamed = 60;

/** Whether a file has a table of that name. */
export function isClaimed(wanted: string, tables: readonly ClaimedTable[]): boolean {
  return tables.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

/** The table of a name: what is stated goes first. Throws a FatalError('input') where there is none, or where two files claim it. */
export function tableMeant<T extends ClaimedTable>(
  tables: readonly T[],
  wanted: string,
  input: string,
  unread: readonly string[],
): T {
  const stated = tables.find((table) => table.stated && table.name === wanted);
  if (stated !== undefined) return stated;
  const exact = tables.filter(({ name }) => name === wanted);
  const alike = tables.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const claims = exact.length > 0 ? exact : alike;
  const [only, other] = claims;
  if (only === undefined) throw unknown(tables, wanted, input, unread);
  if (other === undefined) return only;
  throw new FatalError(
    'input',
    `${input} has the table "${wanted}" twice: ${claims.map(({ name, file }) => `${name} in ${file}`).join(' and ')}.`,
    {
      place: { file: input },
      next: `Choose the file: tables: { ${JSON.stringify(wanted)}: { file: ${JSON.stringify(only.file)} } }.`,
    },
  );
}

function unknown(
  tables: readonly ClaimedTable[],
  wanted: string,
  input: string,
  unread: readonly string[],
): FatalError {
  const names = [...new Set(tables.map(({ name }) => name))].sort();
  const meant = nearest(wanted, names);
  const what = `${input} has no table "${wanted}"; it has: ${listed(names, mostNamed)}.`;
  const why = unread.length === 0 ? '' : ` ${fewNotes(unread, 5).join(' ')}`;
  const next =
    meant === undefined ? 'Choose one of these, or set its file: tables: { … }.' : `Did you mean "${meant}"?`;
  return new FatalError('input', what + why, { place: { file: input }, next });
}
