import { escapeControls } from '../model/escape-controls.ts';

/** A table's cells as lines of text, in columns that are as wide as they need be. */
export function alignedLines(
  table: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] {
  // Escaped before they are measured: what is shown in place of a control takes room.
  const rows = table.map((row) => row.map((cell) => escapeControls(cell)));
  const widths = new Map<number, number>();
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths.set(index, Math.max(widths.get(index) ?? 0, cell.length));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths.get(index) ?? 0;
        return rightAligned.includes(index) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
