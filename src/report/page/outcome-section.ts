import { scaleLinear } from 'd3-scale';
import type { RowCounts } from '../../model/outcome.ts';
import { count, percent } from '../figures.ts';
import { presentStates } from '../words.ts';
import { html, type Markup } from './markup.ts';

const width = 800;
const height = 26;
const gap = 3;
/** So narrow that it can still be seen. */
const narrowest = 5;

type State = ReturnType<typeof presentStates>[number];

/** Rows by outcome: a bar of all of them, each outcome with its count, and the sum. */
export function outcomeSection(rows: RowCounts): Markup {
  const states = presentStates(rows);
  if (states.length === 0)
    return html`<section><h2>Rows</h2><p class="quiet">The input had no rows.</p></section>`;
  const sum = `${states.map(({ n }) => count(n)).join(' + ')} = ${count(rows.read)} read`;
  return html`<section>
<h2>Rows by outcome</h2>
${stackedBar(states)}
<table class="outcomes">
<tbody>${states.map((state) => outcomeRow(state, rows.read))}</tbody>
<tfoot><tr><th scope="row">read</th><td class="meaning">${sum}</td><td class="n">${count(rows.read)}</td><td class="n share">100%</td></tr></tfoot>
</table>
</section>`;
}

function outcomeRow({ state, label, meaning, n }: State, read: number): Markup {
  return html`<tr><th scope="row"><i class="swatch" style="background:var(--${state})"></i>${label}</th><td class="meaning">${meaning}</td><td class="n">${count(n)}</td><td class="n share">${percent(n, read)}</td></tr>`;
}

function stackedBar(states: readonly State[]): Markup {
  const room = width - gap * (states.length - 1) - narrowest * states.length;
  const all = states.reduce((sum, { n }) => sum + n, 0);
  const scale = scaleLinear([0, all], [0, room]);
  let x = 0;
  const segments = states.map(({ state, label, n }) => {
    const w = narrowest + scale(n);
    const segment = html`<rect x="${round(x)}" width="${round(w)}" height="${height}" rx="3" fill="var(--${state})"><title>${label}: ${count(n)}</title></rect>`;
    x += w + gap;
    return segment;
  });
  const label = states.map((state) => `${count(state.n)} ${state.label}`).join(', ');
  return html`<svg class="stack" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${segments}</svg>`;
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
