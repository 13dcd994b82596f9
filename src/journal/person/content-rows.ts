import { z } from 'zod';
import { select } from '../../storage/sql.ts';
import type { JournalFile } from '../open.ts';

const cellsSchema = z.array(z.tuple([z.string(), z.string().nullable()]));

interface KeptRow {
  readonly run: number;
  readonly seq: number;
  readonly key: string | null;
  readonly cells: string | null;
  readonly raw: string | null;
}

/** In more rows of a run than this an identifier names somebody else's colleague, and not whose rows they are. */
const mostRows = 3;

/**
 * Rows that have no contact and no known key, and one of the person's identifiers in a cell: rejected ones. A row of
 * somebody else with the same phone and an e-mail of its own stays theirs.
 */
export function contentRows(file: JournalFile): readonly Pick<KeptRow, 'run' | 'seq'>[] {
  const own = select<{ text: string }>(file)`SELECT text FROM person_identifier`.map(({ text }) => text);
  const emails = new Set(own.flatMap((text) => /^email:(.*)$/s.exec(text)?.[1] ?? []));
  const digits = new Set(own.flatMap((text) => /^phone:(.*)$/s.exec(text)?.[1]?.replace(/\D/g, '') ?? []));
  if (emails.size + digits.size === 0) return [];
  const byRun = new Map<number, KeptRow[]>();
  const kept = file
    .prepare<[], KeptRow>(
      `SELECT run, seq, key, cells, raw FROM row WHERE (cells IS NOT NULL OR raw IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM person_row WHERE person_row.run = row.run AND person_row.seq = row.seq)`,
    )
    .iterate();
  for (const row of kept) {
    if (isOf(row, emails, digits)) byRun.set(row.run, [...(byRun.get(row.run) ?? []), row]);
  }
  return [...byRun.values()].flatMap((rows) =>
    new Set(rows.map(({ key, seq }) => key ?? seq)).size > mostRows ? [] : rows,
  );
}

function isOf({ cells, raw }: KeptRow, emails: ReadonlySet<string>, digits: ReadonlySet<string>): boolean {
  const lower = raw?.toLowerCase();
  if (lower !== undefined && [...emails].some((email) => lower.includes(email))) return true;
  const texts = cellsSchema
    .parse(JSON.parse(cells ?? '[]'))
    .map(([, cell]) => (cell ?? '').trim().toLowerCase());
  if (texts.some((text) => emails.has(text.normalize('NFC')))) return true;
  const hasPhone = texts.some(
    (text) => /^\+?[\d\s()./-]+$/.test(text) && digits.has(text.replace(/\D/g, '').replace(/^00/, '')),
  );
  return hasPhone && !texts.some((text) => /^\S+@\S+\.\S+$/.test(text));
}
