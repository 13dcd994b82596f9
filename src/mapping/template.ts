/** A template taken apart: text that stands as it is, and columns whose cells are inserted. */
export type TemplatePart = { readonly text: string } | { readonly column: string };

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly reason: string };

/** `{column}` inserts a cell, `{{` writes a brace; a closing brace on its own is text. */
export function parseTemplate(template: string): ParsedTemplate {
  const parts: TemplatePart[] = [];
  let text = '';
  let at = 0;
  while (at < template.length) {
    if (template.startsWith('{{', at)) {
      text += '{';
      at += 2;
    } else if (template[at] === '{') {
      const end = template.indexOf('}', at);
      const column = template.slice(at + 1, end).trim();
      if (end < 0)
        return { ok: false, reason: 'a { is never closed; {{ writes a brace that stands for itself' };
      if (column === '') return { ok: false, reason: '{} names no column; {{ writes a brace' };
      if (text !== '') parts.push({ text });
      parts.push({ column });
      text = '';
      at = end + 1;
    } else {
      text += template[at];
      at += 1;
    }
  }
  if (text !== '') parts.push({ text });
  return { ok: true, parts };
}

/** The columns a template inserts, in order; none for one that cannot be read. */
export function templateColumns(template: string): readonly string[] {
  const parsed = parseTemplate(template);
  return parsed.ok ? parsed.parts.flatMap((part) => ('column' in part ? [part.column] : [])) : [];
}
