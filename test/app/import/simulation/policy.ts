import type { OnConflictPolicy, OnMatchPolicy } from '../../../../src/identity/decide.ts';
import type { DuplicatesPolicy } from '../../../../src/identity/input-index/index.ts';

/** What the pipeline and the mapping of a history say, where there is a choice. */
export interface SimulatedPolicy {
  readonly onMatch: OnMatchPolicy;
  readonly onConflict: OnConflictPolicy;
  readonly duplicates: DuplicatesPolicy;
  readonly lookup: 'single' | 'snapshot';
  /** Whether the list is believed of who is not there; only where there is one. */
  readonly exclusive: boolean;
  /** Whether people who were there already get comments and conversations, too. */
  readonly existing: boolean;
  /** Whether lifecycle, assignee and conversation are held back, for a run of their own. */
  readonly hold: boolean;
}

export const plainPolicy: SimulatedPolicy = {
  onMatch: 'update',
  onConflict: 'review',
  duplicates: 'merge',
  lookup: 'single',
  exclusive: false,
  existing: false,
  hold: false,
};

export const heldSteps = ['lifecycle', 'assignee', 'conversation'] as const;

/** A phone of more people of the input says nobody's identity. */
export const switchboard = 3;
