import type { SourceItem } from '../../model/row.ts';
import type { SourceFormat, SourceInput } from '../source-format.ts';
import { sqlTables } from '../sql/table-set.ts';
import { sqliteTables } from '../sqlite/table-set.ts';
import type { TableSet, TableSetFacts } from '../tables.ts';
import type { DumpOptions } from './options.ts';

/** What all tables of a dump are read with. */
export type CommonOptions = Pick<DumpOptions, 'encoding' | 'nulls' | 'maxRowBytes'>;

/** The tables of a file, by the format that holds several; null where a file of the format is one table. */
export function severalTables(format: string, common: CommonOptions, input: SourceInput): TableSet | null {
  const { encoding, nulls, maxRowBytes } = common;
  const stated = { maxRowBytes, ...(nulls && { nulls }) };
  if (format === 'sqlite') return sqliteTables(stated, input);
  return format === 'sql' ? sqlTables({ ...stated, ...(encoding && { charset: encoding }) }, input) : null;
}

/** A file that is one table of this name. */
export function oneTable(
  name: string,
  format: SourceFormat,
  common: CommonOptions,
  stated: Readonly<Record<string, unknown>>,
  input: SourceInput,
): TableSet {
  return new OneTable(name, format, { ...known(format, common), ...stated }, input);
}

/** Records of these formats leave out what is empty. */
const openFormats = new Set(['json', 'ndjson', 'jsonl', 'vcard']);

class OneTable implements TableSet {
  readonly #name: string;
  readonly #open: boolean;
  readonly #source: ReturnType<SourceFormat['open']>;

  constructor(name: string, format: SourceFormat, options: object, input: SourceInput) {
    this.#name = name;
    this.#open = openFormats.has(format.name);
    this.#source = format.open(options, input);
  }

  async inspect(signal: AbortSignal): Promise<TableSetFacts> {
    const { columns, items, ...facts } = await this.#source.inspect(signal);
    return { ...facts, tables: [{ name: this.#name, columns, items, open: this.#open }] };
  }

  read(_table: string, from: number, signal: AbortSignal): AsyncIterable<readonly SourceItem[]> {
    return this.#source.read(from, signal);
  }
}

/** The common options that a format knows; databases call an encoding a character set. */
function known({ options }: SourceFormat, { encoding, nulls, maxRowBytes }: CommonOptions): object {
  const all = { encoding, charset: encoding, nulls, maxRowBytes };
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => value !== undefined && name in options.shape),
  );
}
