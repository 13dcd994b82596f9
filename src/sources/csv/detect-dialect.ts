import type { Dialect } from './dialect.ts';
import type { CsvOptions } from './options.ts';
import { begin, RecordScan } from './record-scan.ts';

const delimiters = [',', ';', '\t', '|', '^', '`'];
const enoughRecords = 200;
const fewestColumns = 3;

/** The beginning of a file as text; `whole` when that is all of it. */
export interface Sample {
  readonly text: string;
  readonly whole: boolean;
}

/** How the file is written: what the options state, and for the rest what the sample shows, with what to tell people. */
export function detectDialect(sample: Sample, options: CsvOptions): { dialect: Dialect; notes: string[] } {
  const notes: string[] = [];
  const stated: Dialect = {
    delimiter: options.delimiter ?? ',',
    quote: options.quote === false ? null : (options.quote ?? '"'),
    escape: options.escape ?? (options.quote === false ? '"' : (options.quote ?? '"')),
    lineEnds: options.lineEnds,
    comment: options.comment ?? null,
    maxRowBytes: options.maxRowBytes,
  };
  const delimiter = options.delimiter ?? declaredDelimiter(sample.text) ?? likelyDelimiter(sample, stated);
  let dialect: Dialect = { ...stated, delimiter };
  if (
    options.quote === undefined &&
    quotesWith("'", dialect, sample) > 1 &&
    quotesWith('"', dialect, sample) === 0
  ) {
    dialect = { ...dialect, quote: "'", escape: options.escape ?? "'" };
    notes.push(`Cells seem to be quoted with apostrophes. If they are not, set "quote: '\\"'".`);
  }
  if (options.escape === undefined && dialect.quote !== null && sample.text.includes(`\\${dialect.quote}`)) {
    const backslash: Dialect = { ...dialect, escape: '\\' };
    if (measure(sample, backslash).problems < measure(sample, dialect).problems) {
      dialect = backslash;
      notes.push('Quotes within cells seem to be escaped with a backslash. If they are not, set "escape".');
    }
  }
  return { dialect, notes };
}

/** The delimiter that a first line `sep=;` declares, as spreadsheets write it; null without one. */
export function declaredDelimiter(text: string): string | null {
  return /^"?sep=(.)"?[\r\n]/.exec(text)?.[1] ?? null;
}

function likelyDelimiter(sample: Sample, stated: Dialect): string {
  let best = { delimiter: stated.delimiter, score: 0 };
  for (const delimiter of delimiters) {
    const { consistency, cells } = measure(sample, { ...stated, delimiter });
    const score = consistency * Math.log2(cells);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

interface Measure {
  /** The share of records that have the commonest number of cells; problems count as records that have not. */
  readonly consistency: number;
  readonly cells: number;
  readonly problems: number;
}

function measure(sample: Sample, dialect: Dialect): Measure {
  const { counts, problems } = cellCounts(sample, dialect);
  // Titles and notes around a table may be more lines than the table has.
  const isTable = [...counts].some(([count, times]) => count >= fewestColumns && times > 1);
  let cells = 1;
  let most = 0;
  let records = problems;
  for (const [count, times] of counts) {
    records += times;
    if (isTable && count === 1) continue;
    if (times > most || (times === most && count > cells)) [cells, most] = [count, times];
  }
  return { consistency: records === 0 ? 0 : most / records, cells, problems };
}

/** How many records have which number of cells, and how many have wrong quotes. */
function cellCounts(
  { text, whole }: Sample,
  dialect: Dialect,
): { counts: Map<number, number>; problems: number } {
  const scan = new RecordScan(dialect);
  scan.in(text, whole);
  const counts = new Map<number, number>();
  let problems = 0;
  let at = 0;
  for (let records = 0; at < text.length && records < enoughRecords; records += 1) {
    const found = scan.scan(begin(at));
    if (found.kind === 'more' && !whole) break;
    if (found.kind === 'end') {
      if (found.end > at) counts.set(found.cells, (counts.get(found.cells) ?? 0) + 1);
      at = found.next;
    } else {
      problems += 1;
      const end = scan.lines.from(at);
      at = end < text.length ? scan.lines.after(end) : text.length;
    }
  }
  return { counts, problems };
}

/** How many cells of one line begin and end with the character. */
function quotesWith(quote: string, { delimiter }: Dialect, { text }: Sample): number {
  let wrapped = 0;
  for (const line of text.split(/[\r\n]+/).slice(0, enoughRecords)) {
    for (const cell of line.split(delimiter)) {
      if (cell.length > 1 && cell.startsWith(quote) && cell.endsWith(quote)) wrapped += 1;
    }
  }
  return wrapped;
}
