import { posix } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import { hasExtension } from '../archive/choose.ts';
import type { InputMember } from '../archive/members.ts';
import { resolveInputFile } from '../input-file.ts';
import { createInputError, readFileHead } from '../plain-file.ts';
import type { MappedColumns, SourceFormat, SourceInput } from '../source-format.ts';
import type { TableSet } from '../tables.ts';
import { type DumpOptions, listJoinsNeeding, listTablesWithOptionalFiles } from './options.ts';

const headBytes = 64 * 1024;
const sqliteMagic = 'SQLite format 3\0';
const sqlStatement = /^\s*(?:CREATE\s+TABLE|INSERT\s+INTO|COPY\s+\S+\s*\()/im;

/** Returns the format of a file by its extension; undefined if no format has the extension. */
export function findFormatByExtension(
  name: string,
  formats: readonly SourceFormat[],
): SourceFormat | undefined {
  return formats.find(({ extensions }) => hasExtension(name.replace(/\.gz$/i, ''), extensions));
}

export function findFormatByName(name: string, formats: readonly SourceFormat[]): SourceFormat | undefined {
  return formats.find((format) => format.name === name);
}

/** Returns the format of a file by its content: SQLite or SQL; undefined for any other. */
async function formatByContent(
  path: string,
  formats: readonly SourceFormat[],
): Promise<SourceFormat | undefined> {
  const head = (await readFileHead(path, headBytes)).toString('latin1');
  const found = head.startsWith(sqliteMagic) ? 'sqlite' : sqlStatement.test(head) ? 'sql' : undefined;
  return found === undefined ? undefined : findFormatByName(found, formats);
}

/** True if a JSON file is NDJSON instead of one document. */
async function isLinesOfJson(path: string): Promise<boolean> {
  const head = (await readFileHead(path, headBytes))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  const end = head.indexOf('\n');
  return end > 0 && /^\{.*\}\s*$/.test(head.slice(0, end)) && head.slice(end).trimStart().startsWith('{');
}

/** Returns the table name of a file: its name without folders and extensions. */
function tableOfFile(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.gz$/i, '');
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** The options that apply to all tables of a dump. */
type CommonOptions = Pick<DumpOptions, 'encoding' | 'nulls' | 'unended' | 'maxRowBytes'>;

/** Opens a file as one table of this name. */
function oneTable(
  name: string,
  format: SourceFormat,
  common: CommonOptions,
  stated: Readonly<Record<string, unknown>>,
  input: SourceInput,
): TableSet {
  const source = format.open({ ...knownOptions(format, common), ...stated }, input);
  return {
    async inspect(signal) {
      const { columns, items, ...facts } = await source.inspect(signal);
      return { ...facts, tables: [{ name, columns, items, open: format.sparse ?? false }] };
    },
    read: (_table, from, signal) => source.read(from, signal),
  };
}

/** Returns those common options that the schema of the format knows; databases call the encoding `charset`. */
function knownOptions(
  { options }: SourceFormat,
  { encoding, nulls, unended, maxRowBytes }: CommonOptions,
): object {
  const all = { encoding, charset: encoding, nulls, unended, maxRowBytes };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && name in options.shape),
  );
}

/** A file of a dump, which holds one table or several. */
export interface DumpFile {
  readonly member: InputMember;
  /** The name of the file's only table; null if the file can hold several. */
  readonly table: string | null;
  /** True if the option `tables` names the file. */
  readonly stated: boolean;
  open(signal: AbortSignal): Promise<TableSet>;
}

/**
 * Returns the files that the option `tables` names, and those recognized by name or content. Throws a
 * FatalError('input') if a required file is missing or its format is unknown.
 */
export async function resolveDumpFiles(
  members: readonly InputMember[],
  options: DumpOptions,
  formats: readonly SourceFormat[],
  input: string,
  signal: AbortSignal,
): Promise<readonly DumpFile[]> {
  const mayLack = listTablesWithOptionalFiles(options);
  const stated = Object.entries(options.tables).flatMap(([table, { file: names, format, ...own }]) => {
    const file = [names].flat().find((name) => membersCalled(members, name).length > 0);
    if (file === undefined && mayLack.has(table)) return [];
    if (file === undefined)
      throw createMissingFileError(members, [names].flat().join(' or '), input, table, options);
    const member = resolveDumpMember(members, file, input);
    const found =
      format === undefined ? findFormatByExtension(member.name, formats) : findFormatByName(format, formats);
    if (found !== undefined) return [statedFile(table, member, found, options, own)];
    const next = `Set it: tables: { ${table}: { file: ${member.name}, format: csv } }.`;
    throw createInputError(input, `has a file ${member.name} of unknown format`, next);
  });
  const files = [...stated, ...(await recognizeDumpFiles(members, options, formats, signal))];
  return files.filter((file) => !isEmptyTable(file, mayLack, options));
}

