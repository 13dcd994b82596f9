import { detailsOf, leftBehindTitle, titleOf, whereOf } from '../../../../model/left-behind.ts';
import { html, type Markup } from '../../../../report/page/markup.ts';
import type { Summary } from '../summary.ts';

/** What the import leaves behind, by kind, with an example, the file that lists all, and what to change. */
export function leftBehindSection({ leftBehind }: Pick<Summary, 'leftBehind'>): Markup {
  if (leftBehind.length === 0) return html``;
  const items = leftBehind.map((item) => {
    const details = detailsOf(item).map((text) => html`<br>${text}`);
    return html`<li class="given"><b>${titleOf(item)}</b>${details}<br>${whereOf(item)}</li>`;
  });
  return html`<section>
<h2>${leftBehindTitle}</h2>
<ul class="notes">${items}</ul>
</section>`;
}
