import * as z from 'zod';
import type { CustomValue } from '../../model/custom-field.ts';
import {
  jsonColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  textColumn,
} from '../../storage/columns.ts';
import { select } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { parseStoredValue } from '../run/written-value.ts';
import type { NormalisationCounter } from './normalised.ts';

/** A contact, value or step that is not `matched`: a line of verification.csv. */
export interface VerificationDifference {
  readonly subject: number;
  readonly contact: number | null;
  readonly person: string | null;
  readonly line: number | null;
  /** The sheet of the line, if several sheets are one input. */
  readonly sheet: string | null;
  readonly key: string | null;
  /** Empty for the contact as a whole. */
  readonly kind: string;
  readonly name: string;
  readonly verdict: string;
  /**
   * The likely cause of a different value: `lost`, `normalised`, `edited` or `merged`; otherwise the reason
   * for the verdict.
   */
  readonly cause: string;
  readonly run: number | null;
  readonly want: CustomValue | undefined;
  readonly found: CustomValue | undefined;
  readonly was: CustomValue | undefined;
  readonly changes: readonly string[];
}

const value = optionalColumn((column) => parseStoredValue(textColumn(column)));
const difference = {
  subject: numberColumn,
  contact: nullableColumn(numberColumn),
  person: nullableColumn(textColumn),
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  kind: textColumn,
  name: textColumn,
  verdict: textColumn,
  cause: textColumn,
  run: nullableColumn(numberColumn),
  want: value,
  found: value,
  was: value,
  changes: jsonColumn(z.array(z.string())),
};

/** The number of differences in a field that have the same verdict and cause. */
export interface FieldVerdictCount {
  readonly kind: string;
  readonly name: string;
  readonly verdict: string;
  readonly cause: string;
  readonly n: number;
}

/**
 * Sets the cause of differences with a confirmed normalisation to `normalised`. Call it after all contacts
 * were compared.
 */
export function markNormalisedDifferences(file: SqliteConnection, normalisation: NormalisationCounter): void {
  const name = file.prepare<[string, number, string, string]>(
    "UPDATE result SET cause = 'normalised', changes = ? WHERE subject = ? AND kind = ? AND name = ?",
  );
  let after: Pick<VerificationDifference, 'subject' | 'kind' | 'name'> | undefined;
  for (;;) {
    const page = readDifferencesPage(file, after, 500);
    after = page.at(-1);
    if (after === undefined) return;
    for (const each of page) {
      if (each.verdict !== 'different' || each.want === undefined || each.cause === 'merged') continue;
      const field = JSON.stringify([each.kind, each.name]);
      const what = normalisation.ofMany(field, each.want, each.changes);
      if (what !== undefined) name.run(JSON.stringify([what]), each.subject, each.kind, each.name);
    }
  }
}

/** Returns up to `limit` differences after a given one, ordered by contact, kind and name. */
export function readDifferencesPage(
  file: SqliteConnection,
  after: Pick<VerificationDifference, 'subject' | 'kind' | 'name'> | undefined,
  limit: number,
): readonly VerificationDifference[] {
  const { subject, kind, name } = after ?? { subject: Number.MIN_SAFE_INTEGER, kind: '', name: '' };
  return select(file, difference)`
    SELECT result.subject, subject.contact, subject.person, subject.line, subject.sheet, subject.key, result.kind, result.name,
      result.verdict, result.cause, result.run, result.want, result.found, result.was, coalesce(result.changes, '[]') AS changes
    FROM result JOIN subject ON subject.number = result.subject
    WHERE (result.subject, result.kind, result.name) > (${subject}, ${kind}, ${name})
    ORDER BY result.subject, result.kind, result.name LIMIT ${limit}`;
}

/** Adds results that need no comparison: deferred steps, effects that cannot be read back, and uncertain comments. */
export function addResultsWithoutComparison(file: SqliteConnection): void {
  file.exec(`
    INSERT INTO result (subject, kind, name, verdict, cause, run)
      SELECT deferred.subject, 'step', deferred.step, 'notYet', 'deferred', subject.run
      FROM deferred JOIN subject ON subject.number = deferred.subject;
    INSERT INTO result (subject, kind, name, verdict, cause, run, want)
      SELECT number, 'step', 'comments', 'cannotVerify', 'unreadable', run, CAST(comments AS TEXT) FROM subject WHERE comments > 0;
    INSERT INTO result (subject, kind, name, verdict, cause, run, want)
      SELECT number, 'step', 'closing', 'cannotVerify', 'unreadable', run, CAST(closings AS TEXT) FROM subject WHERE closings > 0;
    INSERT INTO result (subject, kind, name, verdict, cause, run, want)
      SELECT number, 'comments', '', 'uncertain', 'inFlight', run, CAST(uncertain AS TEXT) FROM subject WHERE uncertain > 0;
  `);
}

/** Counts the differences by field, verdict and cause, the most frequent first. */
export function countVerdictsByField(file: SqliteConnection): readonly FieldVerdictCount[] {
  return select(file, {
    kind: textColumn,
    name: textColumn,
    verdict: textColumn,
    cause: textColumn,
    n: numberColumn,
  })`
    SELECT kind, CASE WHEN kind IN ('tag', 'fileTag') THEN '' ELSE name END AS name, verdict,
      CASE WHEN verdict IN ('unread', 'gone') THEN verdict ELSE cause END AS cause, count(*) AS n
    FROM result GROUP BY 1, 2, 3, 4 ORDER BY n DESC, kind, name`;
}

/** Counts the normalisations that the workspace applies to each field, the most frequent first; at most 100. */
export function countNormalisations(
  file: SqliteConnection,
): readonly { readonly kind: string; readonly name: string; readonly what: string; readonly n: number }[] {
  return select(file, { kind: textColumn, name: textColumn, what: textColumn, n: numberColumn })`
    SELECT kind, name, json_extract(changes, '$[0]') AS what, count(*) AS n FROM result
    WHERE cause = 'normalised' GROUP BY 1, 2, 3 ORDER BY n DESC, kind, name, what LIMIT 100`;
}

/** Counts the comments and closings of the expected contacts, which cannot be read back, and the uncertain comments. */
export function countUnreadableEffects(file: SqliteConnection): {
  readonly comments: number;
  readonly closings: number;
  readonly uncertain: number;
} {
  const [counts] = select(file, {
    comments: numberColumn,
    closings: numberColumn,
    uncertain: numberColumn,
  })`
    SELECT coalesce(sum(comments), 0) AS comments, coalesce(sum(closings), 0) AS closings,
      coalesce(sum(uncertain), 0) AS uncertain FROM subject`;
  return counts ?? { comments: 0, closings: 0, uncertain: 0 };
}
