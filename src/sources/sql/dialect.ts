/** The syntax of strings, names, comments and statement ends in a dump. */
export interface SqlDialect {
  /** True if a backslash in an ordinary string escapes the next character. */
  readonly backslash: boolean;
  /** MySQL's syntax: `#` comments, `--` only before a blank, and conditional comments whose content counts. */
  readonly mysql: boolean;
  /** PostgreSQL's syntax: E'…' strings, $tag$ quoting, comments within comments. */
  readonly postgres: boolean;
  /** SQL Server's syntax: [names]; a statement also ends at a line `GO`, and before a line that begins with INSERT. */
  readonly batches: boolean;
  /** The statement terminator: `;`, or the one of a DELIMITER line. */
  readonly terminator: string;
}

/** The program that wrote a dump. */
export type SqlDumpProgram = 'mysql' | 'postgres' | 'sqlite' | 'sqlserver' | 'unknown';

const programMarks: readonly (readonly [SqlDumpProgram, RegExp])[] = [
  ['mysql', /^-- (?:MySQL|MariaDB) dump|^-- phpMyAdmin SQL Dump/m],
  ['postgres', /^-- PostgreSQL database (?:cluster )?dump/m],
  [
    'postgres',
    /^SET (?:standard_conforming_strings|client_encoding|search_path)\b|^COPY [^;']* FROM stdin/im,
  ],
  ['sqlite', /^PRAGMA foreign_keys\s*=/im],
  ['sqlserver', /^GO\s*$|\bINSERT\s+(?:INTO\s+)?\[|\[dbo\]\./im],
  [
    'mysql',
    /^\s*(?:INSERT|REPLACE|CREATE|DROP|LOCK|USE)\b[^'"\n]*`|\/\*M?!\d{5}|\bENGINE\s*=|^SET (?:SQL_MODE|NAMES)\b/im,
  ],
];

/** Detects the program that wrote a dump from the beginning of its text. */
export function detectSqlDumpProgram(head: string): SqlDumpProgram {
  return programMarks.find(([, character]) => character.test(head))?.[0] ?? 'unknown';
}

/**
 * Returns the dialect of a program; an unknown one is read as MySQL, the most common. `escapes` may override
 * `backslash`.
 */
export function resolveSqlDialect(
  writer: SqlDumpProgram,
  escapes: 'auto' | 'backslash' | 'standard',
): SqlDialect {
  const mysql = writer === 'mysql' || writer === 'unknown';
  return {
    backslash: escapes === 'auto' ? mysql : escapes === 'backslash',
    mysql,
    postgres: writer === 'postgres',
    batches: writer === 'sqlserver',
    terminator: ';',
  };
}