/**
 * Returns true for an empty file of a table that may be missing. Throws a FatalError('input') for that of a table that
 * joins need.
 */
function isEmptyTable(
  { member, table }: DumpFile,
  mayLack: ReadonlySet<string>,
  options: DumpOptions,
): boolean {
  if (member.bytes > 0 || table === null) return false;
  if (mayLack.has(table)) return true;
  const advice = formatOptionalAdvice(table, options);
  if (advice !== '') throw createInputError(member.name, 'is empty', `Export it again.${advice}`);
  return false;
}

/** Returns the sentence that says how an import does without a table, after a space; empty if no join needs the table. */
function formatOptionalAdvice(table: string, { join, table: main }: DumpOptions): string {
  const paths = table === main ? [] : listJoinsNeeding(table, join).map((path) => JSON.stringify(path));
  if (paths.length === 0) return '';
  const which = paths.length === 1 ? 'the join' : 'the joins';
  return ` If there are no such rows, add "optional: true" to ${which} that ${paths.length === 1 ? 'reads' : 'read'} it: ${formatNameList(paths)}.`;
}

/** Creates the error for a table without its file; only files that no other table has are offered. */
function createMissingFileError(
  members: readonly InputMember[],
  file: string,
  input: string,
  table: string,
  options: DumpOptions,
): FatalError {
  const taken = listConfiguredFileNames(members, options);
  const names = members.map(({ name }) => name).filter((name) => !taken.has(name));
  const likely = likelyFile(names, table);
  const yaml = formatTableFileYaml(table, likely ?? '…');
  const next =
    names.length === 0
      ? 'Add the file.'
      : `Set its file: ${yaml}, ${likely === undefined ? 'with' : 'or choose'} one of these: ${formatNameList(names)}.`;
  return createInputError(input, `has no file ${file}`, next + formatOptionalAdvice(table, options));
}

/** Returns the files recognized by name or content. */
export async function recognizeDumpFiles(
  members: readonly InputMember[],
  options: DumpOptions,
  formats: readonly SourceFormat[],
  signal: AbortSignal,
): Promise<readonly DumpFile[]> {
  const found: DumpFile[] = [];
  for (const member of members) {
    const format =
      findFormatByExtension(member.name, formats) ?? (await onlyFile(members, member, formats, signal));
    if (format !== undefined) found.push(foundFile(member, format, options, formats));
  }
  return found;
}

/** Returns the format of a dump's only file by its content; undefined if there are several files. */
async function onlyFile(
  members: readonly InputMember[],
  { input }: InputMember,
  formats: readonly SourceFormat[],
  signal: AbortSignal,
): Promise<SourceFormat | undefined> {
  if (members.length > 1) return undefined;
  return formatByContent((await resolveInputFile(input, signal)).path, formats);
}

function statedFile(
  table: string,
  member: InputMember,
  format: SourceFormat,
  common: CommonOptions,
  own: Readonly<Record<string, unknown>>,
): DumpFile {
  const open = async () => oneTable(table, format, common, own, member.input);
  return { member, table, stated: true, open };
}

function foundFile(
  member: InputMember,
  format: SourceFormat,
  common: CommonOptions,
  formats: readonly SourceFormat[],
): DumpFile {
  const several = format.tables?.(knownOptions(format, common), member.input);
  if (several !== undefined) return { member, table: null, stated: false, open: async () => several };
  const table = tableOfFile(member.name);
  const open = async (signal: AbortSignal) => {
    const lines =
      format.name === 'json' && (await isLinesOfJson((await resolveInputFile(member.input, signal)).path));
    const own = lines ? (findFormatByName('ndjson', formats) ?? format) : format;
    return oneTable(table, own, common, {}, member.input);
  };
  return { member, table, stated: false, open };
}

/** Returns the files with this name or path, in any folder, ignoring case; `*` matches anything. */
function membersCalled(members: readonly InputMember[], file: string): readonly InputMember[] {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(`^${file.split('*').map(literal).join('.*')}$`, 'is');
  return members.filter(({ name }) => pattern.test(name) || pattern.test(posix.basename(name)));
}

/**
 * True if the dump may hold a table. If `tables` sets a file for the table, that file must exist; otherwise some file
 * must have the table's name, or be able to hold several tables.
 */
export function mayHoldTable(
  table: string,
  members: readonly InputMember[],
  options: DumpOptions,
  found: readonly DumpFile[],
): boolean {
  const stated = options.tables[table];
  if (stated !== undefined)
    return [stated.file].flat().some((file) => membersCalled(members, file).length > 0);
  return found.some((file) => file.table === null || file.table.toLowerCase() === table.toLowerCase());
}

