/** A part of a template: literal text, a column whose cell is inserted, or a mention. */
export type TemplatePart =
  | { readonly text: string }
  | { readonly column: string }
  | { readonly mention: 'assignee' };

export type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Parses a template: `{column}` inserts a cell, `{mention: assignee}` mentions the assignee, `{{` writes a `{`; a
 * closing brace on its own is text.
 */
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
      if (end < 0) return mistake('a { is never closed; write {{ for a literal brace');
      const inserted = parseInsertion(template.slice(at + 1, end).trim());
      if ('reason' in inserted) return mistake(inserted.reason);
      if (text !== '') parts.push({ text });
      parts.push(inserted);
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

function parseInsertion(inside: string): TemplatePart | { readonly reason: string } {
  if (inside === '') return { reason: '{} has no column name; write {{ for a literal brace' };
  const mentioned = /^mention\s*:\s*(.*)$/.exec(inside)?.[1];
  if (mentioned === undefined) return { column: inside };
  if (mentioned === 'assignee') return { mention: mentioned };
  return { reason: `only the assignee can be mentioned, as {mention: assignee}, not "${mentioned}"` };
}

function mistake(reason: string): ParsedTemplate {
  return { ok: false, reason };
}

/** Returns the columns that a template inserts, in order; none if it cannot be parsed. */
export function listTemplateColumns(template: string): readonly string[] {
  const parsed = parseTemplate(template);
  return parsed.ok ? parsed.parts.flatMap((part) => ('column' in part ? [part.column] : [])) : [];
}

/** Returns true if a template mentions a user. */
export function hasMention(template: string): boolean {
  const parsed = parseTemplate(template);
  return parsed.ok && parsed.parts.some((part) => 'mention' in part);
}
