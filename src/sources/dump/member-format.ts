import { fits } from '../archive/choose.ts';
import { headOf } from '../plain-file.ts';
import type { SourceFormat } from '../source-format.ts';

const headBytes = 64 * 1024;
const sqliteMagic = 'SQLite format 3\0';
const sqlStatement = /^\s*(?:CREATE\s+TABLE|INSERT\s+INTO|COPY\s+\S+\s*\()/im;

/** The format of a file by its name; undefined where that says nothing. */
export function formatByName(name: string, formats: readonly SourceFormat[]): SourceFormat | undefined {
  return formats.find(({ extensions }) => fits(name.replace(/\.gz$/i, ''), extensions));
}

export function formatNamed(name: string, formats: readonly SourceFormat[]): SourceFormat | undefined {
  return formats.find((format) => format.name === name);
}

/** The format of a file by how it begins, where its name says nothing; undefined where that says nothing either. */
export async function formatByContent(
  path: string,
  formats: readonly SourceFormat[],
): Promise<SourceFormat | undefined> {
  const head = (await headOf(path, headBytes)).toString('latin1');
  const found = head.startsWith(sqliteMagic) ? 'sqlite' : sqlStatement.test(head) ? 'sql' : undefined;
  return found === undefined ? undefined : formatNamed(found, formats);
}

/** Whether a file has a JSON record in each line, rather than being one document. */
export async function isLinesOfJson(path: string): Promise<boolean> {
  const head = (await headOf(path, headBytes))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  const end = head.indexOf('\n');
  return end > 0 && /^\{.*\}\s*$/.test(head.slice(0, end)) && head.slice(end).trimStart().startsWith('{');
}

/** What people call the table that a file is: its name without folders and endings. */
export function tableOfFile(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.gz$/i, '');
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}
