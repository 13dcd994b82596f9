import { z } from 'zod';
import type { FatalError } from '../../model/fatal-error.ts';
import { type Outcome, outcomes } from '../../model/outcome.ts';
import type { ProblemCount } from '../../model/problem.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { runLossCodes } from '../run/left-behind/kinds.ts';
import {
  addFirstPassLosses,
  listRejectedRowLosses,
  summariseLosses,
  takeHigherLossCounts,
} from '../run/left-behind/left-behind.ts';
import { loadPlanFacts, type PlanFacts } from '../run/plan-file.ts';
import type { Plan } from './plan.ts';
import type {
  FieldChangeSummary,
  PlanSummary,
  StepCountSummary,
  UnpredictableEffect,
} from './plan-schema.ts';
import { computeSecondsAtRateLimit, estimateImportTime, type ImportTimingInput } from './time.ts';
import { createUserNameLookup } from './user-names.ts';

const mostFrequent = 3;

/** Returns the summary of a plan, with the estimated time of the import under the pipeline's limits. */
export function summarisePlan(
  { file, latencies, found, error }: Plan,
  { perPath, concurrency }: LoadedImportPipeline['import']['limits'],
): PlanSummary {
  return summarisePlanFile(file, { perPath, concurrency, found, latencies }, error);
}

/**
 * Returns the summary of a plan, read from its file. `pace` has the limits and latencies from which the time is
 * estimated; `error` is the error that would stop the import.
 */
export function summarisePlanFile(
  file: SqliteConnection,
  pace: ImportTimingInput,
  error?: FatalError | undefined,
): PlanSummary {
  const facts = loadPlanFacts(file);
  const { pipeline, target, selection, limit, continues } = facts;
  const writes = file
    .prepare<[], { request: string; count: number; perhaps: number }>(
      `SELECT method || ' ' || template AS request, sum(perhaps = 0) AS count, sum(perhaps) AS perhaps
       FROM request GROUP BY 1 ORDER BY count(*) DESC, 1`,
    )
    .all();
  const reads = file
    .prepare<[], { request: string; count: number }>(
      'SELECT template AS request, count FROM reads ORDER BY count DESC, 1',
    )
    .all();
  const rows = rowCounts(file);
  return {
    ...{ pipeline, target, selection, limit, continues },
    madeAt: new Date(facts.madeAt).toISOString(),
    error: error?.message ?? null,
    rows,
    questions: questionsOf(file),
    fields: fieldDigests(file),
    steps: stepDigests(file),
    writes: writes.map((each) => ({ ...each, seconds: computeSecondsAtRateLimit(each, pace.perPath) })),
    reads: reads.map((each) => ({ ...each, seconds: computeSecondsAtRateLimit(each, pace.perPath) })),
    time: estimateImportTime(writes, reads, facts, pace),
    unpredictable: unpredictable(file, rows),
    leftBehind: summariseLosses(lossesOf(file, rows, facts, error), facts.tagged),
  };
}

/**
 * Returns the losses among the planned rows, completed by those of the first pass over the input. If the plan does not
 * cover all rows, takes the higher of the two counts for each code.
 */
function lossesOf(
  file: SqliteConnection,
  { rejected, failed }: Readonly<Record<Outcome, number>>,
  { leftBehind: firstPass, limit, continues, tagged }: PlanFacts,
  error: FatalError | undefined,
): readonly ProblemCount[] {
  const found = file
    .prepare<[], Omit<ProblemCount, 'examples'> & ProblemCount['examples'][number] & { isOfRow: number }>(
      `SELECT outcome IN ('rejected', 'failed') AS isOfRow, p.value ->> '$.code' AS code, count(*) AS n,
         min(line) AS line, sheet, p.value ->> '$.column' AS "column", p.value ->> '$.reason' AS reason
       FROM row, json_each(row.problems) AS p WHERE row.problems IS NOT NULL GROUP BY 1, 2 ORDER BY n DESC, code`,
    )
    .all();
  const of = (isOfRow: number) =>
    found
      .filter((each) => each.isOfRow === isOfRow)
      .map(({ code, n, column, reason, ...row }) => ({
        code,
        n,
        examples: [{ ...normaliseRowPlace(row), column, reason }],
      }));
  const planned = [
    ...of(0),
    ...listRejectedRowLosses(rejected + failed, of(1)),
    ...(tagged === undefined ? [] : [{ code: runLossCodes.tagsByHand, n: tagged, examples: [] }]),
  ];
  const isWhole = error === undefined && limit === null && continues === null;
  return isWhole ? addFirstPassLosses(planned, firstPass) : takeHigherLossCounts(planned, firstPass);
}

const countsSchema = z.record(z.enum(outcomes), z.int());

function rowCounts(file: SqliteConnection): Readonly<Record<Outcome, number>> {
  const found = file
    .prepare<[], { outcome: string; n: number }>('SELECT outcome, count(*) AS n FROM row GROUP BY outcome')
    .all();
  return countsSchema.parse({
    ...Object.fromEntries(outcomes.map((outcome) => [outcome, 0])),
    ...Object.fromEntries(found.map(({ outcome, n }) => [outcome, n])),
  });
}

