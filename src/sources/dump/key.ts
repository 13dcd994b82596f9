import type { ListedRow } from '../../model/row.ts';

/** What rows are joined by: the texts of their key's cells, without blanks around; null where one is empty, which joins nothing. */
export function keyOf(row: Pick<ListedRow, 'cell'>, columns: readonly string[]): string | null {
  const texts: string[] = [];
  for (const column of columns) {
    const text = row.cell(column)?.trim() ?? '';
    if (text === '') return null;
    texts.push(text);
  }
  const [only, ...others] = texts;
  return only !== undefined && others.length === 0 ? only : JSON.stringify(texts);
}
