import { formatCount } from '../figures.ts';

/** A chunk of HTML that is inserted into a page without escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A value that the `html` tag inserts: text is escaped, markup is not. */
export type MarkupPart = string | number | Markup | readonly Markup[] | undefined;

/**
 * Returns HTML with the values inserted: text is escaped for element content and for quoted attributes; markup is not.
 */
export function html(chunks: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let text = chunks[0] ?? '';
  parts.forEach((part, index) => {
    text += render(part) + (chunks[index + 1] ?? '');
  });
  return new Markup(text);
}

function render(part: MarkupPart): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Markup) return part.text;
  return part.map((chunk) => chunk.text).join('');
}

/** The format in which a value of the summary is shown. */
export type SummaryValueFormat =
  | 'text'
  | 'line'
  | 'count'
  | 'percent'
  | 'duration'
  | 'milliseconds'
  | 'rate'
  | 'time'
  | 'together';

/**
 * Returns the markup of a value of the summary. Its path in the summary is an attribute, so that tests can compare the
 * page with the summary; `of` is the path of the total that a percentage refers to.
 */
export function renderSummaryValue(
  path: readonly (string | number)[],
  text: string,
  spelling: SummaryValueFormat = 'count',
  of?: readonly string[],
): Markup {
  const whole = of === undefined ? undefined : html` data-of="${pointer(of)}"`;
  return html`<span data-figure="${pointer(path)}" data-as="${spelling}"${whole}>${text}</span>`;
}

/** Returns a path as a JSON Pointer (RFC 6901). */
function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns a table that can be scrolled sideways, by keyboard too, if it is wider than the screen. */
export function renderScrollableTable(
  label: string,
  head: readonly HeadCell[],
  rows: readonly Markup[],
): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="figures">
<thead><tr>${head.map((cell) => (typeof cell === 'string' ? html`<th scope="col">${cell}</th>` : html`<th scope="col" class="n">${cell.n}</th>`))}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** A column heading; `n` is the heading of a column of numbers. */
type HeadCell = string | { readonly n: string | Markup };

/** Returns the table cell of a count; 0 is a dash. */
export function renderCountCell(path: readonly (string | number)[], n: number): Markup {
  return n === 0
    ? html`<td class="n none">–</td>`
    : html`<td class="n">${renderSummaryValue(path, formatCount(n))}</td>`;
}

/** Returns the row heading of an operation: its method and path template, and `more` below. */
export function renderOperationCell(operation: string, more?: Markup): Markup {
  const [method = '', ...path] = operation.split(' ');
  return html`<th scope="row"><span class="method">${method}</span> <code>${path.join(' ')}</code>${more}</th>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Returns a text escaped for element content and for a quoted attribute. */
export function escapeHtml(text: string): string {
  // Bidirectional control characters of a cell must not reorder the page around it.
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
