import { copyFile, rename } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { formatRowLine } from '../../model/row-place.ts';
import { type LoadedImportPipeline, loadImportPipeline } from '../../pipeline/index.ts';
import { formatCsvList } from '../../report/csv-list.ts';
import { writeFileAtomically } from '../../report/whole-file.ts';
import { buildCommandWordsForSelection } from '../../report/words.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import type { ImportFlags } from '../import/import-command.ts';
import {
  buildImportRequest,
  findImportSourceWorkspace,
  type ImportRunOptions,
} from '../import/import-run.ts';
import type { NextStep } from '../import/report/summary.ts';
import type { ClientEvent, CommandCallbacks } from '../run/caller.ts';
import { formatCommandLine } from '../run/command-line.ts';
import type { RunEvent } from '../run/events.ts';
import { type RunEnvironment, withWorkspaces } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { createErrorRethrower } from '../run/terminal/next-hint.ts';
import { createProgressCallbacks } from '../run/terminal/progress-caller.ts';
import type { Screen } from '../run/terminal/screen.ts';
import { storePlanDiff } from './diff.ts';
import { type Plan, planImport } from './plan.ts';
import type { PlanSummary } from './plan-schema.ts';
import { renderPlan } from './report/plan-text.ts';
import { type PlannedRow, type PlanRowFilter, readPlannedRows } from './samples.ts';
import { summarisePlan } from './summary.ts';

const columns = ['line', 'key', 'outcome', 'contact', 'step', 'field', 'old', 'new'];
const atOnce = 500;

/** Yields a plan as CSV: a line for each value that would change, and one for each row without changes. */
export async function* formatPlanCsv(rows: Iterable<PlannedRow>): AsyncIterable<string> {
  yield* formatCsvList(columns, pages(rows), (cells) => cells);
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
  const row = [formatRowLine(line), key ?? '', outcome, contact === null ? '' : String(contact)];
  if (changes.length === 0) return [[...row, '', '', '', problems.map(({ reason }) => reason).join('; ')]];
  return changes.map(({ step, field, from, to }) => [...row, step, field, text(from), text(to)]);
}

function text(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The flags of `plan` that choose what is shown and where the plan is stored. */
export interface PlanFlags {
  /** The maximum number of rows shown; by default 5, or all that `choice` selects. */
  readonly sample?: number | undefined;
  readonly choice: PlanRowFilter;
  readonly diff: boolean;
  /** The paths to store the plan at, as SQLite and as CSV. */
  readonly out?: string | undefined;
  readonly csv?: string | undefined;
}

const usualSample = 5;

/**
 * Plans an import, shows the plan, and stores it if a path is given; returns the exit code that the import would have.
 */
export async function runPlanCommand(flags: ImportFlags, show: PlanFlags, screen: Screen): Promise<number> {
  const { pipelineFile, source } = flags;
  const rethrow = createErrorRethrower(flags, [
    'plan',
    ...buildCommandWordsForSelection(flags.selection, pipelineFile).slice(1),
  ]);
  const pipeline = await loadImportPipeline(pipelineFile, source).catch(rethrow);
  const caller = createProgressCallbacks(screen);
  try {
    return await withPlan(pipeline, flags, flags, caller, async (made) => {
      caller.done();
      const kept = isWhole(made) ? show : { ...show, out: undefined };
      await keep(made, kept);
      print(made, flags, kept, screen);
      if (kept.out !== show.out)
        screen.note(
          `${show.out} was not written: the import would stop before its end, so there is no whole plan.`,
        );
      return made.plan.exitCode;
    }).catch(rethrow);
  } finally {
    caller.done();
  }
}

/**
 * Returns true if the plan covers every row that an import would process. If the input breaks off, these are the rows
 * before the break.
 */
function isWhole({ plan: { error } }: MadePlan): boolean {
  return error === undefined || error.reason === 'input';
}

/**
 * Stores the plan at the paths of the flags; the SQLite file is moved into place when complete, and readable by its
 * owner only.
 */
async function keep({ plan, summary }: MadePlan, { out, csv }: PlanFlags): Promise<void> {
  if (csv !== undefined)
    await writeFileAtomically(resolve(csv), formatPlanCsv(readPlannedRows(plan.file, {})));
  if (out === undefined) return;
  await storePlanDiff(plan.file, summary);
  makeOwnerOnlyFolder(dirname(resolve(out)));
  const part = `${resolve(out)}.${process.pid}.part`;
  await copyFile(plan.path, part);
  await rename(part, resolve(out));
}

function print({ plan, summary }: MadePlan, flags: ImportFlags, show: PlanFlags, screen: Screen): void {
  const { choice, diff, sample } = show;
  const chosen = choice.line !== undefined || choice.outcome !== undefined;
  const most = sample ?? (chosen ? Number.POSITIVE_INFINITY : usualSample);
  const samples = [];
  if (most > 0)
    for (const row of readPlannedRows(plan.file, choice)) {
      if (chosen || row.changes.length > 0) samples.push(row);
      if (samples.length >= most) break;
    }
  const { colour, columns } = screen;
  const view = { colour, columns, samples, diff, next: [nextStep(flags, show)] };
  screen.result(() => renderPlan(summary, view), { ...summary, samples });
}

function nextStep(
  { pipelineFile, selection, workspace, source, invocation }: ImportFlags,
  { out }: PlanFlags,
): NextStep {
  const words = buildCommandWordsForSelection(selection, pipelineFile);
  const context = { workspace, source };
  if (out === undefined) return { why: 'To import', command: formatCommandLine(words, context, invocation) };
  return {
    why: 'To import exactly this, and nothing that changes until then',
    command: formatCommandLine(['import', pipelineFile, '--plan', out], context, invocation),
  };
}

/** A plan and its summary. */
interface MadePlan {
  readonly plan: Plan;
  readonly summary: PlanSummary;
}

/**
 * Plans an import into the workspace that `site` names, which is only read, and calls `use` with the plan; the plan's
 * files are removed afterwards.
 */
async function withPlan<T>(
  pipeline: LoadedImportPipeline,
  job: ImportRunOptions,
  site: CommandContext,
  caller: CommandCallbacks & { listen(event: RunEvent | ClientEvent): void },
  use: (made: MadePlan) => Promise<T>,
): Promise<T> {
  const { asked } = buildImportRequest(pipeline, job, site);
  const run = { settings: pipeline.import, source: () => findImportSourceWorkspace(pipeline, job, site) };
  const plan = await withWorkspaces<RunEvent, Plan>(run, site, caller, async ({ open }) => {
    const outside: RunEnvironment<RunEvent> = open((event) =>
      caller.listen(event.kind === 'started' ? { ...event, only: 'planned' } : event),
    );
    return await planImport({ ...outside, ...asked }).finally(() => outside.workspace.close(0));
  });
  try {
    return await use({ plan, summary: summarisePlan(plan, pipeline.import.limits) });
  } finally {
    await plan.remove();
  }
}