/** Returns the names of the files that the option `tables` names. */
export function listConfiguredFileNames(
  members: readonly InputMember[],
  { tables }: DumpOptions,
): ReadonlySet<string> {
  const names = Object.values(tables).flatMap(({ file }) => [file].flat());
  return new Set(names.flatMap((file) => membersCalled(members, file).map(({ name }) => name)));
}

/** Returns the YAML that sets the file of a table. */
export function formatTableFileYaml(table: string, file: string): string {
  return `tables: { ${JSON.stringify(table)}: { file: ${JSON.stringify(file)} } }`;
}

/**
 * Finds a file by path, else the only one of that name in any folder. Throws a FatalError('input') if there is none or
 * several.
 */
export function resolveDumpMember(members: readonly InputMember[], file: string, input: string): InputMember {
  const exact = members.find(({ name }) => name === file);
  if (exact !== undefined) return exact;
  const alike = membersCalled(members, file);
  const [only, ...more] = alike;
  if (only !== undefined && more.length === 0) return only;
  const what = only === undefined ? `has no file ${file}` : `has several files ${file}`;
  const names = (only === undefined ? members : alike).map(({ name }) => name);
  throw createInputError(input, what, `Choose one of these: ${formatNameList(names)}.`);
}

/**
 * Returns the file whose name contains the table's name as a word (`hubspot_contacts.csv`); of several such files, the
 * one with the shortest path.
 */
function likelyFile(names: readonly string[], table: string): string | undefined {
  const words = wordsOf(table).replaceAll('s ', ' ');
  const alike = names.filter((name) => wordsOf(posix.basename(name)).replaceAll('s ', ' ').includes(words));
  return alike.sort((a, b) => a.length - b.length)[0];
}

function wordsOf(name: string): string {
  return ` ${name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .join(' ')} `;
}

/** The result of comparing a file's columns with those that the mapping reads. */
interface Candidate {
  readonly file: string;
  /** The number of mapped columns that the file has. */
  readonly read: number;
  /** The required columns that the file lacks. */
  readonly lacks: readonly string[];
}

/**
 * The file that probably holds a table, judged by its columns: the only one with all of them (`only`), or the nearest
 * one, to be suggested (`offer`).
 */
type TableFileGuess =
  | { readonly kind: 'only'; readonly file: string }
  | { readonly kind: 'offer'; readonly file: string; readonly why: string };

/** The minimum number of required columns that identify a file: many files have one or two, such as Name and Email. */
const fewestNeeded = 3;
/** The maximum number of files opened for their columns. */
const mostOpened = 100;

/**
 * Finds the only file with every required column. If no file or several files have them, or if fewer than three columns
 * are required and there are several files, finds the nearest file as a suggestion. Undefined if no file resembles the
 * table. `files` are those that the option `tables` does not name.
 */
export async function guessFileByColumns(
  files: readonly DumpFile[],
  wanted: MappedColumns,
  signal: AbortSignal,
): Promise<TableFileGuess | undefined> {
  const found: Candidate[] = [];
  for (const file of files.slice(0, mostOpened)) {
    const columns = await columnsOf(file, signal);
    found.push({
      file: file.member.name,
      read: wanted.read.filter((column) => columns.has(column)).length,
      lacks: wanted.needed.filter((column) => !columns.has(column)),
    });
  }
  const [best, ...others] = found
    .filter(({ lacks, read }) => read > 0 && lacks.length < Math.max(1, wanted.needed.length))
    .sort((a, b) => a.lacks.length - b.lacks.length || b.read - a.read || a.file.length - b.file.length);
  if (best === undefined) return undefined;
  const alike = others.filter(({ lacks }) => lacks.length === 0).map(({ file }) => file);
  if (best.lacks.length > 0)
    return offer(
      best,
      `; of the columns that the mapping needs, it lacks ${formatNameList(best.lacks.map((column) => JSON.stringify(column)))}`,
    );
  if (wanted.needed.length < fewestNeeded && files.length > 1)
    return offer(best, `: it has ${best.read} of the columns that the mapping reads`);
  if (alike.length > 0)
    return offer(
      best,
      `, or choose another one with all columns that the mapping needs: ${formatNameList(alike)}`,
    );
  return { kind: 'only', file: best.file };
}

function offer({ file }: Candidate, why: string): TableFileGuess {
  return { kind: 'offer', file, why };
}

/** Returns the columns of the first rows of a file; none if it can hold several tables or cannot be read. */
async function columnsOf({ table, open }: DumpFile, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const columns = new Set<string>();
  if (table === null) return columns;
  try {
    for await (const items of (await open(signal)).read(table, 0, signal)) {
      for (const item of items)
        if (item.kind === 'row') for (const [column] of item.entries()) columns.add(column);
      if (columns.size > 0) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof FatalError)) throw error;
  }
  return columns;
}
