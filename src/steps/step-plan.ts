import type { Problem } from '../model/problem.ts';

/** What a step of a contact has to do. */
export type StepPlan<E> =
  /** It stands as wanted, or nothing is wanted. */
  | { readonly kind: 'nothing' }
  /** Left out on purpose, and why. */
  | { readonly kind: 'left'; readonly note: Problem }
  | { readonly kind: 'effect'; readonly effect: E };
