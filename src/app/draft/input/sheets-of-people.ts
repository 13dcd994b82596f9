import { FatalError } from '../../../model/fatal-error.ts';
import { formatNameList, truncateText } from '../../../model/listed.ts';
import type { SourceItem } from '../../../model/row.ts';
import { scorePeopleTable } from '../joins/people-table.ts';
import { type SampledTable, sampleTable } from '../joins/sampled-table.ts';

/** The sheets of a workbook to read, as source options, with notes about them. */
export interface ChosenSheets {
  readonly options: { readonly sheet: string } | { readonly sheets: readonly string[] };
  readonly notes: readonly string[];
}

const mostSheets = 40;
/** Sheets are read as one if at least this share of their columns occurs in both. */
const nearlySame = 0.75;

/**
 * Returns the sheet whose columns and rows look most like people, with the sheets that have the same columns; undefined
 * where none has people. `read` opens a sheet.
 */
export async function findPeopleSheets(
  names: readonly string[],
  read: (sheet: string, signal: AbortSignal) => AsyncIterable<readonly SourceItem[]>,
  signal: AbortSignal,
): Promise<ChosenSheets | undefined> {
  const sheets: SampledTable[] = [];
  for (const name of names.slice(0, mostSheets)) {
    const sheet = await sampled(name, read, signal);
    if (sheet !== undefined) sheets.push(sheet);
  }
  const rated = sheets.flatMap((sheet) => {
    const score = scorePeopleTable(sheet);
    // A cover sheet may name a person, too, but a list of people is long.
    return score > 0 ? [{ sheet, score: score + 2 * Math.log10(sheet.items) }] : [];
  });
  const best = rated.sort((a, b) => b.score - a.score)[0]?.sheet;
  if (best === undefined) return undefined;
  const alike = rated.map(({ sheet }) => sheet).filter((sheet) => areAlike(best, sheet));
  const chosen = names.filter((name) => alike.some((sheet) => sheet.name === name));
  const others = names.filter((name) => !chosen.includes(name));
  const unread = others.length === 0 ? '' : `; not read: ${quoted(others)}`;
  const together = others.length === 0 ? [] : [linkedSheetsNote];
  if (chosen.length === 1)
    return {
      options: { sheet: best.name },
      notes: [
        `The people are in the sheet ${quoted(chosen)}${unread}. Choose another with --sheet.`,
        ...together,
      ],
    };
  return {
    options: { sheets: chosen },
    notes: [
      `The sheets ${quoted(chosen)} have the same columns and are read as one${unread}. Choose one with --sheet.`,
      ...together,
    ],
  };
}

const linkedSheetsNote =
  'Sheets that belong together, such as people and their notes, are imported together from a folder: save each sheet as a CSV file in it.';

function quoted(names: readonly string[]): string {
  return formatNameList(names.map((name) => `"${truncateText(name, 40)}"`));
}

/** Returns the first rows of a sheet; undefined where it cannot be read as a table. */
async function sampled(
  name: string,
  read: (sheet: string, signal: AbortSignal) => AsyncIterable<readonly SourceItem[]>,
  signal: AbortSignal,
): Promise<SampledTable | undefined> {
  let items = 0;
  const counted = async function* (sheet: string) {
    for await (const batch of read(sheet, signal)) {
      items += batch.length;
      yield batch;
    }
  };
  try {
    const sheet = await sampleTable({ read: counted }, { name, items, columns: null }, signal);
    return { ...sheet, items };
  } catch (error) {
    if (error instanceof FatalError && error.reason === 'input') return undefined;
    throw error;
  }
}

function areAlike(one: SampledTable, other: SampledTable): boolean {
  const named = ({ columns }: SampledTable) => columns.map(({ words }) => words.join(' '));
  const [own, its] = [new Set(named(one)), new Set(named(other))];
  const shared = [...own].filter((name) => its.has(name)).length;
  return shared >= (own.size + its.size - shared) * nearlySame;
}
