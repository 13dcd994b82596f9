import { countCell, html, type Markup, wideTable } from '../../../../report/page/markup.ts';
import { namedSteps } from '../../../../report/words.ts';
import type { StepCounts, Summary } from '../summary.ts';

/** What was done, step by step: how many of each kind the workspace took, and how many it did not. */
export function stepSection({ steps }: Pick<Summary, 'steps'>): Markup {
  const named = namedSteps(steps);
  if (named.length === 0) return html``;
  const head = ['step', { n: 'acknowledged' }, { n: 'uncertain' }, { n: 'refused or failed' }];
  return html`<section>
<h3>Step by step</h3>
${wideTable(
  'Steps',
  head,
  named.map(({ name, label, step }) => stepRow(name, label, step)),
)}
<p class="note">A row of the input takes as many steps as it asks for. Uncertain: sent, and nobody knows yet or ever whether it took effect.</p>
</section>`;
}

function stepRow(name: string, label: string, { acked, uncertain, failed }: StepCounts): Markup {
  const cells = Object.entries({ acked, uncertain, failed }).map(([key, n]) =>
    countCell(['steps', name, key], n),
  );
  return html`<tr><th scope="row">${label}</th>${cells}</tr>`;
}