/** Returns the number of rows with a question, and the first three. */
function questionsOf(file: SqliteConnection): PlanSummary['questions'] {
  const asked = `FROM row, json_each(row.problems) AS problem WHERE row.problems IS NOT NULL
    AND json_extract(problem.value, '$.code') = 'identity.ask'`;
  const count = file.prepare<[], number>(`SELECT count(*) ${asked}`).pluck().get() ?? 0;
  const examples = file
    .prepare<[number], RowPlace & { readonly question: string }>(
      `SELECT row.line, row.sheet, json_extract(problem.value, '$.reason') AS question ${asked} ORDER BY row.seq LIMIT ?`,
    )
    .all(mostFrequent)
    .map(({ question, ...row }) => ({ ...normaliseRowPlace(row), question }));
  return { count, examples };
}

function fieldDigests(file: SqliteConnection): FieldChangeSummary[] {
  const fields = file
    .prepare<[], Omit<FieldChangeSummary, 'frequent'>>(
      `SELECT field, sum(coalesce(old, '') = '') AS filled, sum(coalesce(old, '') <> '' AND coalesce(new, '') <> '') AS replaced,
         sum(coalesce(old, '') <> '' AND coalesce(new, '') = '') AS cleared
       FROM change GROUP BY field ORDER BY count(*) DESC, field`,
    )
    .all();
  const frequent = file.prepare<
    [string, number],
    Omit<FieldChangeSummary['frequent'][number], 'line' | 'sheet'> & RowPlace
  >(
    `SELECT CAST(old AS TEXT) AS "from", CAST(new AS TEXT) AS "to", count(*) AS contacts, min(line) AS line, sheet FROM change
     WHERE field = ? GROUP BY 1, 2 ORDER BY 3 DESC, 4 LIMIT ?`,
  );
  return fields.map((field) => ({
    ...field,
    frequent: frequent
      .all(field.field, mostFrequent)
      .map(({ from, to, contacts, ...row }) => ({ from, to, contacts, ...normaliseRowPlace(row) })),
  }));
}

/** The SQL for the value that a step sets; NULL for steps whose values are not counted. */
const setValue = `CASE name WHEN 'lifecycle' THEN coalesce(nullif(intent ->> '$.name', ''), '(none)')
  WHEN 'conversation' THEN intent ->> '$.status' WHEN 'assignee' THEN coalesce(intent ->> '$.userId', '(unassigned)')
  WHEN 'ensureTag' THEN intent ->> '$.name' WHEN 'ensureField' THEN intent ->> '$.name' END`;

function stepDigests(file: SqliteConnection): StepCountSummary[] {
  const steps = file
    .prepare<[], { step: string; count: number }>(
      "SELECT name AS step, count(*) AS count FROM step WHERE name NOT IN ('create', 'update', 'merge') GROUP BY name",
    )
    .all();
  const frequent = file.prepare<[string, number], { value: string; count: number }>(
    `SELECT CAST(${setValue} AS TEXT) AS value, count(*) AS count FROM step WHERE name = ? AND value IS NOT NULL
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
  );
  const nameOf = createUserNameLookup(file);
  const named = ({ value, ...rest }: StepCountSummary['frequent'][number]) => ({
    value: /^\d+$/.test(value) ? nameOf(Number(value)) : value,
    ...rest,
  });
  return steps.map(({ step, count }) => {
    const found = frequent.all(step, mostFrequent);
    return { step, count, frequent: step === 'assignee' ? found.map(named) : found };
  });
}

function unpredictable(
  file: SqliteConnection,
  rows: Readonly<Record<Outcome, number>>,
): UnpredictableEffect[] {
  const number = (sql: string) => file.prepare<[], { n: number }>(sql).get()?.n ?? 0;
  const tags = number('SELECT sum(perhaps) AS n FROM request');
  const shared = number(
    'SELECT count(*) AS n FROM (SELECT 1 FROM step WHERE contact IS NOT NULL GROUP BY contact HAVING count(DISTINCT seq) > 1)',
  );
  const written = rows.created + rows.updated + rows.merged;
  const found: readonly UnpredictableEffect[] = [
    {
      code: 'tags',
      count: tags,
      text: 'Whether a tag exists can only be asked by a write: each takes one PUT, and one POST if it is missing.',
    },
    {
      code: 'values',
      count: written,
      text: 'The workspace may normalise or refuse a value: a refused row becomes rejected.',
    },
    {
      code: 'newContacts',
      count: rows.created,
      text: 'New contacts are assumed to start with an open conversation, without lifecycle stage, tags and assignee.',
    },
    {
      code: 'merges',
      count: rows.merged,
      text: 'What a merged contact keeps of the newer one beyond the fields sent is not specified.',
    },
    {
      code: 'shared',
      count: shared,
      text: 'Several people of the input lead to the same contact: which of them is last depends on the order of the answers.',
    },
  ];
  return found.filter(({ count }) => count > 0);
}
