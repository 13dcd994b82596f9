import { csvText } from '../../../report/csv-list.ts';
import type { PlannedRow } from '../samples.ts';

const columns = ['line', 'key', 'outcome', 'contact', 'step', 'field', 'old', 'new'];
const atOnce = 500;

/** A plan as CSV: a line for each value that would change, and one for a row of which nothing would. */
export async function* planCsv(rows: Iterable<PlannedRow>): AsyncIterable<string> {
  yield* csvText(columns, pages(rows), (cells) => cells);
}

async function* pages(rows: Iterable<PlannedRow>): AsyncIterable<readonly (readonly string[])[]> {
  let page: (readonly string[])[] = [];
  for (const row of rows) {
    page.push(...lines(row));
    if (page.length < atOnce) continue;
    yield page;
    page = [];
    await new Promise((resolve) => setImmediate(resolve));
  }
  yield page;
}

function lines({
  line,
  key,
  outcome,
  contact,
  problems,
  changes,
}: PlannedRow): readonly (readonly string[])[] {
  const row = [String(line), key ?? '', outcome, contact === null ? '' : String(contact)];
  if (changes.length === 0) return [[...row, '', '', '', problems.map(({ reason }) => reason).join('; ')]];
  return changes.map(({ step, field, from, to }) => [...row, step, field, text(from), text(to)]);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
