import type { Pool, PoolClient } from 'pg';
import * as z from 'zod';
import { FatalError } from '../../model/fatal-error.ts';

/**
 * Returns the rows of a query, parsed with a schema; throws a FatalError (unexpected) that names the first invalid row.
 */
export async function selectRows<Row>(
  db: Pick<Pool | PoolClient, 'query'>,
  row: z.ZodType<Row>,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await db.query<Record<string, unknown>>(text, [...values]);
  return parseRows(row, text, rows);
}

/** Parses rows that the query `text` returned; throws a FatalError (unexpected) that names the first invalid row. */
export function parseRows<Row>(row: z.ZodType<Row>, text: string, rows: readonly unknown[]): readonly Row[] {
  const { success, data, error } = z.array(row).safeParse(rows);
  if (success) return data;
  const [issue] = error.issues;
  const [index = 0, ...path] = issue?.path ?? [];
  const table = /\blongshore\w*\.\w+/.exec(text)?.[0] ?? 'the database';
  throw new FatalError(
    'unexpected',
    `row ${Number(index) + 1} of ${table} is not what this Longshore writes: ${issue?.message ?? 'it cannot be read'}`,
    {
      place: { key: path.map(String).join('.') },
      next: 'Use the same Longshore on every machine; if they are the same, restore the database from a backup.',
      cause: error,
    },
  );
}

/** The schema of a row whose only column is `name`. */
export const nameRowSchema = z.object({ name: z.string() });

/** The schema of a bytea column. */
export const bytesColumnSchema = z.instanceof(Buffer);

/** The schema of a row with one encrypted part of a larger file. */
export const sealedPartRowSchema = z.object({ part: z.int(), bytes: bytesColumnSchema });
