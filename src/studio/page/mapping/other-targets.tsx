import { TargetLine } from './target-line.tsx';
import { formatTargetWithKind } from './target-words.ts';
import type { MappingViewState } from './view-state.ts';

/** The targets without a column as their source: those of templates and fixed values. */
export function TargetsWithoutColumn({ sight }: { readonly sight: MappingViewState }) {
  const targets = sight.open.shown.value?.outline?.targets ?? [];
  const others = targets.filter(({ columns }) => !columns.some(({ as }) => as === 'from'));
  if (others.length === 0) return null;
  return (
    <>
      <h3>Texts and fixed values</h3>
      <ul class="others">
        {others.map((target) => (
          <li key={target.path.join('\0')} aria-label={formatTargetWithKind(target)}>
            <TargetLine target={target} sight={sight} />
          </li>
        ))}
      </ul>
    </>
  );
}
