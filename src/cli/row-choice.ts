import type { RunRecord } from '../journal/index.ts';
import { helpLine } from '../model/command-line.ts';
import { FatalError } from '../model/fatal-error.ts';
import { type Approvals, readApprovals } from '../runs/import/approvals.ts';
import type { ImportJob } from '../wiring/import-run.ts';

/** Which rows of the input an import takes, and what it does of them. */
export type RowChoice = Pick<ImportJob, 'selection' | 'approvals' | 'full'>;

/** The flags of import that say which rows it is about. */
interface ChoiceFlags {
  readonly approve: string | undefined;
  readonly deferred: boolean;
  readonly full: boolean;
  readonly limit: number | undefined;
}

/** Reads what the flags of an import choose; throws a FatalError (usage) where they exclude each other. */
export async function chooseRows(flags: ChoiceFlags): Promise<RowChoice> {
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
      next: helpLine('import'),
    });
  }
  if (approve !== undefined) return approved(await readApprovals(approve));
  return { selection: { kind: deferred ? 'deferred' : 'all' }, full };
}

/** What an unfinished run was about, to go on with it. */
export async function choiceOf({ id, selection }: RunRecord): Promise<RowChoice> {
  if (selection.kind !== 'approve') return { selection, full: false };
  const approvals = await readApprovals(selection.file);
  if (approvals.fingerprint === selection.fingerprint) return approved(approvals);
  throw new FatalError('usage', `the file has changed since run ${id} started.`, {
    place: { file: selection.file },
    next: 'Restore the file; or start a new run with what it approves now: import with --approve.',
  });
}

function approved(approvals: Approvals): RowChoice {
  const { file, fingerprint } = approvals;
  return { selection: { kind: 'approve', file, fingerprint }, approvals, full: false };
}
