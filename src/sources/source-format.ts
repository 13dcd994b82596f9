import type { z } from 'zod';
import type { Source } from '../model/row.ts';

/** Where an input comes from. */
export interface SourceInput {
  /** An absolute path, or `-` for standard input. */
  readonly path: string;
  /** The folder where an input that can be read only once (standard input, a pipe) is kept; created when needed. */
  readonly spoolDir: string;
}

/** One input format: its name in a pipeline, the options it takes beside `format` and `path`, and how it is opened. */
export interface SourceFormat {
  readonly name: string;
  /** Strict, every key described; without `format` and `path`. */
  readonly options: z.ZodObject;
  /** Touches nothing yet: a missing file is reported by `inspect`. Throws a ZodError where the options break the schema. */
  open(options: unknown, input: SourceInput): Source;
}

/** Ties a format's options to the function that opens it, so that it gets them checked and typed. */
export function sourceFormat<S extends z.ZodObject>(
  name: string,
  options: S,
  open: (options: z.output<S>, input: SourceInput) => Source,
): SourceFormat {
  return { name, options, open: (given, input) => open(options.parse(given), input) };
}
