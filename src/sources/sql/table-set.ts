import { FatalError } from '../../model/fatal-error.ts';
import type { SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import { chosenTable, type TableSet, type TableSetFacts } from '../tables.ts';
import { Dump, type Survey, type SurveyedTable } from './dump.ts';
import { type SqlDumpOptions, sqlDumpOptions } from './options.ts';

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
    const { file, fingerprint, tables, notes } = await this.#dump.survey(null, signal);
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
    const survey = await this.#dump.known(null, signal);
    yield* this.#dump.items(survey, tableOf(survey, table), from, signal);
  }
}

/** The table that is meant, by its short or its full name. Throws a FatalError('input') that lists them all. */
export function tableOf({ file, tables }: Survey, wanted: string | undefined): SurveyedTable {
  assertTables(tables, file.name);
  const byFullName = tables.find(({ fullName }) => fullName === wanted);
  return chosenTable(file.name, tables, byFullName?.name ?? wanted);
}

function assertTables(tables: readonly SurveyedTable[], file: string): void {
  if (tables.length > 0) return;
  throw new FatalError('input', `${file} holds no CREATE TABLE, INSERT or COPY.`, {
    place: { file },
    next: 'Is it a plain-text SQL dump? Export it again with its data, or name another file.',
  });
}
