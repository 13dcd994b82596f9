import { createRowLine, type RowLine } from '../../model/row-place.ts';
import { maxRawTextLength } from '../broken-row.ts';
import type { SqlDialect } from './dialect.ts';
import { type RowsStatementHead, readStatementHead, type StatementHead } from './head.ts';
import { parseCreateTable, type SqlTable, SqlTableRegistry } from './known-tables.ts';
import {
  CopyScanner,
  InsertScanner,
  type RecordListener,
  type RowsStatement,
  type SqlDumpRecord,
  type SqlPartScanner,
} from './records.ts';
import { StatementScanner } from './statement-part.ts';
import { SqlTokenizer } from './tokens.ts';
import { copyString, SqlTextWindow } from './walk.ts';

const longestHead = 1024 * 1024;

/** The maximum number of notes: more than reports show. */
const mostNotes = 1_000;

/** The settings of a scan. */
interface ScanSettings {
  readonly dialect: SqlDialect;
  /** True if SET statements in the dump do not change how backslashes are read. */
  readonly fixedEscapes: boolean;
  readonly maxRowBytes: number;
  /** The tables whose records are wanted, by their full names; null for all. */
  readonly wanted: ReadonlySet<string> | null;
}

/** Finds the records of a dump whose text comes chunk by chunk, in bounded memory. */
export class SqlDumpScanner {
  readonly tables = new SqlTableRegistry();
  readonly notes: string[] = [];
  /**
   * If the dump is cut off within a statement, the line where that statement (or its VALUES) begins. Null if the dump
   * is complete, if the last record reports the cut (problem `cutOff`), or if the cut is in rows that are not wanted.
   */
  brokenIn: number | null = null;
  /** The number of lines of the dump; known after `end`. */
  lines = 0;
  readonly #settings: ScanSettings;
  readonly #window: SqlTextWindow;
  readonly #emit: RecordListener;
  readonly #rowLines = new SqlRowLines();
  #part: SqlPartScanner | null = null;
  #records: SqlDumpRecord[] = [];

  constructor(settings: ScanSettings) {
    this.#settings = settings;
    this.#window = new SqlTextWindow(settings.dialect);
    this.#emit = (record) => {
      const line = this.#rowLines.next(record.block.table, record.line);
      this.#records.push(line === record.line ? record : { ...record, line });
    };
  }

  /** Returns the records completed by this chunk. */
  push(chunk: string): readonly SqlDumpRecord[] {
    this.#window.add(chunk);
    return this.#run();
  }

  /** Returns the last records at the end of the input. */
  end(): readonly SqlDumpRecord[] {
    this.#window.whole = true;
    const records = this.#run();
    if (this.#part !== null) this.#part.cutOff();
    else if (this.#window.enclosed) this.#cutIn(this.#window.lineOf(this.#window.at));
    this.lines = this.#window.lineOf(this.#window.text.length);
    return records;
  }

  #run(): readonly SqlDumpRecord[] {
    this.#records = [];
    for (;;) {
      if (this.#part === null && !this.#next()) break;
      if (this.#part !== null && !this.#part.advance()) break;
      this.#part = null;
    }
    return this.#records;
  }

  /** Moves to the next statement and creates its scanner; returns false if more text is needed. */
  #next(): boolean {
    const window = this.#window;
    for (;;) {
      if (window.to('solid') === 'more') return false;
      const { text, at, whole, dialect } = window;
      if (text.startsWith(dialect.terminator, at)) {
        window.begin(at + dialect.terminator.length);
        continue;
      }
      const head = readStatementHead(text, at, whole, dialect);
      if (head.kind === 'line') {
        window.begin(head.next);
        this.#heedLine(head.line);
        continue;
      }
      if (head.kind === 'more' && !whole && text.length - at < longestHead) {
        window.hold = at;
        return false;
      }
      window.hold = -1;
      this.#part = this.#partOf(head);
      return true;
    }
  }

  #partOf(head: StatementHead): SqlPartScanner {
    switch (head.kind) {
      case 'insert':
      case 'copy':
        return this.#rows(head);
      case 'rowless':
        return this.#rowless(head.name);
      default:
        return new StatementScanner(this.#window, {
          complete: (text) => this.#heed(text),
          beginning: ignore,
          cutOff: (line) => this.#cutIn(line),
        });
    }
  }

  #rows(head: RowsStatementHead): SqlPartScanner {
    const window = this.#window;
    const table = this.tables.findOrAdd(head.name);
    for (const column of head.columns ?? [])
      if (!table.columns.has(column)) table.columns.set(column, 'text');
    const { dialect } = window;
    const block: RowsStatement = { kind: head.kind, table, columns: head.columns ?? table.defined, dialect };
    const { maxRowBytes } = this.#settings;
    const wanted = this.#isWanted(table.name);
    const line = window.lineOf(window.at);
    window.begin(head.next);
    if (head.kind === 'copy') {
      const readable = wanted && head.plain;
      if (wanted && !head.plain) this.#emit({ block, line, text: '', problem: 'rowless' });
      return new CopyScanner(window, block, readable ? this.#emit : null, maxRowBytes);
    }
    // In SQL Server scripts, which need no terminators, only the scan of the tuples finds the end of an INSERT.
    if (!wanted && !dialect.batches)
      return { advance: () => window.to('terminator') === 'stop', cutOff: ignore };
    const cutIn = (line: number) => this.#cutIn(line);
    return new InsertScanner(window, block, wanted ? this.#emit : null, maxRowBytes, cutIn);
  }

  #rowless(name: readonly string[]): SqlPartScanner {
    const window = this.#window;
    const table = this.tables.find(name);
    const block: RowsStatement | null =
      table === undefined || !this.#isWanted(table.name)
        ? null
        : { kind: 'insert', table, columns: null, dialect: window.dialect };
    const report = (text: string, line: number) => {
      if (block !== null)
        this.#emit({ block, line, text: copyString(text.slice(0, maxRawTextLength)), problem: 'rowless' });
      else if (table === undefined && this.notes.length < mostNotes)
        this.notes.push(`The INSERT in line ${line} has no rows of its own; it is left out.`);
    };
    return new StatementScanner(window, {
      complete: report,
      beginning: report,
      cutOff: (line) => {
        if (block !== null) this.#emit({ block, line, text: '', problem: 'cutOff' });
        else this.#cutIn(line);
      },
    });
  }

  #isWanted(table: string): boolean {
    return this.#settings.wanted?.has(table) ?? true;
  }

  /** Applies a statement that selects the schema, changes the escapes, or defines a table. */
  #heed(statement: string): void {
    const { dialect } = this.#window;
    const schema = currentSchema(statement, dialect);
    // SQL Server's USE sets the database, which is above the schemas.
    if (schema !== undefined && dialect.batches) this.tables.database = schema;
    else if (schema !== undefined) this.tables.schema = schema;
    if (!this.#settings.fixedEscapes) this.#window.dialect = afterSetting(statement, dialect);
    const definition = parseCreateTable(statement, dialect);
    if (definition !== null) this.tables.define(definition);
  }

  #heedLine(line: string): void {
    const terminator = statedTerminator(line);
    if (terminator !== undefined) this.#window.dialect = { ...this.#window.dialect, terminator };
    const database = connectedDatabase(line);
    if (database === undefined) return;
    this.tables.database = database;
    this.tables.schema = null;
  }

  #cutIn(line: number): void {
    this.brokenIn = line;
  }
}

