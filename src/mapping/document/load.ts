import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type * as z from 'zod';
import type { Hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { describeSpecialFile, readRegularFile } from '../../storage/regular-file.ts';
import { toYamlMistakes } from './explain.ts';
import { createMistakesError, type MistakeReporter, type YamlMistake } from './mistake.ts';
import { type ParsedYaml, parseYaml } from './parse-yaml.ts';
import type { IssuePath } from './places.ts';
import { maxYamlLength } from './yaml-text.ts';

/**
 * Replaces the placeholders in the parsed content of a file before its schema checks it, and notes a mistake for each
 * one that cannot be filled in. `what` is the user's word for the file.
 */
export type YamlValueFiller = (what: string, value: unknown, note: MistakeReporter) => unknown;

/** The bytes of a YAML file, or its text, and the result of parsing it. */
interface ReadYaml {
  readonly bytes: Uint8Array | string;
  readonly parsed: ParsedYaml;
}

/** Reads a YAML file; throws a FatalError (usage) where it cannot be read. */
export type YamlReader = (file: string, what: string, ifMissing?: Hint) => Promise<ReadYaml>;

/** The functions that read YAML files and fill in their placeholders. */
export interface YamlLoadFunctions {
  readonly fill: YamlValueFiller;
  readonly read: YamlReader;
}

/** Returns a reader that reads and parses each file once, and returns the same result when asked again. */
export function createCachingYamlReader(): YamlReader {
  const seen = new Map<string, Promise<ReadYaml>>();
  return (file, what, ifMissing) => {
    const read = seen.get(file) ?? readYaml(file, what, ifMissing);
    seen.set(file, read);
    return read;
  };
}

async function readYaml(file: string, what: string, ifMissing?: Hint): Promise<ReadYaml> {
  const bytes = await readYamlFile(file, what, ifMissing);
  return { bytes, parsed: parsedText(decodeText(bytes, file, what), file, what) };
}

function parsedText(text: string, file: string, what: string): ParsedYaml {
  if (text.trim() === '') throw refused(file, `The ${what} ${file} is empty.`);
  return parseYaml(text);
}

/**
 * Returns the SHA-256 of a file's bytes and, if placeholders may be filled in, of its content after that; hexadecimal.
 */
function fingerprintOf(bytes: Uint8Array | string, filled: readonly unknown[]): string {
  const hash = createHash('sha256').update(bytes);
  for (const value of filled) hash.update(JSON.stringify(value));
  return hash.digest('hex');
}

/** Returns the bytes as strict UTF-8 text, without a byte order mark; throws a FatalError (usage) for other bytes. */
function decodeText(bytes: Uint8Array, file: string, what: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refused(file, `The ${what} ${file} is not UTF-8 text; save it as UTF-8.`, cause);
  }
}

/** Returns the bytes of a YAML file; throws a FatalError (usage) with the reason if it cannot be read. */
async function readYamlFile(file: string, what: string, ifMissing?: Hint): Promise<Uint8Array> {
  try {
    const facts = await stat(file);
    const kind = describeSpecialFile(facts);
    if (kind !== undefined) throw refused(file, `${file} is ${kind}; the ${what} must be a YAML file.`);
    if (facts.size > maxYamlLength) {
      throw refused(file, `The ${what} ${file} has ${facts.size} bytes; at most ${maxYamlLength} are read.`);
    }
    return await readRegularFile(file, maxYamlLength);
  } catch (cause) {
    if (cause instanceof FatalError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      const meant = formatDidYouMeanPath(file);
      const missing = refused(file, `There is no ${what} at ${file}${meant || '.'}`, cause);
      throw ifMissing === undefined ? missing : missing.with({ next: ifMissing });
    }
    throw refused(file, `The ${what} ${file} cannot be read (${String(code ?? cause)}).`, cause);
  }
}

function refused(file: string, message: string, cause?: unknown): FatalError {
  return new FatalError('usage', message, { place: { file }, cause });
}

/** Returns the text of a YAML file; throws a FatalError (usage) with the reason if it cannot be read. */
export async function readYamlText(file: string, what: string): Promise<string> {
  return decodeText(await readYamlFile(file, what), file, what);
}

/** A YAML file that passed its schema. */
export interface LoadedYaml<T> {
  /** The path of the file as the caller passed it; for a parsed text, its name in errors. */
  readonly file: string;
  /** SHA-256 of its bytes and, if placeholders may be filled in, of its content after that; hexadecimal. */
  readonly fingerprint: string;
  readonly value: T;
  /** Returns a mistake with the place of the key at a path. */
  mistake(path: IssuePath, reason: string): YamlMistake;
  /** Returns the error (usage) that names the mistakes with their places in this file. */
  refusal(mistakes: readonly YamlMistake[]): FatalError;
}

/**
 * Loads a YAML file and checks it against its schema; throws one FatalError (usage) that names all mistakes of the file
 * with line, column and key. `what` is the user's word for the file: "mapping", "pipeline"; `ifMissing` is the hint on
 * what to type if there is no file.
 */
export async function loadYamlWithSchema<S extends z.ZodType>(
  file: string,
  schema: S,
  what: string,
  { ifMissing, filled }: { readonly ifMissing?: Hint; readonly filled?: YamlLoadFunctions | undefined } = {},
): Promise<LoadedYaml<z.output<S>>> {
  const read = filled?.read ?? readYaml;
  return checkedDocument(await read(file, what, ifMissing), file, schema, what, filled?.fill);
}

/** Parses a text and checks it against its schema, as `loadYamlWithSchema` does a file; errors name it `file`. */
export function parseYamlWithSchema<S extends z.ZodType>(
  text: string,
  file: string,
  schema: S,
  what: string,
): LoadedYaml<z.output<S>> {
  return checkedDocument({ bytes: text, parsed: parsedText(text, file, what) }, file, schema, what);
}

function checkedDocument<S extends z.ZodType>(
  { bytes, parsed: { mistakes: unreadable, places, value: written } }: ReadYaml,
  file: string,
  schema: S,
  what: string,
  fill?: YamlValueFiller,
): LoadedYaml<z.output<S>> {
  if (!places) throw createMistakesError(file, unreadable);
  const mistakes = [...unreadable];
  const note: MistakeReporter = (path, reason) => mistakes.push({ ...places.ofValue(path), reason });
  const value = fill === undefined ? written : fill(what, written, note);
  const checked = schema.safeParse(value);
  const wrong = checked.success ? [] : toYamlMistakes(checked.error.issues, { schema, value, places });
  const all = [...mistakes, ...wrong.filter((each) => !mistakes.some((other) => isSamePlace(each, other)))];
  if (!checked.success || all.length > 0) throw createMistakesError(file, all);
  return {
    file,
    fingerprint: fingerprintOf(bytes, fill === undefined ? [] : [value]),
    value: checked.data,
    mistake: (path, reason) => ({ ...places.ofKey(path), reason }),
    refusal: (mistakes) => createMistakesError(file, mistakes),
  };
}

/**
 * Returns true if two mistakes have the same place. A mistake that the schema finds at the place of an earlier mistake
 * follows from it, and is not reported.
 */
function isSamePlace(one: YamlMistake, other: YamlMistake): boolean {
  return one.line === other.line && one.column === other.column;
}
