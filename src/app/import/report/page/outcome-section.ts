import { scaleLinear } from 'd3-scale';
import { formatCount, formatPercent } from '../../../../report/figures.ts';
import { html, type Markup, renderSummaryValue } from '../../../../report/page/markup.ts';
import { listLabelledSteps, listRowStateCounts } from '../../../../report/words.ts';
import type { Summary } from '../summary.ts';

const width = 800;
const height = 26;
const gap = 3;
/** The minimum width of a bar segment, in units of the view box, so that it can be seen. */
const narrowest = 5;

type State = ReturnType<typeof listRowStateCounts>[number];

/** Returns the section about the rows: a bar of all of them, each outcome with its number, and the other steps done. */
export function renderOutcomeSection({ rows, steps }: Pick<Summary, 'rows' | 'steps'>): Markup {
  const states = listRowStateCounts(rows);
  if (states.length === 0)
    return html`<section><h2>What was done</h2><p class="quiet">The input had no rows.</p></section>`;
  const terms = states.map(
    ({ state, n }, index) =>
      html`${index === 0 ? '' : ' + '}${renderSummaryValue(['rows', state], formatCount(n))}`,
  );
  const read = renderSummaryValue(['rows', 'read'], formatCount(rows.read));
  return html`<section>
<h2>What was done</h2>
${stackedBar(states)}
<table class="outcomes">
<thead><tr><th scope="col">rows</th><th scope="col" class="meaning">meaning</th><th scope="col" class="n">number</th><th scope="col" class="n share">share</th></tr></thead>
<tbody>${states.map((state) => outcomeRow(state, rows.read))}</tbody>
<tfoot><tr><th scope="row">read</th><td class="meaning sum">${terms} = ${read} read</td><td class="n">${read}</td><td class="n share">${renderSummaryValue(['rows', 'read'], '100%', 'percent', ['rows', 'read'])}</td></tr></tfoot>
</table>
${also(steps)}
</section>`;
}

function outcomeRow({ state, label, meaning, n }: State, read: number): Markup {
  return html`<tr><th scope="row"><i class="swatch" style="background:var(--${state})"></i>${label}</th><td class="meaning">${meaning}</td><td class="n">${renderSummaryValue(['rows', state], formatCount(n))}</td><td class="n share">${renderSummaryValue(['rows', state], formatPercent(n, read), 'percent', ['rows', 'read'])}</td></tr>`;
}

/** The steps that the table counts as rows. */
const contactSteps: ReadonlySet<string> = new Set(['create', 'update', 'merge']);

function also(steps: Summary['steps']): Markup | undefined {
  const done = listLabelledSteps(steps).filter(({ name, step }) => step.acked > 0 && !contactSteps.has(name));
  if (done.length === 0) return undefined;
  const parts = done.map(
    ({ name, label, step }) =>
      html`<li>${label} <b>${renderSummaryValue(['steps', name, 'acked'], formatCount(step.acked))}</b></li>`,
  );
  return html`<ul class="also" aria-label="Also">${parts}</ul>`;
}

function stackedBar(states: readonly State[]): Markup {
  const room = width - gap * (states.length - 1) - narrowest * states.length;
  const all = states.reduce((sum, { n }) => sum + n, 0);
  const scale = scaleLinear([0, all], [0, room]);
  let x = 0;
  const segments = states.map(({ state, label, n }) => {
    const w = narrowest + scale(n);
    const segment = html`<rect x="${round(x)}" width="${round(w)}" height="${height}" rx="3" fill="var(--${state})"><title>${label}: ${formatCount(n)}</title></rect>`;
    x += w + gap;
    return segment;
  });
  const label = states.map((state) => `${formatCount(state.n)} ${state.label}`).join(', ');
  return html`<svg class="stack" viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${segments}</svg>`;
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
