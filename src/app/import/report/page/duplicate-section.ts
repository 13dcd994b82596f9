import { count } from '../../../../report/figures.ts';
import { figure, html, type Markup } from '../../../../report/page/markup.ts';
import type { Summary } from '../summary.ts';

/** The same person found more than once, in the input and in the workspace. */
export function duplicateSection({ duplicates, rows }: Pick<Summary, 'duplicates' | 'rows'>): Markup {
  const { people, proposals } = duplicates;
  const shown = (key: keyof typeof duplicates, one: string, many: string) =>
    html`${figure(['duplicates', key], count(duplicates[key]))} ${duplicates[key] === 1 ? one : many}`;
  const lines = [
    ...(people > 0
      ? [
          html`In the input: ${shown('rows', 'row describes', 'rows describe')} a person who has another row, too; ${shown('people', 'person', 'people')} in all. They were merged before anything was sent.`,
        ]
      : []),
    ...(proposals > 0
      ? [
          html`In the workspace: ${shown('contacts', 'contact', 'contacts')} may be the same person as another one; ${shown('proposals', 'merge is', 'merges are')} proposed.`,
        ]
      : []),
    ...(rows.merged > 0
      ? [
          html`Merged in the workspace: ${figure(['rows', 'merged'], count(rows.merged))} ${rows.merged === 1 ? 'row' : 'rows'} whose person was two contacts.`,
        ]
      : []),
  ];
  if (lines.length === 0) return html``;
  return html`<section><h3>Duplicates found</h3><ul class="notes">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}
