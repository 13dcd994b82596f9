import { truncateText } from '../../model/listed.ts';
import type { NestedListFacts, Row } from '../../model/row.ts';
import {
  type InputSettings,
  type SourceSettingName,
  sourceOptionNamesBySetting,
  sourceSettingNames,
} from '../draft/input/stated.ts';
import type { TableJoin } from '../draft/joins/join-plan.ts';
import { type OpenedInput, openInputForPreview, type PreviewInput } from './given-input.ts';
import { type PreviewRow, toPreviewRow } from './shown-row.ts';
import { type PositionGenerator, sampleRowsAcrossFile } from './spread-rows.ts';

/** An option that the input is read with, and its origin. */
export interface EffectiveOption {
  /** The format's option. */
  readonly option: string;
  readonly value: unknown;
  /** The flag that changes it; null if only a pipeline can. */
  readonly flag: SourceSettingName | null;
  readonly how: 'stated' | 'found';
}

/** A problem of the file, or of a record in it. */
export interface FileProblem {
  /** Null for a problem of the whole file. */
  readonly line: number | null;
  readonly code: string;
  readonly reason: string;
  /** The text of the record, or its beginning; null for a problem of the whole file. */
  readonly raw: string | null;
  /** The number of rows that were read before it. */
  readonly rowsBefore: number;
}

/** The preview of an input. */
export interface InputPreviewResult {
  readonly format: string;
  readonly detected: readonly EffectiveOption[];
  /** All sheets of a workbook; empty for anything else. */
  readonly sheets: readonly string[];
  /** The tables of a dump with their numbers of rows; null for a single table. */
  readonly tables: {
    readonly main: string;
    readonly joins: { readonly [name: string]: TableJoin };
    readonly all: readonly { readonly name: string; readonly rows: number }[];
  } | null;
  readonly columns: readonly string[];
  readonly lists: readonly NestedListFacts[];
  readonly first: readonly PreviewRow[];
  /** Rows from all over the file, or, if that is not possible, from the rows that were read. */
  readonly spread: { readonly from: 'file' | 'rows read'; readonly rows: readonly PreviewRow[] };
  readonly problems: readonly FileProblem[];
  /** The number of broken records among those read. */
  readonly broken: number;
  readonly notes: readonly string[];
  readonly read: {
    readonly rows: number;
    /** The number of rows in the file; null if it was not read to its end. */
    readonly ofRows: number | null;
    readonly bytes: number;
    readonly ofBytes: number;
  };
}

const mostProblems = 100;
const mostRows = 20_000;
const longestRaw = 300;

/**
 * Previews an input: its format, its first `rows` rows and as many from all over it, and the problems in the part that
 * was read.
 */
export async function previewInput(
  given: PreviewInput,
  { rows, spread }: { readonly rows: number; readonly spread: PositionGenerator },
  signal: AbortSignal,
): Promise<InputPreviewResult> {
  const begun = await openInputForPreview(given, signal);
  const { format, facts, plan, whole } = begun;
  const read = await readRows(begun, signal);
  const columns = facts.columns ?? [
    ...new Set(read.rows.flatMap((row) => row.entries().map(([name]) => name))),
  ];
  const asTable = (row: Row): PreviewRow => toPreviewRow(row, columns);
  const elsewhere = whole
    ? null
    : await sampleRowsAcrossFile(begun, given, columns, { rows, spread }, signal);
  const picked = [...spread(rows)].map((place) => Math.floor(place * read.rows.length)).sort((a, b) => a - b);
  const ownRows = [...new Set(picked)].flatMap((index) => read.rows[index] ?? []).map(asTable);
  return {
    format,
    detected: detectedOf(begun, given),
    sheets: facts.sheets ?? [],
    tables: plan && { main: plan.table, joins: plan.joins, all: plan.tables },
    columns,
    lists: facts.lists ?? [],
    first: read.rows.slice(0, rows).map(asTable),
    spread: elsewhere === null ? { from: 'rows read', rows: ownRows } : { from: 'file', rows: elsewhere },
    problems: [...wholeFile(begun), ...read.problems],
    broken: read.broken,
    notes: facts.notes,
    read: {
      rows: read.items,
      ofRows: whole ? facts.items : null,
      bytes: whole
        ? Math.round(facts.bytes * (facts.items === 0 ? 1 : read.items / facts.items))
        : begun.bytes,
      ofBytes: facts.bytes,
    },
  };
}

async function readRows({ source }: OpenedInput, signal: AbortSignal) {
  const rows: Row[] = [];
  const problems: FileProblem[] = [];
  let items = 0;
  let broken = 0;
  for await (const batch of source.read(0, signal)) {
    for (const item of batch) {
      items += 1;
      if (item.kind === 'row') rows.push(item);
      if (item.kind === 'broken') broken += 1;
      if (item.kind !== 'broken' || problems.length === mostProblems) continue;
      const { code, reason } = item.problem;
      const raw = truncateText(item.raw, longestRaw);
      problems.push({ line: item.line, code, reason, raw, rowsBefore: rows.length });
    }
    if (items >= mostRows) break;
  }
  return { rows, problems, items, broken };
}

/** Returns the problems of the whole file: it cannot be read with the stated options alone, or its end is cut off. */
function wholeFile({ refusal, facts: { truncated } }: OpenedInput): readonly FileProblem[] {
  const problem = (code: string, reason: string) => ({ line: null, code, reason, raw: null, rowsBefore: 0 });
  return [
    ...(refusal === null ? [] : [problem('file.refused', refusal)]),
    ...(truncated === undefined ? [] : [problem('file.truncated', truncated)]),
  ];
}

/** Returns the options that the input is read with: those that a flag can state, then those for a pipeline only. */
function detectedOf(
  { format, options, facts }: OpenedInput,
  { stated, as }: PreviewInput,
): readonly EffectiveOption[] {
  const all: Readonly<Record<string, unknown>> = { ...facts.detected, ...options };
  // A file with tabs has the same flags as any CSV.
  const named = format === 'tsv' ? 'csv' : format;
  const isStated = (option: string, flag: keyof InputSettings | null): boolean =>
    as === undefined ? flag !== null && stated?.[flag] !== undefined : Object.hasOwn(as.options, option);
  const flags = sourceSettingNames.flatMap((flag) => {
    const option = sourceOptionNamesBySetting[flag][named];
    return option === undefined ? [] : [{ flag, option }];
  });
  const known = new Set(flags.map(({ option }) => option));
  const others = Object.keys(all).filter((option) => !known.has(option));
  return [...flags, ...others.map((option) => ({ flag: null, option }))].map(({ flag, option }) => ({
    ...{ option, value: all[option] ?? null, flag },
    how: isStated(option, flag) ? 'stated' : 'found',
  }));
}
