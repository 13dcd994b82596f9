/** The position of a row in its input. */
export interface RowPlace {
  /** The line where it begins, 1 being the first of the file or of the sheet. */
  readonly line: number;
  /** The row's sheet, where several sheets are one input; otherwise absent or null. */
  readonly sheet?: string | null | undefined;
}

/** The position of a row as JSON output shows it: without the property `sheet` if there is no sheet. */
export interface NormalisedRowPlace extends RowPlace {
  /** Its sheet, where several sheets are one input. */
  readonly sheet?: string;
}

/**
 * Returns the line and the sheet of an object that has them, without its other properties and without an empty sheet.
 */
export function normaliseRowPlace({ line, sheet }: RowPlace): NormalisedRowPlace {
  return sheet ? { line, sheet } : { line };
}

/** Returns the position of a row for a sentence: `line 12`, or `row 12 of the sheet Nord`. */
export function formatRowPlace({ line, sheet }: RowPlace): string {
  return !sheet ? `line ${line}` : `row ${line} of the sheet ${sheet}`;
}

/**
 * Returns the positions of several rows: `lines 12, 14`, or `rows 12, 14 of the sheet Nord, row 3 of the sheet Süd`.
 */
export function formatRowPlaces(places: readonly RowPlace[]): string {
  const bySheet = new Map<string, number[]>();
  for (const { line, sheet } of places) {
    const name = sheet ?? '';
    bySheet.set(name, [...(bySheet.get(name) ?? []), line]);
  }
  return [...bySheet]
    .map(([sheet, lines]) => {
      const [line = 0, ...more] = lines;
      if (more.length === 0) return formatRowPlace({ line, sheet });
      return sheet === '' ? `lines ${lines.join(', ')}` : `rows ${lines.join(', ')} of the sheet ${sheet}`;
    })
    .join(', ');
}
