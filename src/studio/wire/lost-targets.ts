import type { RowCountsProgress } from './mapping.ts';

/** Returns the targets of a mapping that have a value in no row, because each of their values is lost. */
export function listLostTargets({
  filled,
  reasons,
}: Pick<RowCountsProgress, 'filled' | 'reasons'>): readonly string[] {
  const lost = reasons.filter(({ effect, target }) => effect === 'dropped' && !filled[target]);
  return [...new Set(lost.map(({ target }) => target))];
}
