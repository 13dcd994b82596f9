import { toSingleLine } from '../../../model/escape-controls.ts';
import { formatRowPlaces } from '../../../model/row-place.ts';
import {
  formatConcurrency,
  formatCount,
  formatDuration,
  formatQuantity,
  formatRate,
} from '../../../report/figures.ts';
import { createTerminalStyler, joinBlocks, type TerminalStyler } from '../../../report/layout.ts';
import { formatLeftBehindLines } from '../../../report/left-behind-lines.ts';
import {
  formatRetryMatchCounts,
  formatSelectionSentence,
  listLabelledSteps,
  listRowStateCounts,
} from '../../../report/words.ts';
import { buildRunHeadline } from './headline.ts';
import { formatNextStepLines, listNextSteps, type NextCommandContext } from './next-steps.ts';
import { consequenceLabels, excludeLosses, type ProblemDigest } from './problem-digest.ts';
import type { Summary } from './summary.ts';
import { formatTableUseLines } from './table-uses.ts';

const topProblems = 5;
const anyWidth = Number.POSITIVE_INFINITY;
const marks = { good: '✔', quiet: '•', look: '!', bad: '✖' };

/** The settings for the text of a summary. */
export interface SummaryTextOptions extends NextCommandContext {
  readonly colour: boolean;
  /** The greatest width of a line. */
  readonly columns?: number | undefined;
  /** The message stored at the end of the run; null or undefined where it is not shown here. */
  readonly message?: string | null | undefined;
}

/** Returns the text shown at the end of an import; it ends with a line break. */
export function renderSummary(
  summary: Summary,
  problems: readonly ProblemDigest[],
  view: SummaryTextOptions,
): string {
  const ink = createTerminalStyler(view.colour);
  const { tone } = buildRunHeadline(summary);
  const title = [ink.tone(tone, `${marks[tone]} ${ink.bold(summary.headline)}`)];
  const about = formatSelectionSentence(summary.selection);
  if (about !== undefined) title.push(`  ${toSingleLine(about)}`);
  if (view.message) title.push(`  ${toSingleLine(view.message)}`);
  return joinBlocks([
    title,
    formatOutcomeCounts(summary, ink),
    formatRetryMatchCounts(summary).map((line) => `  ${line}`),
    formatStepCounts(summary),
    tableBlock(summary, ink),
    formatLeftBehindLines(summary.leftBehind, ink, view.columns),
    formatTopProblems(excludeLosses(problems), ink, view.columns),
    [`  ${pace(summary)}`],
    formatRunFileLines(summary.files, ink),
    formatNextStepLines(listNextSteps(summary, view), ink),
  ]);
}

/** Returns lines with the number of rows by outcome. */
export function formatOutcomeCounts(summary: Pick<Summary, 'rows'>, ink: TerminalStyler): string[] {
  const states = listRowStateCounts(summary.rows);
  if (states.length === 0) return [];
  const label = Math.max(...states.map((state) => state.label.length));
  const width = formatCount(summary.rows.read).length;
  const lines = states.map(
    (state) =>
      `  ${ink.tone(state.tone, state.label.padEnd(label))}  ${formatCount(state.n).padStart(width)}`,
  );
  return [
    ...lines,
    ink.dim(`  ${'─'.repeat(label + 2 + width)}`),
    `  ${'read'.padEnd(label)}  ${formatCount(summary.rows.read).padStart(width)}`,
  ];
}

/** Returns a line with the steps done besides the contacts' own fields, which are counted as rows. */
export function formatStepCounts({ steps }: Pick<Summary, 'steps'>): string[] {
  const done = listLabelledSteps(steps).flatMap(({ name, label, step }) =>
    step.acked === 0 || contactSteps.has(name) ? [] : [`${label} ${formatCount(step.acked)}`],
  );
  return done.length === 0 ? [] : [`  Also: ${done.join(', ')}`];
}

const contactSteps: ReadonlySet<string> = new Set(['create', 'update', 'merge']);

function tableBlock({ tables }: Summary, ink: TerminalStyler): string[] {
  const lines = tables === undefined ? [] : formatTableUseLines(tables);
  return lines.length === 0 ? [] : [ink.bold('  Joined tables'), ...lines.map((line) => `    ${line}`)];
}

/** Returns lines with the first five of the problems, in the order given, and the number of the others. */
export function formatTopProblems(
  problems: readonly ProblemDigest[],
  ink: TerminalStyler,
  columns = anyWidth,
): string[] {
  if (problems.length === 0) return [];
  const top = problems.slice(0, topProblems);
  const width = Math.max(...top.map(({ n }) => formatCount(n).length));
  const code = Math.max(...top.map((problem) => toSingleLine(problem.code).length));
  const lines = top.flatMap(({ n, ...problem }) => {
    const examples = problem.examples.slice(0, 3);
    const where = `${toSingleLine(formatRowPlaces(examples))}${n > examples.length ? ' …' : ''}`;
    const what = `    ${formatCount(n).padStart(width)}  ${toSingleLine(problem.code)}`;
    const about = `${consequenceLabels[problem.consequence].label}, ${where}`;
    const aligned = what.padEnd(width + code + 8);
    // Where there is no room beside the code, the text goes below it.
    return aligned.length + about.length > columns
      ? [what, ink.dim(`${' '.repeat(width + 6)}${about}`)]
      : [`${aligned}${ink.dim(about)}`];
  });
  const rest = problems.slice(topProblems).reduce((sum, { n }) => sum + n, 0);
  const more =
    rest === 0 ? [] : [ink.dim(`    and ${formatQuantity(rest, 'more problem')}, in the files below`)];
  return [ink.bold('  Problems'), ...lines, ...more];
}

function pace({ rows, seconds, speed: { concurrency } }: Summary): string {
  const done = rows.read - rows.notReached;
  const speed = seconds > 0 && done > 0 ? `, ${formatRate(done / seconds)} rows/s` : '';
  const atOnce = concurrency === null ? '' : `, ${formatConcurrency(concurrency)}`;
  return `${formatQuantity(done, 'row')} in ${formatDuration(seconds)}${speed}${atOnce}`;
}

/** Returns lines with the files of a run and their kinds. */
export function formatRunFileLines(paths: Summary['files'], ink: TerminalStyler): string[] {
  const files = Object.entries(paths).map(([name, path]) => [spaced(name), path] as const);
  const width = Math.max(0, ...files.map(([name]) => name.length));
  return files.map(([name, path]) => `  ${ink.dim(name.padEnd(width))}  ${path}`);
}

/** Returns `mergeProposals` as `merge proposals`. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}
