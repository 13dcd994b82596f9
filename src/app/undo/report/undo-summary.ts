import { join } from 'node:path';
import {
  countRowsByChangedField,
  countRunRows,
  findRunById,
  type JournalDatabase,
  type RunRecord,
} from '../../../journal/index.ts';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import { formatRowLine } from '../../../model/row-place.ts';
import { readSummaryBase } from '../../../report/account.ts';
import { chooseCsvListStyle, formatCsvList } from '../../../report/csv-list.ts';
import { runFileNames } from '../../../report/file-names.ts';
import type { RequestStatsByOperation } from '../../../report/requests.ts';
import { writeFileAtomically } from '../../../report/whole-file.ts';
import { countStepsByName, listRunFiles } from '../../import/report/build-summary.ts';
import { writeListFile } from '../../import/report/run-files.ts';
import type { StepCounts, Summary } from '../../import/report/summary.ts';
import { readUnrevertedItems, type UnrevertedItem } from '../not-reverted.ts';
import { type ReturnedIdentifiers, withReturnedIdentifiers } from '../returned-identifiers.ts';

/** The columns of undo-kept.csv. */
export const unrevertedCsvColumns = [
  'kind',
  'contactId',
  'identifier',
  '_sheet',
  '_line',
  'what',
  'why',
  'todo',
] as const;

/** Returns the text of undo-kept.csv in chunks, and calls `count` with each item. */
function undoKeptCsv(
  file: JournalDatabase,
  undo: RunRecord,
  returned: ReturnedIdentifiers,
  count: (kept: UnrevertedItem) => void,
): AsyncIterable<string> {
  const cells = (kept: UnrevertedItem) => [
    kept.kind,
    kept.contact === null ? '' : String(kept.contact),
    kept.identifier ?? '',
    kept.sheet ?? '',
    kept.line === null ? '' : formatRowLine(kept.line),
    kept.what,
    kept.why,
    kept.todo,
  ];
  // `_sheet` and `_line` refer to the input of the undone run, so the list has that input's style.
  const undone = undo.undo && findRunById(file, undo.undo.run);
  return formatCsvList(
    unrevertedCsvColumns,
    counted(readUnrevertedItems(file, undo, returned), count),
    cells,
    chooseCsvListStyle(undone ?? undo),
  );
}

async function* counted(
  pages: AsyncIterable<readonly UnrevertedItem[]>,
  count: (kept: UnrevertedItem) => void,
): AsyncIterable<readonly UnrevertedItem[]> {
  for await (const page of pages) {
    for (const kept of page) count(kept);
    yield page;
  }
}

/** The summary of an undo: the content of its `summary.json`, and the output of `undo --json`. */
export interface UndoSummary
  extends Pick<
    Summary,
    'run' | 'pipeline' | 'outcome' | 'exitCode' | 'message' | 'startedAt' | 'finishedAt' | 'seconds'
  > {
  readonly kind: 'undo';
  /** The id of the undone run. */
  readonly undoes: string;
  /** True if the undo was allowed to open and close conversations (`--conversations`). */
  readonly conversations: boolean;
  /** True if the undo was asked to delete tags that the run created (`--delete-tags`). */
  readonly deleteTags: boolean;
  /** The contacts that the undone run wrote to and did not create, by result. */
  readonly contacts: UndoContactCounts;
  /** The number of contacts whose value was put back, by field. */
  readonly values: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<string, StepCounts>>;
  /** The number of lines of undo-kept.csv, by kind. */
  readonly kept: Readonly<Record<string, number>>;
  /** The number of contacts that the run created with an e-mail or phone that was put back into another contact. */
  readonly sharedIdentifiers: number;
  readonly requests: RequestStatsByOperation;
  /** The paths of the files that the undo has written. */
  readonly files: Readonly<Record<string, string>>;
}

/** The numbers of contacts of an undo by result. */
export interface UndoContactCounts {
  /** All contacts that the undo has to check. */
  readonly total: number;
  /** At least one value was put back. */
  readonly putBack: number;
  /** There was nothing to put back. */
  readonly unchanged: number;
  /** No value was put back: the values were changed since, the contact is gone, or the undo may not change it. */
  readonly kept: number;
  /** A request about the contact failed. */
  readonly failed: number;
  /** The undo ended before it reached the contact. */
  readonly notReached: number;
}

/** Writes summary.json and, unless it is empty, undo-kept.csv of an undo. */
export async function writeUndoFiles({
  file,
  run,
  workDir,
  scrub,
}: {
  readonly file: JournalDatabase;
  readonly run: RunRecord;
  readonly workDir: string;
  readonly scrub: (text: string) => string;
}): Promise<UndoSummary> {
  const runDir = join(workDir, 'runs', run.id);
  const undone = run.undo && findRunById(file, run.undo.run);
  if (undone === undefined) throw new Error(`run ${run.id} is no undo`);
  const kept: Record<string, number> = {};
  let sharedIdentifiers = 0;
  const count = ({ kind, sharesIdentifier }: UnrevertedItem) => {
    kept[kind] = (kept[kind] ?? 0) + 1;
    if (sharesIdentifier) sharedIdentifiers += 1;
  };
  await withReturnedIdentifiers(file, workDir, undone, (returned) =>
    writeListFile(join(runDir, runFileNames.undoKept), undoKeptCsv(file, run, returned, count), scrub),
  );
  const path = join(runDir, runFileNames.summary);
  const made = undoSummary(file, run, runDir, { kept, sharedIdentifiers });
  const summary = { ...made, files: { ...made.files, summary: path } };
  await writeFileAtomically(path, [escapeControlCharacters(scrub(`${JSON.stringify(summary, null, 2)}\n`))]);
  return summary;
}

function undoSummary(
  file: JournalDatabase,
  run: RunRecord,
  runDir: string,
  left: Pick<UndoSummary, 'kept' | 'sharedIdentifiers'>,
): UndoSummary {
  const { head, requests } = readSummaryBase(file, run);
  const { kind: _, selection: __, ...told } = head;
  const { undo } = run;
  if (undo === undefined) throw new Error(`run ${run.id} is no undo`);
  const steps = countStepsByName(file, run.number).steps;
  const states = ['lifecycle', 'assignee', 'conversation'].flatMap((name) => {
    const n = steps[name]?.acked ?? 0;
    return n === 0 ? [] : [[name, n] as const];
  });
  const fields = countRowsByChangedField(file, run.number).map(
    ({ kind, name, n }) => [kind === 'custom' ? `customFields.${name}` : name, n] as const,
  );
  return {
    ...told,
    kind: 'undo',
    undoes: undo.run,
    conversations: undo.conversations,
    deleteTags: undo.deleteTags,
    contacts: toUndoContactCounts(countRunRows(file, run)),
    values: Object.fromEntries([...fields, ...states]),
    steps,
    ...left,
    requests,
    files: listRunFiles(runDir),
  };
}

/** Converts the row counts of an undo into counts of contacts. */
export function toUndoContactCounts(rows: RowCounts): UndoContactCounts {
  const { read, updated, unchanged, skipped, failed, notReached } = rows;
  return { total: read, putBack: updated, unchanged, kept: skipped, failed, notReached };
}
