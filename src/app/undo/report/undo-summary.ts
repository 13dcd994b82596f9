import { join } from 'node:path';
import {
  countChangedFields,
  countRunRows,
  findRunById,
  type JournalDatabase,
  type RunRecord,
} from '../../../journal/index.ts';
import { escapeControls } from '../../../model/escape-controls.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import { readSummaryHead } from '../../../report/account.ts';
import { chooseCsvListStyle, formatCsvList } from '../../../report/csv-list.ts';
import { runFileNames } from '../../../report/file-names.ts';
import type { RequestCountsByOperation } from '../../../report/requests.ts';
import { writeFileAtomically } from '../../../report/whole-file.ts';
import { countStepsByName, listRunFiles } from '../../import/report/build-summary.ts';
import { writeListFile } from '../../import/report/run-files.ts';
import type { StepCounts, Summary } from '../../import/report/summary.ts';
import { readUnrevertedItems, type UnrevertedItem } from '../not-reverted.ts';

/** The columns of undo-kept.csv. */
export const undoKeptColumns = [
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
  count: (kept: UnrevertedItem) => void,
): AsyncIterable<string> {
  const cells = (kept: UnrevertedItem) => [
    kept.kind,
    kept.contact === null ? '' : String(kept.contact),
    kept.identifier ?? '',
    kept.sheet ?? '',
    kept.line === null ? '' : String(kept.line),
    kept.what,
    kept.why,
    kept.todo,
  ];
  // The lines are those of the input of the undone run.
  const undone = undo.undo && findRunById(file, undo.undo.run);
  return formatCsvList(
    undoKeptColumns,
    counted(readUnrevertedItems(file, undo), count),
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

/** What `summary.json` of an undo holds, and standard output under `--json`. */
export interface UndoSummary
  extends Pick<
    Summary,
    'run' | 'pipeline' | 'outcome' | 'exitCode' | 'message' | 'startedAt' | 'finishedAt' | 'seconds'
  > {
  readonly kind: 'undo';
  /** The run that it takes back. */
  readonly undoes: string;
  /** Whether conversations were reopened and closed. */
  readonly conversations: boolean;
  /** Whether tags were deleted. */
  readonly deleteTags: boolean;
  /** Contacts that the run wrote to and did not create. */
  readonly contacts: UndoContactCounts;
  /** Contacts whose value was put back, by field. */
  readonly values: Readonly<Record<string, number>>;
  readonly steps: Readonly<Record<string, StepCounts>>;
  /** Lines of undo-kept.csv, by kind. */
  readonly kept: Readonly<Record<string, number>>;
  readonly requests: RequestCountsByOperation;
  /** Paths of the run's files that are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** Contacts of an undo by what became of them. */
export interface UndoContactCounts {
  /** All of them. */
  readonly total: number;
  /** Something of them was put back. */
  readonly putBack: number;
  /** They were as before the run already. */
  readonly unchanged: number;
  /** Nothing of them was put back: they were changed since, or are not there any more. */
  readonly kept: number;
  /** The workspace did not accept something. */
  readonly failed: number;
  /** The undo ended before. */
  readonly notReached: number;
}

/** Writes summary.json and, unless it is empty, undo-kept.csv of an undo. */
export async function writeUndoFiles({
  file,
  run,
  runDir,
  scrub,
}: {
  readonly file: JournalDatabase;
  readonly run: RunRecord;
  readonly runDir: string;
  readonly scrub: (text: string) => string;
}): Promise<UndoSummary> {
  const kept: Record<string, number> = {};
  const count = ({ kind }: UnrevertedItem) => {
    kept[kind] = (kept[kind] ?? 0) + 1;
  };
  await writeListFile(join(runDir, runFileNames.undoKept), undoKeptCsv(file, run, count), scrub);
  const path = join(runDir, runFileNames.summary);
  const made = undoSummary(file, run, runDir, kept);
  const summary = { ...made, files: { ...made.files, summary: path } };
  await writeFileAtomically(path, [escapeControls(scrub(`${JSON.stringify(summary, null, 2)}\n`))]);
  return summary;
}

function undoSummary(
  file: JournalDatabase,
  run: RunRecord,
  runDir: string,
  kept: UndoSummary['kept'],
): UndoSummary {
  const { head, requests } = readSummaryHead(file, run);
  const { kind: _, selection: __, ...told } = head;
  const { undo } = run;
  if (undo === undefined) throw new Error(`run ${run.id} is no undo`);
  const steps = countStepsByName(file, run.number).steps;
  const states = ['lifecycle', 'assignee', 'conversation'].flatMap((name) => {
    const n = steps[name]?.acked ?? 0;
    return n === 0 ? [] : [[name, n] as const];
  });
  const fields = countChangedFields(file, run.number).map(
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
    kept,
    requests,
    files: listRunFiles(runDir),
  };
}

/** Converts the row counts of an undo into counts of contacts. */
export function toUndoContactCounts(rows: RowCounts): UndoContactCounts {
  const { read, updated, unchanged, skipped, failed, notReached } = rows;
  return { total: read, putBack: updated, unchanged, kept: skipped, failed, notReached };
}