function ignore(): void {}

/** Returns the schema or database that a statement selects (null: none); undefined for any other statement. */
function currentSchema(statement: string, dialect: SqlDialect): string | null | undefined {
  if (/^USE\s/i.test(statement)) return new SqlTokenizer(statement, 3, dialect).qualified()[0];
  if (/^SELECT\s+pg_catalog\.set_config\('search_path',\s*''/i.test(statement)) return null;
  const path = /^SET\s+search_path\s*(?:=|TO)\s*/i.exec(statement)?.[0];
  return path === undefined
    ? undefined
    : (new SqlTokenizer(statement, path.length, dialect).qualified()[0] ?? null);
}

/** Returns the database of psql's \connect; undefined for any other line. */
function connectedDatabase(line: string): string | undefined {
  const found = /^\\c(?:onnect)?\s+(?:-\S+\s+)?(?:"dbname='([^']+)'"|"([^"]+)"|([^\s"]+))/.exec(line);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** Returns the dialect after a SET statement: sql_mode and standard_conforming_strings set how backslashes are read. */
function afterSetting(statement: string, dialect: SqlDialect): SqlDialect {
  if (!/^SET\b/i.test(statement)) return dialect;
  const conforming = /^SET\s+(?:SESSION\s+|LOCAL\s+)?standard_conforming_strings\s*(?:=|TO)\s*'?(\w+)/i.exec(
    statement,
  )?.[1];
  if (conforming !== undefined) return { ...dialect, backslash: /^(?:off|false|no|0)$/i.test(conforming) };
  const mode = /(?<![@\w])(?:@@)?(?:(?:session|global)[.\s]+)?sql_mode\s*:?=\s*(?:'([^']*)'|"([^"]*)")/i.exec(
    statement,
  );
  if (mode === null) return dialect;
  return { ...dialect, backslash: !/NO_BACKSLASH_ESCAPES/i.test(mode[1] ?? mode[2] ?? '') };
}

/** Returns the terminator of a DELIMITER line; undefined for any other line. */
function statedTerminator(line: string): string | undefined {
  return /^delimiter\s+(\S+)/i.exec(line)?.[1];
}

/** Counts the records of each table that begin in one line, and returns the place of each; call it in the dump's order. */
class SqlRowLines {
  readonly #last = new Map<SqlTable, { line: number; row: number }>();

  next(table: SqlTable, line: number): RowLine {
    const last = this.#last.get(table);
    if (last === undefined) {
      this.#last.set(table, { line, row: 1 });
      return line;
    }
    last.row = last.line === line ? last.row + 1 : 1;
    last.line = line;
    return createRowLine(line, last.row);
  }
}
