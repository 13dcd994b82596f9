import { nullable, number, type RowOf, text } from '../../storage/columns.ts';
import { query, select } from '../../storage/sql.ts';
import type { JournalFile } from '../open.ts';
import { cellList } from '../row-record.ts';

const keptRow = { run: number, seq: number, key: nullable(text), cells: cellList, raw: nullable(text) };
type KeptRow = RowOf<typeof keptRow>;

/** An identifier in more rows of a run than this does not tell whose rows they are. */
const mostRows = 3;

/** The rows and phones of a person that were found in the kept cells. */
export interface ContentFound {
  /** Rows with neither a contact nor a known key, and the person's e-mail or phone in a cell: rejected ones. */
  readonly rows: readonly Pick<KeptRow, 'run' | 'seq'>[];
  /** Phones (identifier texts) that are also in a row with an e-mail of its own, which is another person's. */
  readonly shared: ReadonlySet<string>;
}

/** Searches the rows that need manual action: only these still have their cells. */
export function contentRows(file: JournalFile): ContentFound {
  const own = select(file, { text })`SELECT text FROM person_identifier`.map(({ text }) => text);
  const emails = new Set(own.flatMap((text) => /^email:(.*)$/s.exec(text)?.[1] ?? []));
  const phones = new Map(own.flatMap((text) => (text.startsWith('phone:') ? [[digitsOf(text), text]] : [])));
  const byRun = new Map<number, KeptRow[]>();
  const shared = new Set<string>();
  const kept = query(
    file,
    keptRow,
    `SELECT run, seq, key, cells, raw FROM row WHERE (cells IS NOT NULL OR raw IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM person_row WHERE person_row.run = row.run AND person_row.seq = row.seq)`,
  ).iterate();
  for (const row of kept) {
    const { isTheirs, phone } = look(row, emails, phones);
    if (isTheirs) byRun.set(row.run, [...(byRun.get(row.run) ?? []), row]);
    else if (phone !== undefined) shared.add(phone);
  }
  const rows = [...byRun.values()].filter(
    (each) => new Set(each.map(({ key, seq }) => key ?? seq)).size <= mostRows,
  );
  return { rows: rows.flat(), shared };
}

/** Whether a row is the person's, and which of their phones it has. */
function look(
  { cells, raw }: KeptRow,
  emails: ReadonlySet<string>,
  phones: ReadonlyMap<string, string>,
): { readonly isTheirs: boolean; readonly phone: string | undefined } {
  const lower = raw?.toLowerCase() ?? '';
  const texts = (cells ?? []).map(([, cell]) => (cell ?? '').trim().normalize('NFC').toLowerCase());
  const hasEmail = texts.some((text) => emails.has(text)) || [...emails].some((each) => lower.includes(each));
  const [phone] = texts.flatMap((text) => (phoneShape.test(text) ? (phones.get(digitsOf(text)) ?? []) : []));
  const hasOther = texts.some((text) => emailShape.test(text));
  return { isTheirs: hasEmail || (phone !== undefined && !hasOther), phone };
}

const phoneShape = /^\+?[\d\s()./-]+$/;
const emailShape = /^\S+@\S+\.\S+$/;

function digitsOf(text: string): string {
  return text.replace(/\D/g, '').replace(/^00/, '');
}
