import {
  compileMapping,
  compileTagFinalizer,
  findFirstColumnOfRule,
  type LoadedMapping,
} from '../../mapping/index.ts';
import type { Draft } from '../../model/draft.ts';
import { isNoteOnly, type Problem } from '../../model/problem.ts';
import type { Row, SourceItem } from '../../model/row.ts';
import { planCreate } from '../../steps/create-contact.ts';
import { withFirstNameColumn } from '../../steps/first-name.ts';

/** The result of a row by the mapping alone, without the other rows of the input and without the workspace. */
export type RowVerdict =
  | { readonly kind: 'filtered' }
  | { readonly kind: 'rejected'; readonly problems: readonly Problem[] }
  | {
      readonly kind: 'passes';
      readonly draft: Draft;
      /** The problems for which an import rejects the row if the person is new. */
      readonly ifNew: readonly Problem[];
    };

/** The effects of a problem: it rejects the row, rejects it if the person is new, or drops a value. */
export const problemEffects = ['rejected', 'rejectedIfNew', 'dropped'] as const;

export type ProblemEffect = (typeof problemEffects)[number];

/**
 * Returns a function that evaluates a row as in an import where no other row describes the same person.
 */
export function createRowEvaluator(loaded: LoadedMapping): (item: SourceItem) => RowVerdict {
  const map = compileMapping(loaded);
  const settle = compileTagFinalizer(loaded);
  const column = findFirstColumnOfRule(loaded.mapping.contact.firstName);
  const judge = (row: Row): RowVerdict => {
    const mapped = map(row);
    if (!mapped.ok) return { kind: 'rejected', problems: mapped.problems };
    const settled = settle(mapped.draft);
    if (!settled.ok) return { kind: 'rejected', problems: [settled.problem] };
    const { draft } = settled;
    const created = planCreate(draft, []);
    return { kind: 'passes', draft, ifNew: created.ok ? [] : [withFirstNameColumn(created.problem, column)] };
  };
  return (item) => {
    if (item.kind === 'filtered') return { kind: 'filtered' };
    return item.kind === 'broken' ? { kind: 'rejected', problems: [item.problem] } : judge(item);
  };
}

/** Returns the problems of the values that a draft lost from its row, without mere notes. */
export function listDroppedValueProblems({ dropped }: Draft): readonly Problem[] {
  return dropped.filter((problem) => !isNoteOnly(problem));
}

/** Returns the problems of a verdict with their effects. */
export function listProblemsWithEffects(verdict: RowVerdict): readonly (readonly [ProblemEffect, Problem])[] {
  if (verdict.kind === 'filtered') return [];
  if (verdict.kind === 'rejected') return verdict.problems.map((problem) => ['rejected', problem] as const);
  return [
    ...verdict.ifNew.map((problem) => ['rejectedIfNew', problem] as const),
    ...listDroppedValueProblems(verdict.draft).map((problem) => ['dropped', problem] as const),
  ];
}
