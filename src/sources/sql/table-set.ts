import type { SourceItem } from '../../model/row.ts';
import { refused } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import { chosenTable, type TableItems, type TableSet, type TableSetFacts } from '../tables.ts';
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

  async inspect(signal: AbortSignal, wanted: readonly string[] | null = null): Promise<TableSetFacts> {
    const survey = await this.#dump.survey(wanted, signal);
    const { file, fingerprint, tables, notes, truncated } = survey;
    assertTables(survey);
    return {
      name: file.name,
      bytes: file.bytes,
      fingerprint,
      tables: tables.map(({ name, columns, items }) => ({ name, columns, items })),
      notes,
      truncated,
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

  async *readTogether(
    tables: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<TableItems, void, undefined> {
    const survey = await this.#dump.known(null, signal);
    const found = tables.map((table) => tableOf(survey, table));
    yield* this.#dump.itemsOf(survey, found, signal);
  }
}

/** The table that is meant, by its short or its full name. Throws a FatalError('input') that lists them all. */
export function tableOf(survey: Survey, wanted: string | undefined): SurveyedTable {
  assertTables(survey);
  const { file, tables } = survey;
  const byFullName = tables.find(({ fullName }) => fullName === wanted);
  return chosenTable(file.name, tables, byFullName?.name ?? wanted);
}

function assertTables({ file: { name }, tables, brokenIn, writer }: Survey): void {
  if (tables.length > 0) return;
  if (brokenIn !== null && writer !== 'unknown') {
    const what = `is cut off in the statement that begins in line ${brokenIn}, before any table`;
    throw refused(name, what, 'Copy or export it again.', brokenIn);
  }
  const next = 'Is it a plain-text SQL dump? Export it again with its data, or use another file.';
  throw refused(name, 'has no CREATE TABLE, INSERT or COPY', next);
}
