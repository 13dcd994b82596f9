import { scaleLinear } from 'd3-scale';
import { count, counted } from '../figures.ts';
import { consequences, type ProblemDigest, type ProblemExample } from '../problem-digest.ts';
import { html, type Markup } from './markup.ts';

const most = 20;
const examplesShown = 3;
const longest = 280;
const width = 800;
const height = 8;

/** Problems by code, most frequent first, each with the first lines it stands in. */
export function problemSection(problems: readonly ProblemDigest[]): Markup {
  if (problems.length === 0) return html``;
  const shown = problems.slice(0, most);
  const scale = scaleLinear([0, Math.max(...shown.map(({ n }) => n))], [0, width]);
  const rest = problems.slice(most);
  const more = rest.reduce((sum, { n }) => sum + n, 0);
  return html`<section>
<h2>Problems</h2>
<ol class="problems">${shown.map((problem) => item(problem, Math.max(4, Math.round(scale(problem.n)))))}</ol>
${more === 0 ? undefined : html`<p class="quiet">And ${counted(more, 'problem')} under ${counted(rest.length, 'further code')}; see the lists next to this page.</p>`}
</section>`;
}

function item(problem: ProblemDigest, length: number): Markup {
  const { consequence, code, n, examples } = problem;
  const { label, tone } = consequences[consequence];
  const shown = examples.slice(0, examplesShown);
  const rest = n - shown.length;
  const where = tone === 'bad' ? 'rejects.csv' : 'dropped.csv';
  return html`<li>
<div class="problem"><code>${code}</code><span class="tag ${tone}">${label}</span><b class="n">${count(n)}</b></div>
<svg class="bar" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="${height}" fill="var(--track)"/><rect width="${length}" height="${height}" fill="var(--${consequence})"/></svg>
<ul class="examples">${shown.map(example)}${rest > 0 ? html`<li class="quiet">and ${count(rest)} more in ${where}</li>` : html``}</ul>
</li>`;
}

function example({ line, column, reason }: ProblemExample): Markup {
  const text = reason.length > longest ? `${reason.slice(0, longest)}…` : reason;
  return html`<li><span class="line">line ${line}</span>${column === null ? undefined : html`<span class="column">${column}</span>`}<span class="reason">${text}</span></li>`;
}
