import { z } from 'zod';
import { outcomes } from '../../model/outcome.ts';
import { jsonColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { type PlanSummary, planSummarySchema } from './plan-schema.ts';
import { type PlannedChange, type PlannedRow, readPlannedRows } from './samples.ts';

const sortSchema = z.object({
  outcome: z.enum(outcomes),
  /** `filled`, `replaced`, `cleared`, or the name of the step; null for rows without changes. */
  kind: z.string().nullable(),
  field: z.string().nullable(),
  lines: z.int(),
});

const keptSchema = z.object({ summary: planSummarySchema, sorts: z.array(sortSchema) });

/** A group of lines of the diff with the same outcome, kind and field, and their number. */
export type DiffGroup = z.output<typeof sortSchema>;

/** The summary of a plan, and the groups of lines in its diff. */
export type StoredPlanSummary = z.output<typeof keptSchema>;

const table = `
CREATE TABLE diff (                            -- one for each value that would change, and for each row without changes
  n          INTEGER PRIMARY KEY,              -- from 0, without gaps
  seq        INTEGER NOT NULL,                 -- the row
  line       INTEGER NOT NULL,
  key        TEXT,
  outcome    TEXT NOT NULL,
  kind       TEXT,                             -- filled, replaced, cleared, or the name of the step
  field      TEXT,
  old        TEXT,                             -- null where it is unknown, or nothing is replaced
  new        TEXT                              -- for a row without changes, the reason; null where there is none
) STRICT;
`;

/** The number of rows written at a time, so that the event loop is not blocked. */
const atOnce = 500;

/**
 * Writes the diff and the summary of a plan into its file, so that any page of a diff of a million lines can be read
 * without delay.
 */
export async function storePlanDiff(file: SqliteConnection, summary: PlanSummary): Promise<void> {
  file.exec(table);
  file.exec('BEGIN');
  const insert = file.prepare('INSERT INTO diff VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  let [n, rows] = [0, 0];
  for (const row of readPlannedRows(file, {})) {
    for (const cells of linesOf(row)) insert.run(n++, row.seq, row.line, row.key, row.outcome, ...cells);
    rows += 1;
    if (rows % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const sorts = file
    .prepare<[], DiffGroup>(
      'SELECT outcome, kind, field, count(*) AS lines FROM diff GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1, 2, 3',
    )
    .all();
  const kept: StoredPlanSummary = { summary, sorts };
  file.prepare("INSERT INTO fact VALUES ('kept', ?)").run(JSON.stringify(kept));
  file.exec('COMMIT');
}

/**
 * Reads the summary and the groups of a stored plan; undefined if the plan has no stored diff, for example because an
 * older version made it.
 */
export function readStoredPlanSummary(file: SqliteConnection): StoredPlanSummary | undefined {
  return prepareQuery(
    file,
    { value: jsonColumn(keptSchema) },
    "SELECT value FROM fact WHERE name = 'kept'",
  ).get()?.value;
}

type Cells = readonly [kind: string | null, field: string | null, old: string | null, new: string | null];

function linesOf({ changes, problems }: PlannedRow): readonly Cells[] {
  if (changes.length > 0)
    return changes.map((change) => [kindOf(change), change.field, textOf(change.from), textOf(change.to)]);
  return [[null, null, null, problems.map(({ reason }) => reason).join('; ') || null]];
}

/**
 * Returns the kind of a change: `filled`, `replaced` or `cleared` for a value of an update, else the name of the step.
 */
function kindOf({ step, from, to }: PlannedChange): string {
  if (step !== 'update') return step;
  if (isEmpty(from)) return 'filled';
  return isEmpty(to) ? 'cleared' : 'replaced';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function textOf(value: unknown): string | null {
  if (value === undefined) return null;
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
