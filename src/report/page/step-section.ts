import { count } from '../figures.ts';
import { namedSteps } from '../step-words.ts';
import type { StepCounts, Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';

/** What was done, step by step: how many of each kind the workspace took, and how many it did not. */
export function stepSection({ steps }: Pick<Summary, 'steps'>): Markup {
  const named = namedSteps(steps);
  if (named.length === 0) return html``;
  return html`<section>
<h2>What was done, step by step</h2>
<div class="scroll"><table class="figures">
<thead><tr><th scope="col">step</th><th scope="col" class="n">acknowledged</th><th scope="col" class="n">uncertain</th><th scope="col" class="n">refused or failed</th></tr></thead>
<tbody>${named.map(({ label, step }) => stepRow(label, step))}</tbody>
</table></div>
<p class="note">A row of the input takes as many steps as it asks for. Uncertain: sent, and nobody knows yet or ever whether it took effect.</p>
</section>`;
}

function stepRow(label: string, { acked, uncertain, failed }: StepCounts): Markup {
  return html`<tr><th scope="row">${label}</th>${[acked, uncertain, failed].map(figure)}</tr>`;
}

function figure(n: number): Markup {
  return html`<td class="n${n === 0 ? ' none' : ''}">${n === 0 ? '–' : count(n)}</td>`;
}
