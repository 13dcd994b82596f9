import { type Command, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { ShareOrRowCount } from '../import/budget.ts';
import type { PlanSummary } from './plan-schema.ts';

const guarded = ['creates', 'updates', 'merges', 'clears'] as const;

type Guarded = (typeof guarded)[number];

/** The limits on what an import may change, as its pipeline states them; undefined ones are not checked. */
export type PlanGuard = { readonly [K in Guarded]?: ShareOrRowCount | undefined };

const words: Readonly<Record<Guarded, string>> = {
  creates: 'contacts created',
  updates: 'contacts updated',
  merges: 'contacts merged',
  clears: 'values emptied',
};

/** One limit of a guard, compared with a plan. */
export interface GuardLimitResult {
  readonly name: Guarded;
  /** What the limit counts, in words: `contacts created`. */
  readonly what: string;
  readonly planned: number;
  /** `100`, or `30% of 1,000 rows`. */
  readonly allowed: string;
  readonly isOver: boolean;
}

/** Compares a plan with each limit that a guard sets; shares are of the planned rows. */
export function compareWithGuard(
  guard: PlanGuard,
  { rows, fields }: Pick<PlanSummary, 'rows' | 'fields'>,
): readonly GuardLimitResult[] {
  const read = Object.values(rows).reduce((sum, n) => sum + n, 0);
  const planned: Readonly<Record<Guarded, number>> = {
    creates: rows.created,
    updates: rows.updated,
    merges: rows.merged,
    clears: fields.reduce((sum, { cleared }) => sum + cleared, 0),
  };
  return guarded.flatMap((name) => {
    const most = guard[name];
    if (most === undefined) return [];
    const n = planned[name];
    const isOver = 'rows' in most ? n > most.rows : n > most.share * read;
    const allowed = 'rows' in most ? count(most.rows) : `${most.share * 100}% of ${count(read)} rows`;
    return [{ name, what: words[name], planned: n, allowed, isOver }];
  });
}

/** Returns a phrase for each limit of the guard that a plan exceeds. */
export function formatExceededLimits(
  guard: PlanGuard,
  summary: Pick<PlanSummary, 'rows' | 'fields'>,
): readonly string[] {
  return compareWithGuard(guard, summary)
    .filter(({ isOver }) => isOver)
    .map(
      ({ name, what, planned, allowed }) => `${count(planned)} ${what}, and guard.${name} allows ${allowed}`,
    );
}

/** Throws a FatalError('guard') if a plan changes more than the guard allows; `place` is the pipeline file. */
export function assertWithinGuard(
  guard: PlanGuard,
  summary: Pick<PlanSummary, 'rows' | 'fields'>,
  place: string,
  commands: { readonly plan: Command; readonly anyway: Command },
): void {
  const over = formatExceededLimits(guard, summary);
  if (over.length === 0) return;
  throw new FatalError('guard', `The import would change too much: ${over.join('; ')}. Nothing was sent.`, {
    place: { file: place, key: 'import.guard' },
    next: hint`To see what it would do: ${commands.plan}\nTo import anyway: ${commands.anyway}`,
  });
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
