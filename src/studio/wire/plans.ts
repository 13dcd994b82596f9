import type * as z from 'zod';
import type { StoredPlanSummary } from '../../app/plan/diff.ts';
import type { DiffLine } from '../../app/plan/diff-pages.ts';
import type { GuardLimitResult } from '../../app/plan/guard.ts';
import type { StepCountSummary } from '../../app/plan/plan-schema.ts';
import type { PlannedRow } from '../../app/plan/samples.ts';
import type { RehearsalSummary } from '../../app/rehearse/rehearsal-schema.ts';
import type { ImportCommand } from './command.ts';
import { defineGetRoute, definePostQueryRoute, defineStreamRoute } from './route.ts';
import type {
  pipelinePlansRequestSchema,
  planLinesRequestSchema,
  planRequestSchema,
  planRowRequestSchema,
} from './schemas/plans.ts';
import type { processRequestSchema } from './schemas/processes.ts';

export type { DiffGroup } from '../../app/plan/diff.ts';
export type { DiffFilter, DiffLine } from '../../app/plan/diff-pages.ts';
export type { PlanSummary } from '../../app/plan/plan-schema.ts';
export type { PlannedRow } from '../../app/plan/samples.ts';
export type { RehearsalSummary } from '../../app/rehearse/rehearsal-schema.ts';

/** A stored plan in the list of plans. */
export interface StoredPlanEntry {
  /** Relative to the project folder. */
  readonly path: string;
  readonly target: string;
  /** ISO 8601, UTC. */
  readonly madeAt: string;
}

/** The stored plans of a pipeline, and the path where the page stores a new one. */
export interface StoredPlanList {
  /** The path of a new plan, relative to the project folder. */
  readonly out: string;
  /** Newest first. */
  readonly plans: readonly StoredPlanEntry[];
}

/** A stored plan with its guard limits, its command and its steps. */
export interface PlanDetails extends StoredPlanSummary {
  /** The limits of the pipeline's guard, with the plan's figures; empty without a guard. */
  readonly guard: readonly GuardLimitResult[];
  /** The command that imports this plan. */
  readonly command: ImportCommand;
  /** The steps besides contact fields, in their order, with their labels. */
  readonly steps: readonly { readonly label: string; readonly step: StepCountSummary }[];
}

/** The result of comparing a plan with its pipeline and input. */
export interface PlanValidity {
  /** The reason why the plan cannot be imported any more; null if it can. */
  readonly outOfDate: string | null;
}

/** A page of the plan's diff lines that pass a filter. */
export interface DiffLinesPage {
  readonly lines: readonly DiffLine[];
  /** The number of lines among those searched that pass the filter. */
  readonly found: number;
  /** The number of lines searched until now. */
  readonly looked: number;
  /** True once the whole plan was searched. */
  readonly isDone: boolean;
}

export const planRoutes = {
  /** Streams the plans of a pipeline after each change. */
  watchPlans: defineStreamRoute<z.output<typeof pipelinePlansRequestSchema>, StoredPlanList>('/api/plans', {
    paths: ['pipeline'],
  }),
  plan: defineGetRoute<z.output<typeof planRequestSchema>, PlanDetails>('/api/plan', {
    paths: ['pipeline', 'path'],
  }),
  /** Checks whether an import would still accept the plan; reads the whole input if it is in files. */
  planState: defineGetRoute<z.output<typeof planRequestSchema>, PlanValidity>('/api/plan/state', {
    paths: ['pipeline', 'path'],
  }),
  /**
   * Returns lines of the diff that a search of at most about 300 ms has found; the client repeats the request until it
   * has its lines, or `isDone` is true.
   */
  planLines: definePostQueryRoute<z.output<typeof planLinesRequestSchema>, DiffLinesPage>('/api/plan/lines', {
    paths: ['path'],
  }),
  /** Returns a row with every value that would change. */
  planRow: definePostQueryRoute<z.output<typeof planRowRequestSchema>, PlannedRow>('/api/plan/row', {
    paths: ['path'],
  }),
  /** The result of a rehearsal; null until the command has printed it, and if it ended without one. */
  rehearsal: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: RehearsalSummary | null }
  >('/api/processes/:id/rehearsal'),
};
