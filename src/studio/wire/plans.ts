import type * as z from 'zod';
import type { StoredPlan } from '../../app/plan/diff.ts';
import type { DiffLine } from '../../app/plan/diff-pages.ts';
import type { GuardLimit } from '../../app/plan/guard.ts';
import type { StepDigest } from '../../app/plan/plan-schema.ts';
import type { PlannedRow } from '../../app/plan/samples.ts';
import type { RehearsalSummary } from '../../app/rehearse/rehearsal-schema.ts';
import type { Command } from './command.ts';
import { getRoute, questionRoute, streamRoute } from './route.ts';
import type { planChoice, planPage, planPipeline, planRow } from './schemas/plans.ts';
import type { processChoice } from './schemas/processes.ts';

export type { DiffSort } from '../../app/plan/diff.ts';
export type { DiffFilter, DiffLine } from '../../app/plan/diff-pages.ts';
export type { PlanSummary } from '../../app/plan/plan-schema.ts';
export type { PlannedRow } from '../../app/plan/samples.ts';
export type { RehearsalSummary } from '../../app/rehearse/rehearsal-schema.ts';

/** A plan that was kept, by whomever. */
export interface PlanLine {
  /** From the project folder. */
  readonly path: string;
  readonly target: string;
  /** ISO 8601, UTC. */
  readonly madeAt: string;
}

/** The plans of a pipeline. */
export interface KeptPlans {
  /** Where the next one is kept, from the project folder. */
  readonly out: string;
  /** Newest first. */
  readonly plans: readonly PlanLine[];
}

/** A kept plan, as it is shown. */
export interface ShownPlan extends StoredPlan {
  /** What the pipeline's guard allows, and what the plan comes to; empty where there is no guard. */
  readonly guard: readonly GuardLimit[];
  /** Imports exactly this. */
  readonly command: Command;
  /** The steps beside the contacts' own fields, in their order, with their words. */
  readonly steps: readonly { readonly label: string; readonly step: StepDigest }[];
}

/** Whether a plan can still be imported. */
export interface PlanState {
  /** Why not; null where it can. */
  readonly outOfDate: string | null;
}

/** Lines of a plan that pass a filter. */
export interface PlanLines {
  readonly lines: readonly DiffLine[];
  /** How many were found so far, of so many that were looked at. */
  readonly found: number;
  readonly looked: number;
  /** Whether these are all. */
  readonly isDone: boolean;
}

export const planRoutes = {
  /** The plans of a pipeline, whenever there are others. */
  watchPlans: streamRoute<z.output<typeof planPipeline>, KeptPlans>('/api/plans', { paths: ['pipeline'] }),
  plan: getRoute<z.output<typeof planChoice>, ShownPlan>('/api/plan', { paths: ['pipeline', 'path'] }),
  /** Reads the input, to compare it with that of the plan. */
  planState: getRoute<z.output<typeof planChoice>, PlanState>('/api/plan/state', {
    paths: ['pipeline', 'path'],
  }),
  /** A page of its diff; it looks on for a moment, and is asked again where it is not done. */
  planLines: questionRoute<z.output<typeof planPage>, PlanLines>('/api/plan/lines', { paths: ['path'] }),
  /** A row with every value that would change. */
  planRow: questionRoute<z.output<typeof planRow>, PlannedRow>('/api/plan/row', { paths: ['path'] }),
  /** What a rehearsal came to; null while it works, and where it could not begin. */
  rehearsal: getRoute<z.output<typeof processChoice>, { readonly found: RehearsalSummary | null }>(
    '/api/processes/:id/rehearsal',
  ),
};
