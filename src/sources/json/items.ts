import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import {
  createBrokenRow,
  formatEncodingReason,
  formatTooLargeReason,
  maxRawTextLength,
} from '../broken-row.ts';
import { escapeUndecodableBytes, hasUndecodableBytes } from '../encoding/decoding.ts';
import { createLazyRow } from '../rows.ts';
import { type FlattenProblem, flattenJsonObject } from './flatten.ts';
import type { NdjsonOptions } from './options.ts';
import { type JsonRecordProblem, maxJsonDepth, type RawJsonRecord } from './raw-record.ts';

/** Converts a record to an item: a row, or a broken row with its reason and raw text. */
export function toJsonSourceItem(
  record: RawJsonRecord,
  options: Omit<NdjsonOptions, 'encoding'>,
): SourceItem {
  if (record.problem !== null) return brokenItem(record, ...problemOf(record, record.problem, options));
  const wrong = syntaxError(record.text);
  if (wrong !== null) return brokenItem(record, 'row.json', `The record is not valid JSON: ${wrong}.`);
  const cells = flattenJsonObject(record.text, options.without);
  if (typeof cells === 'string') return brokenItem(record, ...flattenProblemReason(cells));
  const escapes = record.text.includes('\\u');
  if (!escapes && options.nulls.length === 0) return createLazyRow(record.line, () => cells);
  return cleanedItem(record, cells, options);
}

function syntaxError(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return escapeUndecodableBytes(error.message);
    throw error;
  }
}

/** Converts cells to an item: removes NULs, applies `nulls`, and replaces or rejects lone surrogates. */
function cleanedItem(
  record: RawJsonRecord,
  cells: ReadonlyMap<string, Cell>,
  { nulls, loneSurrogates }: Pick<NdjsonOptions, 'nulls' | 'loneSurrogates'>,
): SourceItem {
  const clean = new Map<string, Cell>();
  for (const [column, cell] of cells) {
    if (loneSurrogates === 'reject' && (hasUndecodableBytes(column) || hasUndecodableBytes(cell ?? ''))) {
      const reason =
        'The record has half of a character (a lone surrogate such as \\ud83d). Fix it, or set "loneSurrogates: replace".';
      return brokenItem(record, 'row.encoding', reason);
    }
    const bare = cell === null ? null : wellFormed(cell).replaceAll('\0', '');
    clean.set(wellFormed(column), bare !== null && nulls.includes(bare) ? null : bare);
  }
  return createLazyRow(record.line, () => clean);
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function problemOf(
  { text }: RawJsonRecord,
  problem: JsonRecordProblem,
  { maxRowBytes }: Pick<NdjsonOptions, 'maxRowBytes'>,
): [code: string, reason: string] {
  switch (problem) {
    case 'tooLarge':
      return ['row.tooLarge', formatTooLargeReason('record', maxRowBytes)];
    case 'encoding':
      return ['row.encoding', formatEncodingReason('The record', text)];
    default:
      return flattenProblemReason(problem);
  }
}

function flattenProblemReason(problem: FlattenProblem): [code: string, reason: string] {
  switch (problem) {
    case 'notObject':
      return ['row.notObject', 'The record is not an object, so it has no columns.'];
    case 'tooDeep':
      return ['row.tooDeep', `The record is nested more than ${maxJsonDepth} levels deep.`];
    default:
      return ['row.longColumn', 'The record has a column whose name is longer than 1000 characters.'];
  }
}

function brokenItem({ line, text }: RawJsonRecord, code: string, reason: string): BrokenRow {
  return createBrokenRow(line, code, reason, text.slice(0, maxRawTextLength).trimEnd());
}
