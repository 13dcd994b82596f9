import type * as z from 'zod';
import { toSingleLine } from '../../model/escape-controls.ts';
import { type ErrorPlace, FatalError } from '../../model/fatal-error.ts';

/** A mistake in a YAML file, with its place. */
export interface YamlMistake {
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
  /** The key as a dotted path, empty for the file itself. */
  readonly key: string;
  /** The message, without its place. */
  readonly reason: string;
}

/** Records a mistake at a path. */
export type MistakeReporter = (path: readonly (string | number)[], reason: string) => void;

/** Returns a function that records mistakes as custom issues of a zod refinement. */
export function createMistakeReporter(context: z.RefinementCtx): MistakeReporter {
  return (path, message) => context.addIssue({ code: 'custom', message, path: [...path] });
}

/** Returns all mistakes of a file as one error, each on a line `file:line:column: key: reason`, in the file's order. */
export function createMistakesError(file: string, mistakes: readonly YamlMistake[]): FatalError {
  const inOrder = [...mistakes].sort((a, b) => a.line - b.line || a.column - b.column);
  const lines = inOrder.map(({ line, column, key, reason }) => {
    return toSingleLine(`${file}:${line}:${column}: ${key === '' ? '' : `${key}: `}${reason}`);
  });
  const [first] = inOrder;
  const place = first && { line: first.line, column: first.column, ...(first.key && { key: first.key }) };
  return new MistakesError(lines.join('\n'), { file, ...place }, inOrder);
}

class MistakesError extends FatalError {
  readonly mistakes: readonly YamlMistake[];

  constructor(message: string, place: ErrorPlace, mistakes: readonly YamlMistake[]) {
    super('usage', message, { place });
    this.mistakes = mistakes;
  }
}

/** Returns the mistakes that an error names, in the file's order; none for an error about the whole file. */
export function listMistakes(error: FatalError): readonly YamlMistake[] {
  return error instanceof MistakesError ? error.mistakes : [];
}
