import type * as z from 'zod';
import type { FatalError } from '../../model/fatal-error.ts';
import { explain } from './explain.ts';
import { type Mistake, mistakesError } from './mistake.ts';
import { parseYaml } from './parse-yaml.ts';
import type { Path } from './places.ts';
import { decodeText, fingerprintOf, readYamlFile, refused } from './read-text.ts';

/** A YAML file that passed its schema. */
export interface LoadedDocument<T> {
  /** The path it was read from, as given. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly value: T;
  /** A mistake at the key of a path. */
  mistake(path: Path, reason: string): Mistake;
  /** The error (usage) that names the mistakes with their places in this file. */
  refusal(mistakes: readonly Mistake[]): FatalError;
}

/**
 * Loads a YAML file against its schema; throws one FatalError (usage) that names all mistakes of the file with line,
 * column and key. `what` is what people call the file: "mapping", "pipeline".
 */
export async function loadDocument<S extends z.ZodType>(
  file: string,
  schema: S,
  what: string,
): Promise<LoadedDocument<z.output<S>>> {
  const bytes = await readYamlFile(file, what);
  const text = decodeText(bytes, file, what);
  return { ...parseDocument(text, file, schema, what), fingerprint: fingerprintOf(bytes) };
}

/** The same for a text in hand. */
export function parseDocument<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  what: string,
): LoadedDocument<z.output<S>> {
  if (text.trim() === '') throw refused(file, `The ${what} ${file} is empty.`);
  const { mistakes, places, value } = parseYaml(text);
  if (!places) throw mistakesError(file, mistakes);
  const checked = schema.safeParse(value);
  const wrong = checked.success ? [] : explain(checked.error.issues, { schema, value, places });
  const all = [...mistakes, ...wrong.filter((each) => !mistakes.some((other) => isSamePlace(each, other)))];
  if (!checked.success || all.length > 0) throw mistakesError(file, all);
  return {
    file,
    fingerprint: fingerprintOf(text),
    value: checked.data,
    mistake: (path, reason) => ({ ...places.ofKey(path), reason }),
    refusal: (mistakes) => mistakesError(file, mistakes),
  };
}

/** One thing is said of one place: what YAML itself got wrong explains what the schema stumbles over. */
function isSamePlace(one: Mistake, other: Mistake): boolean {
  return one.line === other.line && one.column === other.column;
}
