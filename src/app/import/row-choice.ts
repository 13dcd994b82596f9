import { resolve } from 'node:path';
import type { RunRecord } from '../../journal/index.ts';
import { commandForHelp } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { loadPlanFactsFromPath } from './agreed-plan.ts';
import { type AnswerListDecisions, readAnswerListDecisions } from './approvals.ts';
import type { ImportRunOptions } from './import-run.ts';

/** The rows that an import takes: their selection, the approved merges, and whether unchanged rows are compared too. */
export type RowSelectionOptions = Pick<ImportRunOptions, 'selection' | 'approvals' | 'full'>;

/** The flags of import that select rows. */
interface ChoiceFlags {
  readonly approve: string | undefined;
  readonly deferred: boolean;
  readonly full: boolean;
  readonly limit: number | undefined;
}

/** Returns the rows that the flags of an import select; throws a FatalError (usage) if the flags exclude each other. */
export async function resolveRowSelection(flags: ChoiceFlags): Promise<RowSelectionOptions> {
  const { approve, deferred, full, limit } = flags;
  const chosen = {
    '--approve': approve !== undefined,
    '--deferred': deferred,
    '--full': full,
    '--limit': limit !== undefined && !full,
  };
  const [one, other] = Object.entries(chosen).flatMap(([flag, isTyped]) => (isTyped ? [flag] : []));
  if (one !== undefined && other !== undefined) {
    throw new FatalError('usage', `${one} and ${other} cannot be used together.`, {
      next: commandForHelp('import'),
    });
  }
  if (approve !== undefined) return approved(await readAnswerListDecisions(approve));
  return { selection: { kind: deferred ? 'deferred' : 'all' }, full };
}

/**
 * Returns the rows of a plan, or the first `limit` of them, for the import that applies it. Throws a FatalError (usage)
 * if --approve, --deferred, --full or --fresh is set, too.
 */
export async function readRowSelectionOfPlan(
  path: string,
  flags: ChoiceFlags & { readonly fresh: boolean },
): Promise<Pick<ImportRunOptions, 'selection' | 'approvals' | 'full' | 'fresh' | 'limit' | 'plan'>> {
  const typed = (['approve', 'deferred', 'full', 'fresh'] as const).find((flag) => flags[flag]);
  if (typed !== undefined)
    throw new FatalError(
      'usage',
      `--plan and --${typed} cannot be used together: the plan says which rows.`,
      {
        next: commandForHelp('import'),
      },
    );
  const plan = resolve(path);
  const { selection, full, fresh, limit } = loadPlanFactsFromPath(plan);
  const choice =
    selection.kind === 'approve' ? await unchanged(selection, 'the plan was made') : { selection };
  return { ...choice, plan, full, fresh, limit: smaller(limit ?? undefined, flags.limit) };
}

function smaller(planned: number | undefined, typed: number | undefined): number | undefined {
  return planned === undefined || typed === undefined ? (planned ?? typed) : Math.min(planned, typed);
}

/** Returns the selection of an unfinished run; throws a FatalError (usage) if its file of approvals has changed. */
export async function readRowSelectionOfRun({ id, selection }: RunRecord): Promise<RowSelectionOptions> {
  if (selection.kind !== 'approve') return { selection, full: false };
  return await unchanged(selection, `run ${id} started`);
}

/** Returns the selection by a list of approvals or answers; throws a FatalError (usage) if the file has changed. */
async function unchanged(
  { file, fingerprint }: Extract<RunRecord['selection'], { kind: 'approve' }>,
  since: string,
): Promise<RowSelectionOptions> {
  const approvals = await readAnswerListDecisions(file);
  if (approvals.fingerprint === fingerprint) return approved(approvals);
  throw new FatalError('usage', `the file has changed since ${since}.`, {
    place: { file },
    next: 'Restore the file; or start a new run with what it approves now: import with --approve.',
  });
}

function approved(approvals: AnswerListDecisions): RowSelectionOptions {
  const { file, fingerprint } = approvals;
  return { selection: { kind: 'approve', file, fingerprint }, approvals, full: false };
}
