import { formatCount, formatPercent } from '../figures.ts';

export interface StackedBarPart {
  /** The name of the colour: a custom property of the style sheet, without its dashes. */
  readonly state: string;
  readonly label: string;
  readonly n: number;
  readonly meaning?: string;
}

/** A stacked bar of the parts of a whole, with a legend as text; empty parts are in neither. */
export function StackedBar({
  label,
  parts,
}: {
  readonly label: string;
  readonly parts: readonly StackedBarPart[];
}) {
  const all = parts.reduce((sum, { n }) => sum + n, 0);
  const shown = parts.filter(({ n }) => n > 0);
  return (
    <>
      <div class="track tall" aria-hidden="true">
        {shown.map(({ state, n }) => (
          <span key={state} style={{ flexGrow: n, background: `var(--${state})` }} />
        ))}
      </div>
      <ul class="legend" aria-label={label}>
        {shown.map(({ state, label: name, n, meaning }) => (
          <li key={state} title={meaning} style={{ '--colour': `var(--${state})` }}>
            <b>{formatCount(n)}</b> {name} <span class="note">{formatPercent(n, all)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
