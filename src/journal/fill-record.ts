import { numberColumn, textColumn } from '../storage/columns.ts';
import { select } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';
import type { RunRecord } from './run.ts';

/** True for each field of the mapping that a contact had a value for, before and after its row, in the run's field order. */
export interface FieldFill {
  readonly before: readonly boolean[];
  readonly after: readonly boolean[];
}

/** Two bits per field, three fields per character, so that a million rows stay small. */
const perCharacter = 3;
const firstCharacter = 48;

/** Returns the text as which a row stores its field fill. */
export function encodeFieldFill({ before, after }: FieldFill): string {
  const codes: number[] = [];
  for (let field = 0; field < after.length; field += 1) {
    const bits = (before[field] === true ? 1 : 0) + (after[field] === true ? 2 : 0);
    const at = Math.floor(field / perCharacter);
    codes[at] = (codes[at] ?? firstCharacter) + bits * 4 ** (field % perCharacter);
  }
  return String.fromCharCode(...codes);
}

/** How many contacts had a value for each of the run's fields. */
export interface FillCounts {
  /** Rows whose contact was looked at. */
  readonly contacts: number;
  /** Of these, how many had a value before and after. */
  readonly fields: readonly {
    /** As `email`, `customFields.Plan`. */
    readonly field: string;
    /** As it was read. */
    readonly before: number;
    /** As it is now. */
    readonly after: number;
  }[];
}

/** Counts the filled fields of a run's contacts; undefined for a run without stored fields, such as an older version's. */
export function countFieldFill(
  file: JournalFile,
  run: Pick<RunRecord, 'number' | 'fields'>,
): FillCounts | undefined {
  const { fields } = run;
  if (fields === undefined || fields === null) return undefined;
  const found = select(file, { fill: textColumn, n: numberColumn })`
    SELECT fill, count(*) AS n FROM row WHERE run = ${run.number} AND fill IS NOT NULL GROUP BY fill`;
  const counts = fields.map((field) => ({ field, before: 0, after: 0 }));
  for (const { fill, n } of found) {
    for (const [field, count] of counts.entries()) {
      const bits = bitsOf(fill, field);
      if ((bits & 1) !== 0) count.before += n;
      if ((bits & 2) !== 0) count.after += n;
    }
  }
  return { contacts: found.reduce((sum, { n }) => sum + n, 0), fields: counts };
}

function bitsOf(fill: string, field: number): number {
  const code = fill.charCodeAt(Math.floor(field / perCharacter)) - firstCharacter;
  return Math.floor(code / 4 ** (field % perCharacter)) % 4;
}
