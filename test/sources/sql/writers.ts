/** A table to be written as a dump; a number is written without quotes. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

type Write = (tables: readonly Table[]) => string;

/** How the programs that people export with write tables; each written after what that program really puts out. */
export const writers: Readonly<Record<string, Write>> = {
  mysqldump: (tables) =>
    [
      '-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)\n--\n-- Host: localhost    Database: crm\n',
      "/*!40101 SET @OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO' */;\n/*!50503 SET NAMES utf8mb4 */;\n\n",
      ...tables.flatMap(({ name, columns, rows }) => [
        `--\n-- Table structure for table \`${name}\`\n--\n\nDROP TABLE IF EXISTS ${tick(name)};\n`,
        '/*!40101 SET @saved_cs_client     = @@character_set_client */;\n',
        `CREATE TABLE ${tick(name)} (\n${columns.map((column) => `  ${tick(column)} varchar(255) DEFAULT 'a,b);' COMMENT 'it\\'s'`).join(',\n')},\n  KEY \`i\` (${columns.map(tick).join(',')})\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n`,
        `LOCK TABLES ${tick(name)} WRITE;\n/*!40000 ALTER TABLE ${tick(name)} DISABLE KEYS */;\n`,
        ...(rows.length === 0
          ? []
          : [`INSERT INTO ${tick(name)} VALUES ${rows.map((row) => tupleOf(row, escaped)).join(',')};\n`]),
        `/*!40000 ALTER TABLE ${tick(name)} ENABLE KEYS */;\nUNLOCK TABLES;\n`,
        'DELIMITER ;;\n/*!50003 CREATE*/ /*!50017 DEFINER=`root`@`%`*/ /*!50003 TRIGGER `t` BEFORE INSERT ON `x` FOR EACH ROW\nBEGIN SET @a = 1; INSERT INTO log VALUES (1,2); END */;;\nDELIMITER ;\n',
      ]),
      '-- Dump completed on 2024-01-01  1:00:00\n',
    ].join(''),

  phpMyAdmin: (tables) =>
    [
      '-- phpMyAdmin SQL Dump\n-- version 5.2.1\n\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\nSTART TRANSACTION;\nSET time_zone = "+00:00";\n\n',
      ...tables.flatMap(({ name, columns, rows }) => [
        `--\n-- Dumping data for table \`${name}\`\n--\n\n`,
        ...portions(rows).map(
          (portion) =>
            `INSERT INTO ${tick(name)} (${columns.map(tick).join(', ')}) VALUES\n${portion.map((row) => tupleOf(row, doubledAndEscaped, ', ')).join(',\n')};\n`,
        ),
      ]),
      'COMMIT;\n',
    ].join(''),

  'pg_dump with COPY': (tables) =>
    [
      pgHead,
      ...tables.flatMap(({ name, columns, rows }) => [
        `CREATE TABLE public.${quote(name)} (\n${columns.map((column) => `    ${quote(column)} character varying(255) DEFAULT 'it''s \\'::character varying`).join(',\n')}\n);\n\n`,
        "CREATE FUNCTION public.f() RETURNS trigger\n    LANGUAGE plpgsql\n    AS $_$BEGIN PERFORM 1; INSERT INTO log VALUES (';'); RETURN NEW; END;$_$;\n\n",
        `COPY public.${quote(name)} (${columns.map(quote).join(', ')}) FROM stdin;\n`,
        ...rows.map((row) => `${row.map(copied).join('\t')}\n`),
        '\\.\n\n\n',
      ]),
      pgEnd,
    ].join(''),

  'pg_dump with INSERT': (tables) =>
    [
      pgHead,
      ...tables.flatMap(({ name, columns, rows }) =>
        rows.map(
          (row) =>
            `INSERT INTO public.${quote(name)} (${columns.map(quote).join(', ')}) VALUES ${tupleOf(row, doubled, ', ')};\n`,
        ),
      ),
      pgEnd,
    ].join(''),

  'pg_dump with E strings': (tables) =>
    [
      pgHead,
      ...tables.flatMap(({ name, columns, rows }) =>
        rows.map(
          (row) =>
            `INSERT INTO ONLY ${quote(name)} (${columns.map(quote).join(', ')}) VALUES ${tupleOf(row, eitherWay, ', ')} ON CONFLICT DO NOTHING;\n`,
        ),
      ),
      pgEnd,
    ].join(''),

  'sqlite3 .dump': (tables) =>
    [
      'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n',
      ...tables.flatMap(({ name, columns, rows }) => [
        `CREATE TABLE IF NOT EXISTS ${quote(name)} (${columns.map((column) => `${quote(column)} TEXT`).join(', ')});\n`,
        ...rows.map((row) => `INSERT INTO ${quote(name)} VALUES${tupleOf(row, doubled)};\n`),
        `CREATE TRIGGER t AFTER INSERT ON ${quote(name)} BEGIN SELECT CASE WHEN 1 THEN 2 END; INSERT INTO log VALUES(new.id, 'END;'); END;\n`,
      ]),
      'COMMIT;\n',
    ].join(''),
};

const pgHead =
  "--\n-- PostgreSQL database dump\n--\n\n\\restrict dJd6\n\nSET statement_timeout = 0;\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\nSELECT pg_catalog.set_config('search_path', '', false);\n\n";
const pgEnd = '--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict dJd6\n\n';

function tupleOf(row: Table['rows'][number], string: (text: string) => string, between = ','): string {
  return `(${row.map((cell) => (cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : string(cell))).join(between)})`;
}

/** The C interface's mysql_real_escape_string. */
function escaped(text: string): string {
  const characters: Readonly<Record<string, string>> = { '\0': '0', '\n': 'n', '\r': 'r', '\u001a': 'Z' };
  const inside = Array.from(text, (character) =>
    characters[character] === undefined && !`'"\\`.includes(character)
      ? character
      : `\\${characters[character] ?? character}`,
  );
  return `'${inside.join('')}'`;
}

function doubledAndEscaped(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
}

/** An E string in which quotes are escaped in both ways, in turn. */
function eitherWay(text: string): string {
  let turn = 0;
  const inside = text.replaceAll('\\', '\\\\').replace(/'/g, () => {
    turn += 1;
    return turn % 2 === 0 ? "\\'" : "''";
  });
  return `E'${inside}'`;
}

function doubled(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function copied(cell: string | number | null): string {
  if (cell === null) return '\\N';
  const characters: Readonly<Record<string, string>> = {
    '\b': 'b',
    '\f': 'f',
    '\n': 'n',
    '\r': 'r',
    '\t': 't',
    '\v': 'v',
  };
  return String(cell).replace(/[\b\f\n\r\t\v\\]/g, (character) => `\\${characters[character] ?? character}`);
}

function tick(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function portions<T>(rows: readonly T[]): T[][] {
  const found: T[][] = [];
  for (let at = 0; at < rows.length; at += 2) found.push(rows.slice(at, at + 2));
  return found;
}
