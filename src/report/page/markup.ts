import { count } from '../figures.ts';

/** A chunk of a page that is safe to put into another one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Markup | readonly Markup[] | undefined;

/** Puts values into a page: text is escaped, for an element's content and for a quoted attribute alike; markup is not. */
export function html(chunks: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = chunks[0] ?? '';
  parts.forEach((part, index) => {
    text += render(part) + (chunks[index + 1] ?? '');
  });
  return new Markup(text);
}

function render(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escaped(part);
  if (part instanceof Markup) return part.text;
  return part.map((chunk) => chunk.text).join('');
}

/** How a figure is spelled. */
export type Spelling =
  | 'text'
  | 'count'
  | 'percent'
  | 'duration'
  | 'milliseconds'
  | 'rate'
  | 'time'
  | 'together';

/**
 * A figure of the summary as the page shows it, with where it stands there: the tests read it back and compare. `of` is
 * what a share is a share of.
 */
export function figure(
  path: readonly (string | number)[],
  text: string,
  spelling: Spelling = 'count',
  of?: readonly string[],
): Markup {
  const whole = of === undefined ? undefined : html` data-of="${pointer(of)}"`;
  return html`<span data-figure="${pointer(path)}" data-as="${spelling}"${whole}>${text}</span>`;
}

/** A JSON Pointer (RFC 6901). */
function pointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A table that may be wider than a phone, and then scrolls by itself, also by the keyboard. */
export function wideTable(label: string, head: readonly HeadCell[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table class="figures">
<thead><tr>${head.map((cell) => (typeof cell === 'string' ? html`<th scope="col">${cell}</th>` : html`<th scope="col" class="n">${cell.n}</th>`))}</tr></thead>
<tbody>${rows}</tbody>
</table></div>`;
}

/** A heading of text, or of figures. */
type HeadCell = string | { readonly n: string | Markup };

/** The cell of a count; none is a dash. */
export function countCell(path: readonly (string | number)[], n: number): Markup {
  return n === 0 ? html`<td class="n none">–</td>` : html`<td class="n">${figure(path, count(n))}</td>`;
}

/** A method and a path template. */
export function operationCell(operation: string, more?: Markup): Markup {
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

/** The text as an element's content or a quoted attribute spells it. */
export function escaped(text: string): string {
  // Direction marks of a cell must not turn the page around it.
  return text
    .replace(/[&<>"']/g, (character) => entities[character] ?? '')
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
