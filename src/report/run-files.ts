import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  countRows,
  type JournalFile,
  type RowProblems,
  type RunRecord,
  retryFamily,
} from '../journal/index.ts';
import { escapeControls } from '../model/escape-controls.ts';
import {
  contactsCsv,
  contactTagsCsv,
  droppedCsv,
  goneCsv,
  notTakenCsv,
  proposalsCsv,
  sawWholeInput,
  uncertainCsv,
} from './lists.ts';
import { type ProblemDigest, ProblemTally, problemWindows } from './problem-digest.ts';
import { rejectsCsv } from './rejects-csv.ts';
import { reportHtml } from './report-html.ts';
import { buildSummary, fileNames, type Summary } from './summary.ts';
import { removeOld, writeWhole } from './whole-file.ts';

export interface RunReport {
  readonly summary: Summary;
  readonly problems: readonly ProblemDigest[];
}

/**
 * Writes summary.json, report.html and the lists of a run from the journal; a list that has no lines is not written, and
 * an older one is removed. `scrub` takes secrets out of every text.
 */
export async function writeRunFiles(options: {
  readonly file: JournalFile;
  readonly run: RunRecord;
  readonly runDir: string;
  readonly scrub: (text: string) => string;
  /** For the commands that it names, where it is not the usual one. */
  readonly workDir?: string | undefined;
  /** Steps that the pipeline still holds back from these rows. */
  readonly deferred?: readonly string[] | undefined;
  /** The mapping reads lists of a row, which no CSV can hold. */
  readonly readsLists?: boolean | undefined;
}): Promise<RunReport> {
  const { file, run, runDir, scrub } = options;
  const pathOf = (name: keyof typeof fileNames) => join(runDir, fileNames[name]);
  const tally = new ProblemTally();
  const list = (name: keyof typeof fileNames, text: AsyncIterable<string>) =>
    writeList(pathOf(name), text, scrub);
  await list('rejects', rejectsCsv(file, run));
  await list('dropped', droppedCsv(counted(problemWindows(file, run), tally)));
  await list('uncertain', uncertainCsv(file, run.number));
  await list('mergeProposals', proposalsCsv(file, run.number));
  await list('contacts', contactsCsv(file, run));
  await list('contactTags', contactTagsCsv(file, run.number));
  await list('notTaken', notTakenCsv(file, run.number));
  await list('gone', sawWholeInput(run, countRows(file, run)) ? goneCsv(file, run) : nothing());
  const problems = tally.digest();
  const there = buildSummary(file, run, runDir);
  const files = { ...there.files, report: pathOf('report'), summary: pathOf('summary') };
  const summary = { ...there, files };
  await writeWhole(pathOf('report'), [scrub(reportHtml(file, run, summary, problems, options))]);
  await writeWhole(pathOf('summary'), [escapeControls(scrub(`${JSON.stringify(summary, null, 2)}\n`))]);
  await refreshRetried(file, run, runDir, scrub);
  return { summary, problems };
}

/** The runs that a retry belongs to have fewer open rows now, and their summary.json says so, where it is still there. */
async function refreshRetried(
  file: JournalFile,
  run: RunRecord,
  runDir: string,
  scrub: (text: string) => string,
): Promise<void> {
  if (run.selection.kind !== 'retry') return;
  for (const other of retryFamily(file, run, run.number)) {
    const folder = join(dirname(runDir), other.id);
    const path = join(folder, fileNames.summary);
    if (other.number === run.number || !existsSync(path)) continue;
    await writeWhole(path, [scrub(`${JSON.stringify(buildSummary(file, other, folder), null, 2)}\n`)]);
  }
}

async function* nothing(): AsyncIterable<string> {}

async function* counted(
  windows: AsyncIterable<readonly RowProblems[]>,
  tally: ProblemTally,
): AsyncIterable<readonly RowProblems[]> {
  for await (const rows of windows) {
    for (const row of rows) tally.add(row);
    yield rows;
  }
}

/** Writes a list; one without lines is not written, and an older one is removed. */
export async function writeList(
  path: string,
  chunks: AsyncIterable<string>,
  scrub: (text: string) => string,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return removeOld(path);
  async function* text() {
    for (let chunk = first; chunk.done !== true; chunk = await iterator.next()) yield scrub(chunk.value);
  }
  await writeWhole(path, text());
}
