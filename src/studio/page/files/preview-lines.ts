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
  const broken = problems
    .filter(({ line }) => line !== null)
    .map(({ line, reason, raw, rowsBefore }) => ({
      rowsBefore,
      shown: { line, at: null, cells: [], problem: reason, raw },
    }));
  const lines = rows.map((row, rowsBefore) => ({ rowsBefore, shown: { ...row, problem: null, raw: null } }));
  // Where as many rows are before a record as before a row, the record is before that row.
  return [...broken, ...lines].toSorted((a, b) => a.rowsBefore - b.rowsBefore).map(({ shown }) => shown);
}
