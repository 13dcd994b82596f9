import type * as z from 'zod';
import { FatalError } from '../model/fatal-error.ts';

/** The value of a JSON text, or its problem, as a clause that quotes none of the text. */
export type JsonResult<T> = { readonly value: T } | { readonly problem: string };

/** Returns the value of a JSON text, or the problem where it is not JSON or does not fit the schema. */
export function validateJson<T>(text: string, schema: z.ZodType<T>): JsonResult<T> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'is not valid JSON' };
    throw error;
  }
  const checked = schema.safeParse(value);
  if (checked.success) return { value: checked.data };
  const [issue] = checked.error.issues;
  const key = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  return { problem: `has unexpected JSON${key} (${issue?.message})` };
}

/** Returns the value of a JSON text; undefined where it is not JSON or does not fit the schema. */
export function tryParseJson<T>(text: string, schema: z.ZodType<T>): T | undefined {
  const result = validateJson(text, schema);
  return 'value' in result ? result.value : undefined;
}

/**
 * Returns the value of a JSON text that comes from `file`; `part` is what messages call the text. Throws a
 * FatalError('input') if the text is not JSON or does not fit the schema; the error names the file, and the key that
 * does not fit.
 */
export function parseJson<T>(
  text: string,
  schema: z.ZodType<T>,
  { file, part = 'the file', next }: { readonly file: string; readonly part?: string; readonly next: string },
): T {
  const result = validateJson(text, schema);
  if ('value' in result) return result.value;
  throw new FatalError('input', `${part} ${result.problem}.`, { place: { file }, next });
}
