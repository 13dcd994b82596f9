import { parse as parseCsv } from 'csv-parse/sync';
import type { Played } from './play.ts';
import type { TrueRow } from './truth.ts';

/** A place where a command names something: a line of a list of the run, or an object of its JSON. */
interface Listing {
  readonly file: string;
  readonly lines: readonly number[];
  readonly keys: readonly string[];
  readonly text: string;
}

/** What became of a row by the run's own account. */
export interface Account {
  readonly outcome: string;
  readonly contactId: number | undefined;
}

/** A question about two sides that the run asks. */
export interface AskedQuestion {
  readonly row: TrueRow | undefined;
  readonly other: TrueRow | undefined;
  readonly otherContact: number | undefined;
  readonly text: string;
}

export interface Listings {
  /** The file that names the row, and one of these words with it; undefined where none does. */
  find(row: TrueRow, words: readonly string[]): string | undefined;
  /** The file that lists the whole row as not imported. */
  findRow(row: TrueRow): string | undefined;
  /** The file that names the text, as an id or a value that occurs nowhere else. */
  findText(text: string): string | undefined;
  accountOf(row: TrueRow): Account | undefined;
  readonly asked: readonly AskedQuestion[];
  tagsOf(contactId: number): readonly string[];
}

type Line = Readonly<Record<string, string>>;

/** Lists about all rows, which say nothing of a loss. */
const aboutAll = new Set(['contacts.csv', 'contact-tags.csv']);
const ofWholeRows = new Set(['rejects.csv', 'same-person.csv', 'merge-proposals.csv', 'not-taken.csv']);

interface Read {
  readonly found: { readonly part: Played; readonly listing: Listing }[];
  readonly accounts: Map<string, Account>;
  readonly asked: AskedQuestion[];
  readonly tags: Map<number, readonly string[]>;
}

/** Reads everything that the runs and `check` name. */
export function listingsOf(played: readonly Played[], rows: readonly TrueRow[]): Listings {
  const read: Read = { found: [], accounts: new Map(), asked: [], tags: new Map() };
  for (const part of played) readPart(part, rows, read);
  const { found, accounts, asked, tags } = read;
  const about = ({ list, line, key }: TrueRow) =>
    found.flatMap(({ part, listing }) => {
      const isNamed = listing.lines.includes(line) || (key !== undefined && listing.keys.includes(key));
      return isNamed && part.lists.includes(list) ? [listing] : [];
    });
  const names = ({ file, text }: Listing, words: readonly string[]) =>
    file === 'rejects.csv' || words.some((word) => word !== '' && text.includes(word.toLowerCase()));
  return {
    asked,
    find: (row, words) => about(row).find((listing) => names(listing, words))?.file,
    findRow: (row) => about(row).find(({ file }) => ofWholeRows.has(file))?.file,
    findText: (text) => found.find(({ listing }) => wordIn(listing.text, text.toLowerCase()))?.listing.file,
    accountOf: (row) => accounts.get(placeOf(row)),
    tagsOf: (contactId) => tags.get(contactId) ?? [],
  };
}

function readPart(part: Played, rows: readonly TrueRow[], { found, accounts, asked, tags }: Read): void {
  const own = rows.filter(({ list }) => part.lists.includes(list));
  const lists = Object.entries(part.files).flatMap(([file, text]) =>
    file.endsWith('.csv') ? linesOf(text).map((line) => ({ file, line })) : [],
  );
  for (const { file, line } of lists) {
    if (file === 'contacts.csv') putAccount(line, own, accounts);
    if (file === 'contact-tags.csv') tags.set(Number(line.contactId), (line.tags ?? '').split(/;\s*/));
    if (file === 'same-person.csv') asked.push(questionOf(line, own));
    if (!aboutAll.has(file)) found.push({ part, listing: listingOf(file, line) });
  }
  const json = [...objectsOf('check', part.checkJson), ...objectsOf('summary.json', part.summary)];
  found.push(...json.map((listing) => ({ part, listing })));
}

const placeOf = ({ list, line }: TrueRow) => `${list}:${line}`;

function wordIn(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at >= 0 && !/[\p{L}\p{N}]/u.test(text.charAt(at + word.length));
}

function linesOf(text: string): readonly Line[] {
  // A list that can be imported again is delimited as the input is.
  const [header = ''] = text.split('\n', 1);
  const delimiter =
    [';', '\t', '|'].find((each) => header.includes(`${each}_`) || header.endsWith(each)) ?? ',';
  return parseCsv(text, {
    columns: true,
    delimiter,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
}

function listingOf(file: string, line: Line): Listing {
  const own = Object.entries(line);
  const numbers = own.flatMap(([name, cell]) =>
    /line/i.test(name) ? [...cell.matchAll(/\d+/g)].map(Number) : [],
  );
  const keys = own.flatMap(([name, cell]) => (/key$/i.test(name) ? [cell] : []));
  const text = own.map(([, cell]) => cell).join('\n');
  return { file, lines: numbers, keys, text: text.toLowerCase() };
}

/** Objects of a JSON that name lines or keys, with all texts in them. */
function objectsOf(file: string, json: unknown): readonly Listing[] {
  if (Array.isArray(json)) return json.flatMap((each) => objectsOf(file, each));
  if (typeof json !== 'object' || json === null) return [];
  const entries: [string, unknown][] = Object.entries(json);
  const lines = entries.flatMap(([name, value]) =>
    /^_?lines?$/.test(name) ? [value].flat().map(Number) : [],
  );
  const keys = entries.flatMap(([name, value]) => (/^_?keys?$/.test(name) ? [value].flat().map(String) : []));
  const text = entries.flatMap(([, value]) => (typeof value === 'string' ? [value] : [])).join('\n');
  const own = lines.length + keys.length === 0 ? [] : [{ file, lines, keys, text: text.toLowerCase() }];
  return [...own, ...entries.flatMap(([, value]) => objectsOf(file, value))];
}

/** The row that a line of a list names; where several lists have the line, the one whose cells it has. */
function rowAt(line: number, words: string, rows: readonly TrueRow[]): TrueRow | undefined {
  const there = rows.filter((row) => row.line === line);
  if (there.length < 2) return there[0];
  const isNamed = ({ list, first, cells }: TrueRow) =>
    words.includes(list) ||
    (first !== '' && words.includes(first)) ||
    cells.some(({ wanted }) =>
      wanted.as === 'email'
        ? words.toLowerCase().includes(wanted.address)
        : wanted.as === 'phone' && wanted.numbers.some((number) => words.includes(number)),
    );
  return there.find(isNamed) ?? there[0];
}

function putAccount(line: Line, rows: readonly TrueRow[], accounts: Map<string, Account>): void {
  const row = rowAt(Number(line._line), Object.values(line).join('\n'), rows);
  if (row === undefined) return;
  const contactId =
    line.contactId === undefined || line.contactId === '' ? undefined : Number(line.contactId);
  accounts.set(placeOf(row), { outcome: line.outcome ?? '', contactId });
}

function questionOf(line: Line, rows: readonly TrueRow[]): AskedQuestion {
  const words = (prefix: string) =>
    Object.entries(line)
      .flatMap(([name, cell]) => (name.startsWith(prefix) ? [cell] : []))
      .join('\n');
  const otherLine = line.other_line ?? '';
  return {
    row: rowAt(Number(line._line), words('row.'), rows),
    other: otherLine === '' ? undefined : rowAt(Number(otherLine), words('other.'), rows),
    otherContact:
      line.other_contact === undefined || line.other_contact === '' ? undefined : Number(line.other_contact),
    text: Object.values(line).join(' | '),
  };
}
