import { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import type { SourceItem } from '../../model/row.ts';
import type { TableUseSummary } from '../../model/table-use.ts';
import { type InputMember, listInputMembers, unpackInputMembers } from '../archive/members.ts';
import { createInputError } from '../plain-file.ts';
import type { SourceFormat, SourceInput } from '../source-format.ts';
import type { TableItems, TableSet } from '../tables.ts';
import {
  type DumpFile,
  formatTableFileYaml,
  guessFileByColumns,
  listConfiguredFileNames,
  mayHoldTable,
  recognizeDumpFiles,
  resolveDumpFiles,
  resolveDumpMember,
} from './dump-file.ts';
import { type DumpFacts, DumpInspection, hasTable, resolveDumpTable } from './inspected-files.ts';
import type { DumpOptions } from './options.ts';

/** The tables of a folder, an archive, a SQL dump or a SQLite file; reads nothing before `inspect` or `read`. */
export class DumpTableSet implements TableSet {
  readonly #options: DumpOptions;
  readonly #input: SourceInput;
  readonly #formats: readonly SourceFormat[];
  readonly #sets = new Map<DumpFile, TableSet>();
  readonly #known = new Map<string, DumpFile>();
  #files: readonly DumpFile[] | null = null;
  #looked: DumpInspection | null = null;
  /** The notes that say how the file of the main table was found. */
  readonly #notes: string[] = [];
  /** The files chosen by the last inspection, by table. */
  #chosen: ReadonlyMap<string, DumpFile> = new Map();

  constructor(options: DumpOptions, input: SourceInput, formats: readonly SourceFormat[]) {
    this.#options = options;
    this.#input = input;
    this.#formats = formats;
  }

  /** The display name of the dump. */
  get name(): string {
    return this.#input.name ?? (this.#input.path === '-' ? 'standard input' : this.#input.path);
  }

  /**
   * Inspects the tables. With `wanted`, returns only these tables, in that order, and does not read a file whose only
   * table is not wanted. A missing table is left out if `mayLack` has it; otherwise a FatalError('input') is thrown.
   */
  async inspect(
    signal: AbortSignal,
    wanted: readonly string[] | null = null,
    mayLack: ReadonlySet<string> = new Set(),
  ): Promise<DumpFacts> {
    const files = await this.#found(signal);
    const needed = files.filter(({ table }) => table === null || isWanted(table, wanted));
    await unpackInputMembers(
      needed.map(({ member }) => member),
      signal,
    );
    const looked = new DumpInspection(wanted === null);
    for (const file of files) {
      if (file.table === null || wanted === null)
        await looked.at(file, async () => (await this.#set(file, signal)).inspect(signal, wanted));
    }
    this.#looked = looked;
    const claims = looked.claims(files);
    const chosen =
      wanted
        ?.filter((name) => !mayLack.has(name) || hasTable(name, claims))
        .map((name) => resolveDumpTable(claims, name, this.name, looked.problems)) ?? looked.distinct(claims);
    for (const { from } of chosen)
      await looked.at(from, async () => (await this.#set(from, signal)).inspect(signal, wanted));
    this.#chosen = new Map(chosen.map(({ name, from }) => [name, from]));
    for (const [name, from] of this.#chosen) this.#known.set(name, from);
    const facts = looked.facts(this.name, chosen);
    return { ...facts, notes: [...this.#notes, ...facts.notes] };
  }

  /**
   * Returns the tables that the last inspection did not choose, with their row counts. The rows of files with one table
   * are counted now, the smallest files first, up to a limit; the count is null beyond the limit and for a file that
   * cannot be read.
   */
  async others(signal: AbortSignal): Promise<TableUseSummary['others']> {
    const files = await this.#found(signal);
    const chosen = new Set([...this.#chosen.values()].map(({ member }) => member.name));
    const own = files.filter(({ table, member }) => table !== null && !chosen.has(member.name));
    const counted = new Set(smallFiles(own, files));
    await unpackInputMembers(
      [...counted].map(({ member }) => member),
      signal,
    );
    const found: TableUseSummary['others'][number][] = files
      .filter(({ table }) => table === null)
      .flatMap((file) => this.#looked?.tablesIn(file) ?? [])
      .flatMap(({ name, items }) => (this.#chosen.has(name) ? [] : [{ table: name, rows: items }]));
    for (const file of own) {
      const rows = counted.has(file) ? await this.#rowsIn(file, signal) : null;
      if (file.table !== null) found.push({ table: file.table, rows });
    }
    return found.toSorted((a, b) => (a.table < b.table ? -1 : 1));
  }

  /** Returns the number of rows of a file of one table; null if it cannot be read. */
  async #rowsIn(file: DumpFile, signal: AbortSignal): Promise<number | null> {
    try {
      const { tables } = await (await this.#set(file, signal)).inspect(signal);
      return tables.reduce((sum, { items }) => sum + items, 0);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FatalError) return null;
      throw error;
    }
  }

  /** Yields the items of a table from number `from` on; `table` is its name from `inspect`. */
  async *read(
    table: string,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    if (!this.#known.has(table)) await this.inspect(signal, [table]);
    const file = this.#known.get(table);
    if (file !== undefined) yield* (await this.#set(file, signal)).read(table, from, signal);
  }

  /**
   * Groups tables for `readTogether`: the tables of a file that can yield several tables in one reading are one group;
   * every other table is a group by itself.
   */
  async together(tables: readonly string[], signal: AbortSignal): Promise<readonly (readonly string[])[]> {
    const groups = new Map<DumpFile | string, string[]>();
    for (const table of tables) {
      const file = this.#known.get(table);
      const several = file !== undefined && (await this.#set(file, signal)).readTogether !== undefined;
      const group = groups.get(several ? file : table);
      if (group === undefined) groups.set(several ? file : table, [table]);
      else if (!group.includes(table)) group.push(table);
    }
    return [...groups.values()];
  }

  /** Yields the items of the tables of one group from `together`. */
  async *readTogether(
    tables: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<TableItems, void, undefined> {
    const file = this.#known.get(tables[0] ?? '');
    const set = file === undefined ? undefined : await this.#set(file, signal);
    if (set?.readTogether !== undefined) return yield* set.readTogether(tables, signal);
    for (const table of tables) for await (const items of this.read(table, 0, signal)) yield { table, items };
  }

  async #found(signal: AbortSignal): Promise<readonly DumpFile[]> {
    if (this.#files !== null) return this.#files;
    const { member, ...input } = this.#input;
    const all = await listInputMembers(input, signal);
    const members = member === undefined ? all : [resolveDumpMember(all, member, this.name)];
    const options = await this.#withMain(members, signal);
    this.#files = await resolveDumpFiles(members, options, this.#formats, this.name, signal);
    if (this.#files.length > 0) return this.#files;
    const there =
      all.length === 0
        ? 'it is empty'
        : `it has ${formatNameList(
            all.map(({ name }) => name),
            5,
          )}`;
    const next = 'Use another input, or describe its files: tables: { contacts: { file: …, format: csv } }.';
    throw createInputError(this.name, `has no file of a supported format: ${there}`, next);
  }

  /** Returns the options, with the file of the main table added if it is found by its columns. */
  async #withMain(members: readonly InputMember[], signal: AbortSignal): Promise<DumpOptions> {
    const { table, tables } = this.#options;
    const { columns } = this.#input;
    if (table === undefined || columns === undefined) return this.#options;
    const found = await recognizeDumpFiles(members, this.#options, this.#formats, signal);
    if (mayHoldTable(table, members, this.#options, found)) return this.#options;
    const others = listConfiguredFileNames(members, this.#options);
    const meant = await guessFileByColumns(
      found.filter(({ member }) => !others.has(member.name)),
      columns,
      signal,
    );
    if (meant === undefined) return this.#options;
    const { file } = meant;
    const stated = tables[table];
    if (meant.kind === 'offer') {
      const what = stated === undefined ? `table "${table}"` : `file ${[stated.file].flat().join(' or ')}`;
      throw createInputError(
        this.name,
        `has no ${what}`,
        `Set its file: ${formatTableFileYaml(table, file)}${meant.why}.`,
      );
    }
    this.#notes.push(
      `"${table}" is read from ${file}, the only file with all columns that the mapping needs. Set it, if that is right: ${formatTableFileYaml(table, file)}.`,
    );
    return { ...this.#options, tables: { ...tables, [table]: { ...stated, file } } };
  }

  async #set(file: DumpFile, signal: AbortSignal): Promise<TableSet> {
    const known = this.#sets.get(file) ?? (await file.open(signal));
    this.#sets.set(file, known);
    return known;
  }
}

const leastCounted = 1024 * 1024;
const countedShare = 0.05;
const mostCounted = 500;

/**
 * Returns the smallest files of `some`: at most 500, with a total of at most 1 MB or 5 % of the bytes of the other
 * files of `all`, whichever is more.
 */
function smallFiles(some: readonly DumpFile[], all: readonly DumpFile[]): readonly DumpFile[] {
  const bytes = (files: readonly DumpFile[]) => files.reduce((sum, { member }) => sum + member.bytes, 0);
  let left = Math.max(leastCounted, countedShare * (bytes(all) - bytes(some)));
  return some
    .toSorted((a, b) => a.member.bytes - b.member.bytes)
    .slice(0, mostCounted)
    .filter(({ member }) => {
      left -= member.bytes;
      return left >= 0;
    });
}

function isWanted(table: string, wanted: readonly string[] | null): boolean {
  return wanted === null || wanted.some((name) => name.toLowerCase() === table.toLowerCase());
}
