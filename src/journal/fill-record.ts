import { numberColumn, textColumn } from '../storage/columns.ts';
import { select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { RunRecord } from './run.ts';

/**
 * Whether a contact had a value for each field of the run, before and after its row was applied; in the order of the
 * run's `fields`.
 */
export interface FilledFieldFlags {
  readonly before: readonly boolean[];
  readonly after: readonly boolean[];
}

/** The number of fields in one stored character, at two bits for each field: this keeps a million rows small. */
const perCharacter = 3;
const firstCharacter = 48;

/** Returns the text that stores which fields were filled. */
export function encodeFilledFieldFlags({ before, after }: FilledFieldFlags): string {
  const codes: number[] = [];
  for (let field = 0; field < after.length; field += 1) {
    const bits = (before[field] === true ? 1 : 0) + (after[field] === true ? 2 : 0);
    const at = Math.floor(field / perCharacter);
    codes[at] = (codes[at] ?? firstCharacter) + bits * 4 ** (field % perCharacter);
  }
  return String.fromCharCode(...codes);
}

/** How many contacts had a value for each of the run's fields. */
export interface FilledFieldCounts {
  /** The number of rows whose contact was read. */
  readonly contacts: number;
  /** For each field of the run, how many of these contacts had a value for it. */
  readonly fields: readonly {
    /** The field's path: `email`, `customFields.Plan`. */
    readonly field: string;
    /** Contacts with a value before the row was applied. */
    readonly before: number;
    /** Contacts with a value after it. */
    readonly after: number;
  }[];
}

/**
 * Counts the filled fields of a run's contacts; undefined for a run without stored fields, such as one begun by an
 * older version.
 */
export function countFilledFields(
  file: JournalDatabase,
  run: Pick<RunRecord, 'number' | 'fields'>,
): FilledFieldCounts | undefined {
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
