import { createReadStream } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import type { IdentifierRedactor } from '../../../journal/index.ts';
import { formatRowPlace, parseRowLine } from '../../../model/row-place.ts';
import { unescapeCsvFormula } from '../../../model/spreadsheet-guard.ts';
import { removeStaleFile, writeFileAtomically } from '../../../report/whole-file.ts';
import { columnsByList } from '../../import/report/lists.ts';
import type { PersonSearchCriteria } from '../databases.ts';

/** The ids, texts and rows by which a person is found in the files of a run. */
export interface RunFileSearchCriteria extends PersonSearchCriteria {
  /** The formatted places of the person's rows (as in messages), by the id of the run. */
  readonly places: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Removes a person's texts from a text file; returns true if there were any. */
export async function forgetPersonInTextFile(path: string, without: IdentifierRedactor): Promise<boolean> {
  const clean = without(await readFile(path, 'utf8'));
  if (clean === null) return false;
  await writeFileAtomically(path, [clean]);
  return true;
}

/** Columns that identify a person: a line that has the person in one of them is removed completely. */
const whose = new Set(['identifier', 'email', 'phone']);
const keyColumns = new Set(['_key', 'other_key']);
const contactColumns = new Set(['contactId', 'contact_1_id', 'contact_2_id', 'other_contact']);

const headBytes = 256 * 1_024;

/**
 * Removes a person's lines from a CSV list, and the person's texts from other lines; returns true if it changed. A list
 * without lines left is removed. `run` is the run whose input `_line` refers to; the column `_run`, if the list has it,
 * takes precedence.
 */
export async function forgetPersonInListFile(
  path: string,
  run: string | undefined,
  person: RunFileSearchCriteria,
): Promise<boolean> {
  const style = await styleOf(path);
  let changed = false;
  let lines = 0;
  async function* text(): AsyncIterable<string> {
    let header: readonly string[] | undefined;
    const parser = parse({ delimiter: style.delimiter, bom: true, relax_column_count: true });
    for await (const found of createReadStream(path).pipe(parser)) {
      const cells: readonly string[] = found;
      if (header === undefined) {
        header = cells.map(unescapeCsvFormula);
        yield stringify([[...cells]], { ...style });
      } else if (isTheirs(header, cells.map(unescapeCsvFormula), run, person)) {
        changed = true;
      } else {
        const clean = cells.map((cell) => person.without(cell) ?? cell);
        changed ||= clean.some((cell, n) => cell !== cells[n]);
        lines += 1;
        yield stringify([clean], { delimiter: style.delimiter });
      }
    }
  }
  try {
    // A dry pass first, because most lists do not change.
    for await (const _ of text()) if (changed) break;
  } catch (error) {
    // The file was edited and is no longer valid CSV.
    if (!(error instanceof CsvError)) throw error;
    return await forgetPersonInTextFile(path, person.without);
  }
  if (!changed) return false;
  lines = 0;
  await writeFileAtomically(path, text());
  if (lines === 0) await removeStaleFile(path);
  return true;
}

function isTheirs(
  header: readonly string[],
  cells: readonly string[],
  run: string | undefined,
  { places, keys, contacts, without }: RunFileSearchCriteria,
): boolean {
  const of = cells[header.indexOf('_run')] ?? run;
  const sheet = cells[header.indexOf('_sheet')];
  // A line about two contacts that may be one person is removed with either of them.
  const isAboutTwo = header.includes('contact_1_id') || header.includes('other_contact');
  const isUnjoined = header.join() === columnsByList.unjoined.join();
  return cells.some((cell, n) => {
    const column = header[n] ?? '';
    if (cell === '') return false;
    if (column === '_line')
      return (
        of !== undefined &&
        places.get(of)?.has(formatRowPlace({ line: parseRowLine(cell) ?? 0, sheet })) === true
      );
    if (keyColumns.has(column)) return keys.has(cell);
    if (isUnjoined && column === 'parent') return keys.has(cell) || without(cell) !== null;
    if (isUnjoined && column === 'id') return without(cell) !== null;
    if (contactColumns.has(column)) return contacts.has(Number(cell));
    return (isAboutTwo || whose.has(column)) && without(cell) !== null;
  });
}

/** Detects the delimiter and BOM of a list, because a rejects.csv is written with those of its input. */
async function styleOf(path: string): Promise<{ readonly delimiter: string; readonly bom: boolean }> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.subarray(0, bytesRead).toString('utf8');
    const [first = ''] = head.split(/\r?\n/, 1);
    const [delimiter = ','] = [',', ';', '\t', '|']
      .map((each) => [each, first.split(each).length] as const)
      .sort(([, a], [, b]) => b - a)
      .map(([each]) => each);
    return { delimiter, bom: head.startsWith('\uFEFF') };
  } finally {
    await file.close();
  }
}
