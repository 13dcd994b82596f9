/** A chunk of a page that is safe to put into another one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Markup | readonly Markup[] | undefined;

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
