import { LineCounter, parseDocument, visit } from 'yaml';

/** A question that a drafted file asks, and where. */
export interface Todo {
  readonly file: string;
  readonly line: number;
  readonly question: string;
}

/** The questions of a drafted file, in its order. */
export function openTodos({ file, text }: { readonly file: string; readonly text: string }): readonly Todo[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const found: Todo[] = [];
  visit(document, {
    Scalar(position, { value, range }) {
      if (position === 'key' || typeof value !== 'string' || !value.startsWith('TODO:')) return;
      found.push({
        file,
        line: lineCounter.linePos(range?.[0] ?? 0).line,
        question: value.replace(/^TODO:\s*/, ''),
      });
    },
  });
  return found;
}
