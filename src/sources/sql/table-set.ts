import { FatalError } from '../../model/fatal-error.ts';
import type { SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import type { TableSet, TableSetFacts } from '../tables.ts';
import { Dump, type Survey, type SurveyedTable } from './dump.ts';
import { type SqlDumpOptions, sqlDumpOptions } from './options.ts';

const mostNamed = 60;

/** The tables of a plain-text SQL dump; nothing is touched before `inspect` or `read`. */
export function sqlTables(options: Partial<SqlDumpOptions>, input: SourceInput): TableSet {
  return new SqlTables(sqlDumpOptions.parse(options), input);
}

class SqlTables implements TableSet {
  readonly #dump: Dump;

  constructor(options: SqlDumpOptions, input: SourceInput) {
    const unpacking = input.unpacking ?? { extensions: ['sql'], maxBytes: undefined };
    this.#dump = new Dump(options, { ...input, unpacking }, ['sql tables', options]);
  }

  async inspect(signal: AbortSignal): Promise<TableSetFacts> {
    const { file, fingerprint, tables, notes } = await this.#dump.survey(signal);
    assertTables(tables, file.name);
    return {
      name: file.name,
      bytes: file.bytes,
      fingerprint,
      tables: tables.map(({ name, columns, items }) => ({ name, columns, items })),
      notes,
    };
  }

  async *read(
    table: string,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const survey = await this.#dump.known(signal);
    yield* this.#dump.items(survey, tableOf(survey, table), from, signal);
  }
}

/** The table that is meant, which may be left open where there is only one. Throws a FatalError that lists them. */
export function tableOf({ file, tables }: Survey, wanted: string | undefined): SurveyedTable {
  assertTables(tables, file.name);
  const [only, second] = tables;
  if (wanted === undefined && only !== undefined && second === undefined) return only;
  const found =
    tables.find(({ name }) => name === wanted) ?? tables.find(({ fullName }) => fullName === wanted);
  if (found !== undefined) return found;
  const what = wanted === undefined ? 'holds several tables' : `has no table "${wanted}"`;
  throw new FatalError('input', `${file.name} ${what}: ${listed(tables)}.`, {
    place: { file: file.name },
    next: 'State which to read: "table: <name>".',
  });
}

function assertTables(tables: readonly SurveyedTable[], file: string): void {
  if (tables.length > 0) return;
  throw new FatalError('input', `${file} holds no CREATE TABLE, INSERT or COPY.`, {
    place: { file },
    next: 'Is it a plain-text SQL dump? Export it again with its data, or name another file.',
  });
}

function listed(tables: readonly SurveyedTable[]): string {
  const most = [...tables].sort((a, b) => b.items - a.items).slice(0, mostNamed);
  const words = most.map(({ name, items }) => `${name} (${items} ${items === 1 ? 'row' : 'rows'})`);
  const rest = tables.length - most.length;
  return `${words.join(', ')}${rest > 0 ? ` and ${rest} smaller ones` : ''}`;
}
