import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { placeWords } from '../../../model/row-place.ts';
import { unguardCsvCell } from '../../../model/spreadsheet-guard.ts';
import { removeOld, writeWhole } from '../../../report/whole-file.ts';
import { listColumns } from '../../import/report/lists.ts';
import { forgetInText } from './forget-text.ts';
import type { PersonInRun } from './person-texts.ts';

/** Columns that name a person; a line of the person there goes as a whole. */
const whose = new Set(['identifier', 'email', 'phone']);
const keyColumns = new Set(['_key', 'other_key']);
const contactColumns = new Set(['contactId', 'contact_1_id', 'contact_2_id', 'other_contact']);

const headBytes = 256 * 1_024;

/**
 * Removes a person's lines from a list of a run, and their texts from the lines of others. A list without lines is removed,
 * and one that has nothing of the person stays as it is. `run` is whose lines `_line` counts, undefined where the list does
 * not say.
 */
export async function forgetInList(
  path: string,
  run: string | undefined,
  person: PersonInRun,
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
        header = cells.map(unguardCsvCell);
        yield stringify([[...cells]], { ...style });
      } else if (isTheirs(header, cells.map(unguardCsvCell), run, person)) {
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
    // Whether anything changes is known at the end only: a list is looked through before it is written.
    for await (const _ of text()) if (changed) break;
  } catch (error) {
    // Somebody has edited it, and it is no CSV any more.
    if (!(error instanceof CsvError)) throw error;
    return await forgetInText(path, person.without);
  }
  if (!changed) return false;
  lines = 0;
  await writeWhole(path, text());
  if (lines === 0) await removeOld(path);
  return true;
}

function isTheirs(
  header: readonly string[],
  cells: readonly string[],
  run: string | undefined,
  { places, keys, contacts, without }: PersonInRun,
): boolean {
  const of = cells[header.indexOf('_run')] ?? run;
  const sheet = cells[header.indexOf('_sheet')];
  // A line about two that may be one goes with either of them.
  const isAboutTwo = header.includes('contact_1_id') || header.includes('other_contact');
  const isUnjoined = header.join() === listColumns.unjoined.join();
  return cells.some((cell, n) => {
    const column = header[n] ?? '';
    if (cell === '') return false;
    if (column === '_line')
      return of !== undefined && places.get(of)?.has(placeWords({ line: Number(cell), sheet })) === true;
    if (keyColumns.has(column)) return keys.has(cell);
    if (isUnjoined && column === 'parent') return keys.has(cell) || without(cell) !== null;
    if (isUnjoined && column === 'id') return without(cell) !== null;
    if (contactColumns.has(column)) return contacts.has(Number(cell));
    return (isAboutTwo || whose.has(column)) && without(cell) !== null;
  });
}

/** A rejects.csv is written as the input is. */
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
