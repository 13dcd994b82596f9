import { scaleLinear } from 'd3-scale';
import { formatRowLine, type RowPlace } from '../../../../model/row-place.ts';
import { formatCount } from '../../../../report/figures.ts';
import { runFileNames } from '../../../../report/file-names.ts';
import { html, type Markup, renderSummaryValue } from '../../../../report/page/markup.ts';
import { consequenceLabels } from '../problem-digest.ts';
import type { SummaryProblem } from '../summary.ts';

const most = 20;
const examplesShown = 3;
const longest = 280;
const width = 800;
const height = 8;

/** An example of a problem, as the page shows it: place, column, reason and cell. */
export interface ProblemExampleWithCell extends RowPlace {
  readonly column: string | null;
  readonly reason: string;
  /** The cell in that column; null where it is empty or not in the journal, or the reason repeats it. */
  readonly cell: string | null;
}

/** A problem with examples of it. */
export interface ProblemWithExamples extends Omit<SummaryProblem, 'lines'> {
  readonly examples: readonly ProblemExampleWithCell[];
}

/**
 * Returns the section with the first 20 of the problems, each with up to three examples; empty where there are none.
 */
export function renderProblemSection(problems: readonly ProblemWithExamples[]): Markup {
  if (problems.length === 0) return html``;
  const shown = problems.slice(0, most);
  const scale = scaleLinear([0, Math.max(...shown.map(({ n }) => n))], [0, width]);
  const hidden = problems.length - shown.length;
  return html`<section>
<h3>Problems</h3>
<p class="quiet">What cost a row comes first, then what cost a value; the most frequent first.</p>
<ol class="problems">${shown.map((problem, index) => item(problem, index, Math.max(4, Math.round(scale(problem.n)))))}</ol>
${hidden === 0 ? undefined : html`<p class="quiet">The most severe and frequent of ${renderSummaryValue(['problems', 'length'], formatCount(problems.length))} codes; the others are in ${runFileNames.rejects} and ${runFileNames.dropped}, next to this page.</p>`}
</section>`;
}

function item(
  { consequence, code, n, examples }: ProblemWithExamples,
  index: number,
  length: number,
): Markup {
  const { label, tone } = consequenceLabels[consequence];
  const shown = examples.slice(0, examplesShown);
  const where = tone === 'bad' ? runFileNames.rejects : runFileNames.dropped;
  const more =
    n > shown.length ? html`<li class="quiet">and more in <a href="${where}">${where}</a></li>` : undefined;
  return html`<li>
<div class="problem"><code>${code}</code><span class="tag ${tone}">${label}</span><b class="n">${renderSummaryValue(['problems', index, 'n'], formatCount(n))}</b></div>
<svg class="bar" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="${height}" fill="var(--track)"/><rect width="${length}" height="${height}" fill="var(--${consequence})"/></svg>
<ul class="examples">${shown.map((example, n) => exampleLine(example, ['problems', index, 'lines', n]))}${more}</ul>
</li>`;
}

function exampleLine(
  { line, sheet, column, reason, cell }: ProblemExampleWithCell,
  path: readonly (string | number)[],
): Markup {
  const number = renderSummaryValue(path, formatRowLine(line), 'line');
  const place = sheet ? html`row ${number} of the sheet ${sheet}` : html`line ${number}`;
  return html`<li><span class="line">${place}</span>${column === null ? undefined : html`<span class="column given">${column}</span>`}<span class="reason given">${cut(reason)}${cell === null ? undefined : html` <q>${cut(cell)}</q>`}</span></li>`;
}

function cut(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
