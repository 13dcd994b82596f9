import type * as z from 'zod';
import type { ProposalDecision, ProposedPair } from '../../app/import/report/merge-proposals.ts';
import type { StudioCommand } from './command.ts';
import { changeRoute, getRoute, questionRoute } from './route.ts';
import type { mergeDecisionRequest, mergePairsRequest } from './schemas/merges.ts';
import type { emptyRequest } from './schemas/project.ts';
import type { runRequest } from './schemas/runs.ts';

export type { ProposalDecision, ProposalField } from '../../app/import/report/merge-proposals.ts';

/** A run with proposed merges. */
export interface MergeRun {
  readonly run: string;
  readonly pipeline: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly proposals: number;
}

/** The counts of a run's proposals and decisions. */
export interface MergeProgress {
  readonly proposals: number;
  readonly decided: number;
  readonly approved: number;
  /** The path of the list with the decisions, from the project folder. */
  readonly file: string;
  /** The command that applies the approved merges. */
  readonly command: StudioCommand;
}

/** A proposed merge of two contacts, with the decision about it, which may be open. */
export interface DecidedPair extends ProposedPair {
  readonly decision: ProposalDecision;
}

export const mergeRoutes = {
  /** Newest first. */
  mergeRuns: getRoute<z.output<typeof emptyRequest>, { readonly runs: readonly MergeRun[] }>('/api/merges'),
  mergeProgress: getRoute<z.output<typeof runRequest>, MergeProgress>('/api/merges/:run'),
  mergePairs: questionRoute<z.output<typeof mergePairsRequest>, { readonly pairs: readonly DecidedPair[] }>(
    '/api/merges/:run/pairs',
  ),
  /** Saves a decision in the list, and returns the new progress. */
  decidePair: changeRoute<z.output<typeof mergeDecisionRequest>, MergeProgress>(
    'POST',
    '/api/merges/:run/decision',
  ),
};
