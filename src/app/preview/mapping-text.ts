import {
  checkColumns,
  type LoadedMapping,
  parseMapping,
  removePartsWithOpenQuestions,
} from '../../mapping/index.ts';
import { openWholeInput, type PreviewInput, type WholeInput } from './given-input.ts';

/** The text of a mapping, saved or not, and its file name for errors. */
export interface UnsavedMapping {
  readonly text: string;
  readonly file: string;
}

/** Parses the answered part of a mapping. Throws a FatalError (usage) that names every mistake. */
export function parseUnsavedMapping({ text, file }: UnsavedMapping): {
  readonly loaded: LoadedMapping;
  /** The parts left out because the mapping still has questions about them. */
  readonly asked: readonly string[];
} {
  const { text: rest, left } = removePartsWithOpenQuestions(text);
  return { loaded: parseMapping(rest, file), asked: left };
}

/** Opens a whole input for a mapping. Throws a FatalError (usage) if it lacks a column that the mapping reads. */
export async function openInputForMapping(
  given: PreviewInput,
  loaded: LoadedMapping,
  signal: AbortSignal,
): Promise<WholeInput> {
  const input = await openWholeInput(given, signal);
  const { columns, lists, absent } = input.facts;
  const mistakes = columns === null ? [] : checkColumns(loaded, columns, lists, absent);
  if (mistakes.length > 0) throw loaded.refusal(mistakes);
  return input;
}
