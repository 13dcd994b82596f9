import { count, percent } from '../../../../report/figures.ts';
import { figure, html, type Markup } from '../../../../report/page/markup.ts';
import type { Summary } from '../summary.ts';

/** For each field that the mapping writes how many contacts of the run had a value before, and have one after. */
export function fillSection({ fill }: Pick<Summary, 'fill'>): Markup {
  if (fill === undefined || fill.contacts === 0 || fill.fields.length === 0) return html``;
  const { contacts, fields } = fill;
  const whole = ['fill', 'contacts'];
  const share = (index: number, when: 'before' | 'after', n: number) =>
    html`<td class="n">${figure(['fill', 'fields', index, when], percent(n, contacts), 'percent', whole)} <span class="of">${figure(['fill', 'fields', index, when], count(n))}</span></td>`;
  const rows = fields.map(
    ({ field, before, after }, index) =>
      html`<tr><th scope="row" class="given">${field}${bar(before, after, contacts)}</th>${share(index, 'before', before)}${share(index, 'after', after)}</tr>`,
  );
  const one = contacts === 1;
  return html`<section>
<h2>Before and after</h2>
<table class="fills">
<thead><tr><th scope="col">contacts with a value in</th><th scope="col" class="n"><i class="swatch before"></i>before</th><th scope="col" class="n"><i class="swatch after"></i>after</th></tr></thead>
<tbody>${rows}</tbody>
</table>
<p class="note">Of ${figure(whole, count(contacts))} ${one ? 'contact' : 'contacts'} that this run created or looked at. A new contact had nothing before; of two that were merged the older one counts. Rows that were unchanged since an earlier run, rejected or skipped are not among them.</p>
</section>`;
}

const width = 800;
const height = 8;

function bar(before: number, after: number, contacts: number): Markup {
  const length = (n: number) => Math.round((width * n) / contacts);
  const [longer, shorter] = before > after ? (['before', 'after'] as const) : (['after', 'before'] as const);
  const lengths = { before: length(before), after: length(after) };
  return html`<svg class="bar" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true"><rect width="${width}" height="${height}" fill="var(--track)"/><rect width="${lengths[longer]}" height="${height}" class="${longer}"/><rect width="${lengths[shorter]}" height="${height}" class="${shorter}"/></svg>`;
}
