import { FatalError } from '../../model/fatal-error.ts';
import { formatNameList, truncateNotes } from '../../model/listed.ts';
import { findNearestWord } from '../../model/nearest.ts';
import { createFingerprintHash } from '../plain-file.ts';
import type { TableFacts, TableSetFacts } from '../tables.ts';
import type { DumpFile } from './dump-file.ts';

/** An inspected table, with the fingerprint of its file. */
export interface DumpTable extends TableFacts {
  readonly fingerprint: string;
}

export interface DumpFacts extends TableSetFacts {
  readonly tables: readonly DumpTable[];
}

interface Claim extends ClaimedTable {
  readonly from: DumpFile;
}

/** One inspection of a dump: the facts of its files, and the problems of those that cannot be read. */
export class DumpInspection {
  /** Sentences about what is left out: files that cannot be read, and further tables with the name of another. */
  readonly problems: string[] = [];
  readonly #facts = new Map<DumpFile, TableSetFacts>();
  readonly #mayLeaveOut: boolean;
  #first: FatalError | null = null;

  /**
   * With `mayLeaveOut`, an unreadable file of one table is left out; otherwise its error is thrown. An
   * unreadable file of several tables is always left out.
   */
  constructor(mayLeaveOut: boolean) {
    this.#mayLeaveOut = mayLeaveOut;
  }

  /** Inspects a file, unless that was done before, and stores its facts or problem. */
  async at(file: DumpFile, inspect: () => Promise<TableSetFacts>): Promise<void> {
    if (this.#facts.has(file)) return;
    try {
      this.#facts.set(file, await inspect());
    } catch (error) {
      if (!(error instanceof FatalError) || !(this.#mayLeaveOut || file.table === null)) throw error;
      this.#first ??= error;
      this.problems.push(`The file ${file.member.name} is left out: ${error.message}`);
    }
  }

  /** Returns the tables of an inspected file. */
  tablesIn(file: DumpFile): readonly TableFacts[] {
    return this.#facts.get(file)?.tables ?? [];
  }

  /**
   * Returns a claim for each table of these files. Unless `mayLeaveOut` is set, a file of one table claims it even if
   * it was not inspected. If there are no claims, throws the first error of the inspection, if there was one.
   */
  claims(files: readonly DumpFile[]): readonly Claim[] {
    const claims = files.flatMap((from) => {
      const { member, table, stated } = from;
      const own = this.#facts.get(from)?.tables.map(({ name }) => name) ?? [];
      const names = table === null || this.#mayLeaveOut ? own : [table];
      return names.map((name) => ({ name, stated, from, file: member.name }));
    });
    if (claims.length === 0 && this.#first !== null) throw this.#first;
    return claims;
  }

  /**
   * Returns the first claim of each table name. Reports every further claim in `problems`, unless the option `tables`
   * names the file of the first claim.
   */
  distinct(claims: readonly Claim[]): readonly Claim[] {
    const first = new Map<string, Claim>();
    for (const claim of claims) {
      const other = first.get(claim.name);
      if (other === undefined) first.set(claim.name, claim);
      else if (!other.stated)
        this.problems.push(
          `Both ${other.file} and ${claim.file} have a table ${claim.name}; the latter is left out.`,
        );
    }
    return [...first.values()];
  }

  /** Returns the combined facts of these tables. */
  facts(input: string, claims: readonly Claim[]): DumpFacts {
    const tables: DumpTable[] = [];
    const notes: string[] = [];
    const truncated: string[] = [];
    const unended: string[] = [];
    const used = new Map<DumpFile, TableSetFacts>();
    for (const { name, from } of claims) {
      const facts = this.#facts.get(from);
      const table = facts?.tables.find((each) => each.name === name);
      if (facts === undefined || table === undefined) continue;
      used.set(from, facts);
      tables.push({ ...table, fingerprint: facts.fingerprint });
    }
    let bytes = 0;
    for (const [{ member }, facts] of used) {
      bytes += facts.bytes;
      const prefix = facts.name === input ? '' : `${member.name}: `;
      notes.push(...facts.notes.map((note) => prefix + note));
      if (facts.truncated !== undefined) truncated.push(prefix + facts.truncated);
      if (facts.unended !== undefined) unended.push(prefix + facts.unended);
    }
    const prints = tables.map(({ name, fingerprint }) => [name, fingerprint]);
    const fingerprint = createFingerprintHash(['dump', prints]).digest('hex');
    return {
      name: input,
      bytes,
      fingerprint,
      tables,
      notes: [...notes, ...this.problems],
      truncated: truncated[0],
      unended: unended[0],
    };
  }
}

/** The name of a table, and the file that has it. */
interface ClaimedTable {
  readonly name: string;
  /** The path of the file in the dump. */
  readonly file: string;
  /** True if the option `tables` names the file. */
  readonly stated: boolean;
}

const mostNamed = 60;

/** True if a file has a table of this name. */
export function hasTable(wanted: string, tables: readonly ClaimedTable[]): boolean {
  return tables.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
}

/**
 * Returns a table by name; one whose file the option `tables` names takes precedence. Throws a
 * FatalError('input') if no file has it, or two have it.
 */
export function resolveDumpTable<T extends ClaimedTable>(
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
  if (only === undefined) throw unknownTable(tables, wanted, input, unread);
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

function unknownTable(
  tables: readonly ClaimedTable[],
  wanted: string,
  input: string,
  unread: readonly string[],
): FatalError {
  const names = [...new Set(tables.map(({ name }) => name))].sort();
  const meant = findNearestWord(wanted, names);
  const what = `${input} has no table "${wanted}"; it has: ${formatNameList(names, mostNamed)}.`;
  const why = unread.length === 0 ? '' : ` ${truncateNotes(unread, 5).join(' ')}`;
  const next =
    meant === undefined ? 'Choose one of these, or set its file: tables: { … }.' : `Did you mean "${meant}"?`;
  return new FatalError('input', what + why, { place: { file: input }, next });
}
