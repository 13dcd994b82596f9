import type { FileProblem, PreviewRow } from '../../wire/inputs.ts';

/** A line of the preview: a row, or a record that cannot be read as one. */
export interface PreviewLine extends PreviewRow {
  /** The reason why it is not a row; null for a row. */
  readonly problem: string | null;
  /** The text of a record that is not a row; null for a row. */
  readonly raw: string | null;
}

/** Returns rows and unreadable records together, in the order of the file. */
export function mergePreviewLines(
  rows: readonly PreviewRow[],
  problems: readonly FileProblem[],
): readonly PreviewLine[] {
  const lines: PreviewLine[] = rows.map((row) => ({ ...row, problem: null, raw: null }));
  const broken = problems
    .filter(({ line }) => line !== null)
    .map(({ line, reason, raw }) => ({ line, at: null, cells: [], problem: reason, raw }));
  return broken.length === 0
    ? lines
    : [...lines, ...broken].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
}
