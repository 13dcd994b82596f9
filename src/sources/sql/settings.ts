import type { SqlDialect } from './dialect.ts';
import { Tokens } from './tokens.ts';

/** The database or schema that a statement makes the current one (null: none), or undefined where it does no such thing. */
export function currentSchema(statement: string, dialect: SqlDialect): string | null | undefined {
  if (/^USE\s/i.test(statement)) return new Tokens(statement, 3, dialect).qualified()[0];
  if (/^SELECT\s+pg_catalog\.set_config\('search_path',\s*''/i.test(statement)) return null;
  const path = /^SET\s+search_path\s*(?:=|TO)\s*/i.exec(statement)?.[0];
  return path === undefined
    ? undefined
    : (new Tokens(statement, path.length, dialect).qualified()[0] ?? null);
}

/** The database that a line for psql connects to; undefined for any other line. */
export function connectedDatabase(line: string): string | undefined {
  const found = /^\\c(?:onnect)?\s+(?:-\S+\s+)?(?:"dbname='([^']+)'"|"([^"]+)"|([^\s"]+))/.exec(line);
  return found?.[1] ?? found?.[2] ?? found?.[3];
}

/** The dialect after a SET statement: MySQL's sql_mode and PostgreSQL's standard_conforming_strings decide about backslashes. */
export function afterSetting(statement: string, dialect: SqlDialect): SqlDialect {
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

/** The terminator that a DELIMITER line states; undefined for any other line. */
export function statedTerminator(line: string): string | undefined {
  return /^delimiter\s+(\S+)/i.exec(line)?.[1];
}
