import { html, type Markup } from '../../../../report/page/markup.ts';
import type { Summary } from '../summary.ts';
import { tableLines } from '../table-uses.ts';

/** What became of the rows of each joined table, and which tables were not read. */
export function tablesSection({ tables }: Pick<Summary, 'tables'>): Markup {
  const lines = tables === undefined ? [] : tableLines(tables);
  if (lines.length === 0) return html``;
  return html`<section>
<h2>Joined tables</h2>
<ul class="notes">${lines.map((line) => html`<li class="given">${line}</li>`)}</ul>
</section>`;
}
