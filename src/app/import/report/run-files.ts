import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  countRunRows,
  type JournalDatabase,
  listRetryChain,
  type RowWithProblems,
  type RunRecord,
  readStoredCells,
} from '../../../journal/index.ts';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';
import { normaliseRowPlace } from '../../../model/row-place.ts';
import { chooseCsvListStyle } from '../../../report/csv-list.ts';
import { runFileNames } from '../../../report/file-names.ts';
import { removeStaleFile, writeFileAtomically } from '../../../report/whole-file.ts';
import type { Invocation } from '../../run/command-line.ts';
import { buildSummary } from './build-summary.ts';
import {
  formatContactsCsv,
  formatContactTagsCsv,
  formatDroppedValuesCsv,
  formatMissingKeysCsv,
  formatNotTakenCsv,
  formatSamePersonCsv,
  hasReadWholeInput,
} from './lists.ts';
import { formatProposalsCsv } from './merge-proposals.ts';
import type { ProblemWithExamples } from './page/problem-section.ts';
import { type ProblemDigest, ProblemDigestBuilder, readProblemBatches } from './problem-digest.ts';
import { formatRejectsCsv } from './rejects-csv.ts';
import type { Summary } from './summary.ts';
import { formatUncertainCsv } from './uncertain-csv.ts';

/** The number of problems for which cells are read: as many as the page shows. */
const most = 20;

/**
 * Returns the problems for the page; an example has its cell if the journal has the cells of the row and the
 * reason does not repeat the cell.
 */
function shownProblems(
  file: JournalDatabase,
  run: RunRecord,
  problems: readonly ProblemDigest[],
): ProblemWithExamples[] {
  return problems.map((problem, index) => ({
    ...problem,
    examples: problem.examples.map((example) => {
      const { seq, column, reason } = example;
      const cell = index < most && column !== null ? cellOf(file, run, seq, column) : null;
      return {
        ...normaliseRowPlace(example),
        column,
        reason,
        cell: cell !== null && !reason.includes(cell) ? cell : null,
      };
    }),
  }));
}

function cellOf(file: JournalDatabase, run: RunRecord, seq: number, column: string): string | null {
  const cells = readStoredCells(file, run.number, seq) ?? [];
  const cell = cells.find(([name]) => name === column)?.[1] ?? null;
  return cell === '' ? null : cell;
}

/** The summary of a run and its problems, once the files are written. */
export interface RunFilesResult {
  readonly summary: Summary;
  readonly problems: readonly ProblemDigest[];
}

/** The options of `writeRunFiles`. */
export interface RunFilesOptions {
  readonly file: JournalDatabase;
  readonly run: RunRecord;
  readonly runDir: string;
  readonly scrub: (text: string) => string;
  /** The form in which the commands in the files are typed, with the work dir. */
  readonly invocation: Invocation;
  /** The pipeline's deferred steps that may still be due for rows of the run. */
  readonly deferred?: readonly string[] | undefined;
  /** False if a corrected rejects.csv cannot be retried, because it would lack lists of the rows. */
  readonly canCorrectRejects?: boolean | undefined;
  /** The options of the source that leave out rows. */
  readonly filters?: readonly string[] | undefined;
}

/**
 * Writes summary.json, report.html and the lists of a run from the journal, and refreshes the reports of the runs that
 * it retries; a list without lines is not written, and an older one is removed. `scrub` removes secrets from every
 * text.
 */
export async function writeRunFiles(options: RunFilesOptions): Promise<RunFilesResult> {
  const { file, run, runDir, scrub } = options;
  const pathOf = (name: keyof typeof runFileNames) => join(runDir, runFileNames[name]);
  const tally = new ProblemDigestBuilder();
  const list = (name: keyof typeof runFileNames, text: AsyncIterable<string>) =>
    writeListFile(pathOf(name), text, scrub);
  await list('rejects', formatRejectsCsv(file, run));
  await list(
    'dropped',
    formatDroppedValuesCsv(counted(readProblemBatches(file, run), tally), chooseCsvListStyle(run)),
  );
  await list('uncertain', formatUncertainCsv(file, run));
  await list('mergeProposals', formatProposalsCsv(file, run));
  await list('samePerson', formatSamePersonCsv(file, run));
  await list('contacts', formatContactsCsv(file, run));
  await list('contactTags', formatContactTagsCsv(file, run.number));
  await list('notTaken', formatNotTakenCsv(file, run));
  await list(
    'gone',
    hasReadWholeInput(run, countRunRows(file, run)) ? formatMissingKeysCsv(file, run) : nothing(),
  );
  const report = await writeReport(options, tally.digest());
  await refreshRetried(options);
  return report;
}

/** Rewrites summary.json and report.html from the current journal; the lists are not rewritten. */
export async function refreshReport(options: RunFilesOptions): Promise<RunFilesResult> {
  const { file, run } = options;
  const tally = new ProblemDigestBuilder();
  for await (const rows of readProblemBatches(file, run)) for (const row of rows) tally.add(row);
  return await writeReport(options, tally.digest());
}

async function writeReport(
  options: RunFilesOptions,
  problems: readonly ProblemDigest[],
): Promise<RunFilesResult> {
  const { file, run, runDir, scrub } = options;
  const report = join(runDir, runFileNames.report);
  const path = join(runDir, runFileNames.summary);
  const files = { report, summary: path };
  const summary = buildSummary(file, run, runDir, { ...options, problems, files });
  const shown = shownProblems(file, run, problems);
  const { renderReportHtml } = await loadReportPage();
  await writeFileAtomically(report, [scrub(renderReportHtml(file, run, summary, shown, options))]);
  await writeFileAtomically(path, [escapeControlCharacters(scrub(`${JSON.stringify(summary, null, 2)}\n`))]);
  return { summary, problems };
}

/** Loads the code of the report page, whose charts take a tenth of the time until an import sends its first request. */
async function loadReportPage(): Promise<typeof import('./report-html.ts')> {
  return await import('./report-html.ts');
}

/**
 * Returns a function that loads the code of the report page the first time that it is called: the program may be replaced
 * before a run ends. What fails then is tried again when the page is written.
 */
export function createReportPagePreload(): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    loadReportPage().catch(() => undefined);
  };
}

/**
 * Refreshes the summary and report of the other runs in a retry's chain, where they still exist: fewer rows of these
 * runs are open now.
 */
async function refreshRetried(options: RunFilesOptions): Promise<void> {
  const { file, run, runDir } = options;
  if (run.selection.kind !== 'retry') return;
  for (const other of listRetryChain(file, run, run.number)) {
    const folder = join(dirname(runDir), other.id);
    if (other.number === run.number || !existsSync(join(folder, runFileNames.summary))) continue;
    await refreshReport({ ...options, run: other, runDir: folder });
  }
}

async function* nothing(): AsyncIterable<string> {}

async function* counted(
  windows: AsyncIterable<readonly RowWithProblems[]>,
  tally: ProblemDigestBuilder,
): AsyncIterable<readonly RowWithProblems[]> {
  for await (const rows of windows) {
    for (const row of rows) tally.add(row);
    yield rows;
  }
}

/** Writes a list; a list without lines is not written, and an older one is removed. */
export async function writeListFile(
  path: string,
  chunks: AsyncIterable<string>,
  scrub: (text: string) => string,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return removeStaleFile(path);
  async function* text() {
    for (let chunk = first; chunk.done !== true; chunk = await iterator.next()) yield scrub(chunk.value);
  }
  await writeFileAtomically(path, text());
}
