import { join } from 'node:path';
import type { JournalFile, RowProblems, RunRecord } from '../journal/index.ts';
import { droppedCsv } from './dropped-csv.ts';
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
 * Writes summary.json, rejects.csv, dropped.csv and report.html of a run from the journal; a list that has no rows is
 * not written, and an older one is removed. `scrub` takes secrets out of every text.
 */
export async function writeRunFiles(options: {
  readonly file: JournalFile;
  readonly run: RunRecord;
  readonly runDir: string;
  readonly scrub: (text: string) => string;
  /** For the commands that it names, where it is not the usual one. */
  readonly workDir?: string | undefined;
}): Promise<RunReport> {
  const { file, run, runDir, scrub } = options;
  const pathOf = (name: keyof typeof fileNames) => join(runDir, fileNames[name]);
  const tally = new ProblemTally();
  await writeList(pathOf('rejects'), rejectsCsv(file, run.number), scrub);
  await writeList(pathOf('dropped'), droppedCsv(counted(problemWindows(file, run), tally)), scrub);
  const problems = tally.digest();
  const there = buildSummary(file, run, runDir);
  const files = { ...there.files, report: pathOf('report'), summary: pathOf('summary') };
  const summary = { ...there, files };
  await writeWhole(pathOf('report'), [scrub(reportHtml(file, run, summary, problems, options))]);
  await writeWhole(pathOf('summary'), [scrub(`${JSON.stringify(summary, null, 2)}\n`)]);
  return { summary, problems };
}

async function* counted(
  windows: AsyncIterable<readonly RowProblems[]>,
  tally: ProblemTally,
): AsyncIterable<readonly RowProblems[]> {
  for await (const rows of windows) {
    for (const row of rows) tally.add(row);
    yield rows;
  }
}

async function writeList(
  path: string,
  pieces: AsyncIterable<string>,
  scrub: (text: string) => string,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const first = await iterator.next();
  if (first.done === true) return removeOld(path);
  async function* text() {
    for (let piece = first; piece.done !== true; piece = await iterator.next()) yield scrub(piece.value);
  }
  await writeWhole(path, text());
}
