import { posix } from 'node:path';
import { listed } from '../../model/listed.ts';
import type { Member } from '../archive/members.ts';
import { inputFile, refused } from '../input-file.ts';
import type { SourceFormat, SourceInput } from '../source-format.ts';
import type { TableSet } from '../tables.ts';
import { formatByContent, formatByName, formatNamed, isLinesOfJson, tableOfFile } from './member-format.ts';
import { type DumpOptions, unneededTables } from './options.ts';

/** What all tables of a dump are read with. */
type CommonOptions = Pick<DumpOptions, 'encoding' | 'nulls' | 'unended' | 'maxRowBytes'>;

/** A file that is one table of this name. */
function oneTable(
  name: string,
  format: SourceFormat,
  common: CommonOptions,
  stated: Readonly<Record<string, unknown>>,
  input: SourceInput,
): TableSet {
  const source = format.open({ ...known(format, common), ...stated }, input);
  return {
    async inspect(signal) {
      const { columns, items, ...facts } = await source.inspect(signal);
      return { ...facts, tables: [{ name, columns, items, open: format.sparse ?? false }] };
    },
    read: (_table, from, signal) => source.read(from, signal),
  };
}

/** The common options that a format knows; databases call an encoding a character set. */
function known({ options }: SourceFormat, { encoding, nulls, unended, maxRowBytes }: CommonOptions): object {
  const all = { encoding, charset: encoding, nulls, unended, maxRowBytes };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && name in options.shape),
  );
}

/** A file of a dump, and the tables in it. */
export interface DumpFile {
  readonly member: Member;
  /** The name of its only table; null where it holds tables of its own. */
  readonly table: string | null;
  /** Whether `tables` says so. */
  readonly stated: boolean;
  open(signal: AbortSignal): Promise<TableSet>;
}

/** The files of a dump that are stated in `tables`, and those whose name or beginning tells what they are. */
export async function dumpFiles(
  members: readonly Member[],
  options: DumpOptions,
  formats: readonly SourceFormat[],
  input: string,
  signal: AbortSignal,
): Promise<readonly DumpFile[]> {
  const mayLack = unneededTables(options);
  const stated = Object.entries(options.tables).flatMap(([table, { file: names, format, ...own }]) => {
    const file = [names].flat().find((name) => membersCalled(members, name).length > 0);
    if (file === undefined && mayLack.has(table)) return [];
    const member = memberNamed(members, file ?? [names].flat().join(' or '), input, table);
    const found = format === undefined ? formatByName(member.name, formats) : formatNamed(format, formats);
    if (found !== undefined) return [statedFile(table, member, found, options, own)];
    const next = `Set it: tables: { ${table}: { file: ${member.name}, format: csv } }.`;
    throw refused(input, `has a file ${member.name} of unknown format`, next);
  });
  return [...stated, ...(await filesFound(members, options, formats, signal))];
}

/** The files whose name or beginning tells what they are. */
export async function filesFound(
  members: readonly Member[],
  options: DumpOptions,
  formats: readonly SourceFormat[],
  signal: AbortSignal,
): Promise<readonly DumpFile[]> {
  const found: DumpFile[] = [];
  for (const member of members) {
    const format = formatByName(member.name, formats) ?? (await onlyFile(members, member, formats, signal));
    if (format !== undefined) found.push(foundFile(member, format, options, formats));
  }
  return found;
}

/** A dump of one file may be called anything. */
async function onlyFile(
  members: readonly Member[],
  { input }: Member,
  formats: readonly SourceFormat[],
  signal: AbortSignal,
): Promise<SourceFormat | undefined> {
  if (members.length > 1) return undefined;
  return formatByContent((await inputFile(input, signal)).path, formats);
}

function statedFile(
  table: string,
  member: Member,
  format: SourceFormat,
  common: CommonOptions,
  own: Readonly<Record<string, unknown>>,
): DumpFile {
  const open = async () => oneTable(table, format, common, own, member.input);
  return { member, table, stated: true, open };
}

function foundFile(
  member: Member,
  format: SourceFormat,
  common: CommonOptions,
  formats: readonly SourceFormat[],
): DumpFile {
  const several = format.tables?.(known(format, common), member.input);
  if (several !== undefined) return { member, table: null, stated: false, open: async () => several };
  const table = tableOfFile(member.name);
  const open = async (signal: AbortSignal) => {
    const lines =
      format.name === 'json' && (await isLinesOfJson((await inputFile(member.input, signal)).path));
    const own = lines ? (formatNamed('ndjson', formats) ?? format) : format;
    return oneTable(table, own, common, {}, member.input);
  };
  return { member, table, stated: false, open };
}

/** The files of a name, whatever their folder and capitals; `*` stands for anything. */
function membersCalled(members: readonly Member[], file: string): readonly Member[] {
  const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(`^${file.split('*').map(literal).join('.*')}$`, 'is');
  return members.filter(({ name }) => pattern.test(name) || pattern.test(posix.basename(name)));
}

/** Whether one of the files is a table by its name, or may hold a table of that name. */
export function isNamed(
  table: string,
  members: readonly Member[],
  options: DumpOptions,
  found: readonly DumpFile[],
): boolean {
  const stated = options.tables[table];
  if (stated !== undefined)
    return [stated.file].flat().some((file) => membersCalled(members, file).length > 0);
  return found.some((file) => file.table === null || file.table.toLowerCase() === table.toLowerCase());
}

/** The files that `tables` names for some table. */
export function namedFor(members: readonly Member[], { tables }: DumpOptions): ReadonlySet<string> {
  const names = Object.values(tables).flatMap(({ file }) => [file].flat());
  return new Set(names.flatMap((file) => membersCalled(members, file).map(({ name }) => name)));
}

/** What to type where no file is called as `tables` says. */
export function setFile(table: string, file: string): string {
  return `tables: { ${JSON.stringify(table)}: { file: ${JSON.stringify(file)} } }`;
}

/** The file of a name: of this path, else the only one that is called so in any folder. */
export function memberNamed(members: readonly Member[], file: string, input: string, table?: string): Member {
  const exact = members.find(({ name }) => name === file);
  if (exact !== undefined) return exact;
  const alike = membersCalled(members, file);
  const [only, ...more] = alike;
  if (only !== undefined && more.length === 0) return only;
  const what = only === undefined ? `has no file ${file}` : `has several files ${file}`;
  const names = (only === undefined ? members : alike).map(({ name }) => name);
  const likely = only === undefined && table !== undefined ? likelyFile(names, table) : undefined;
  if (only !== undefined || table === undefined)
    throw refused(input, what, `Choose one of these: ${listed(names)}.`);
  const next =
    likely === undefined
      ? `Set its file: ${setFile(table, '…')}, with one of these: ${listed(names)}.`
      : `Set its file: ${setFile(table, likely)}, or choose one of these: ${listed(names)}.`;
  throw refused(input, what, next);
}

/** The file whose name has that of the table as a word, `hubspot_contacts.csv`; of several the shortest. */
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
