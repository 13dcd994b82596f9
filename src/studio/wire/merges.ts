import type * as z from 'zod';
import type { ProposalDecision, ProposedPair } from '../../app/import/report/merge-proposals.ts';
import type { RunListEntry } from '../../app/status/report/run-list.ts';
import type { StudioCommand } from './command.ts';
import { defineChangeRoute, defineGetRoute, definePostQueryRoute } from './route.ts';
import type { mergeDecisionRequestSchema, mergePairPageRequestSchema } from './schemas/merges.ts';
import type { emptyRequestSchema } from './schemas/project.ts';
import type { runRequestSchema } from './schemas/runs.ts';

export type { ProposalDecision, ProposalField } from '../../app/import/report/merge-proposals.ts';

/** A run with proposed merges. */
export interface RunWithMergeProposals extends RunListEntry {
  readonly proposals: number;
}

/** The counts of a run's proposals and decisions. */
export interface MergeReviewProgress {
  readonly proposals: number;
  readonly decided: number;
  readonly approved: number;
  /** The path of the list with the decisions, relative to the project folder. */
  readonly file: string;
  /** The command that applies the approved merges. */
  readonly command: StudioCommand;
}

/** A proposed merge of two contacts with its decision, whose answer is empty while it is open. */
export interface PairWithDecision extends ProposedPair {
  readonly decision: ProposalDecision;
}

export const mergeRoutes = {
  /** Returns the runs with proposed merges, newest first. */
  mergeRuns: defineGetRoute<
    z.output<typeof emptyRequestSchema>,
    { readonly runs: readonly RunWithMergeProposals[] }
  >('/api/merges'),
  mergeProgress: defineGetRoute<z.output<typeof runRequestSchema>, MergeReviewProgress>('/api/merges/:run'),
  mergePairs: definePostQueryRoute<
    z.output<typeof mergePairPageRequestSchema>,
    { readonly pairs: readonly PairWithDecision[] }
  >('/api/merges/:run/pairs'),
  /** Saves a decision in the list, and returns the new progress. */
  decidePair: defineChangeRoute<z.output<typeof mergeDecisionRequestSchema>, MergeReviewProgress>(
    'POST',
    '/api/merges/:run/decision',
  ),
};
