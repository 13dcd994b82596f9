import { oneLine } from '../../../model/escape-controls.ts';
import { placesWords } from '../../../model/row-place.ts';
import { atOnceText, count, counted, duration, rate } from '../../../report/figures.ts';
import { inBlocks, type Paint, paint } from '../../../report/layout.ts';
import { leftBehindLines } from '../../../report/left-behind-lines.ts';
import { matchLines, namedSteps, presentStates, selectionSentence } from '../../../report/words.ts';
import { headline } from './headline.ts';
import { type CommandContext, nextLines, nextSteps } from './next-steps.ts';
import { consequences, type ProblemDigest, withoutLeftBehind } from './problem-digest.ts';
import type { Summary } from './summary.ts';
import { tableLines } from './table-uses.ts';

const topProblems = 5;
const anyWidth = Number.POSITIVE_INFINITY;
const marks = { good: '✔', quiet: '•', look: '!', bad: '✖' };

/** The settings for the text of a summary. */
export interface SummaryView extends CommandContext {
  readonly colour: boolean;
  /** The greatest width of a line. */
  readonly columns?: number | undefined;
  /** The reason for the run's end, if it was reported. */
  readonly message?: string | null | undefined;
}

/** Returns the text shown at the end of an import; it ends with a line break. */
export function renderSummary(
  summary: Summary,
  problems: readonly ProblemDigest[],
  view: SummaryView,
): string {
  const ink = paint(view.colour);
  const { tone, text } = headline(summary);
  const title = [ink.tone(tone, `${marks[tone]} ${ink.bold(text)}`)];
  const about = selectionSentence(summary.selection);
  if (about !== undefined) title.push(`  ${oneLine(about)}`);
  if (view.message) title.push(`  ${oneLine(view.message)}`);
  return inBlocks([
    title,
    countLines(summary, ink),
    matchLines(summary).map((line) => `  ${line}`),
    stepLines(summary),
    tableBlock(summary, ink),
    leftBehindLines(summary.leftBehind, ink, view.columns),
    problemLines(withoutLeftBehind(problems), ink, view.columns),
    [`  ${pace(summary)}`],
    fileLines(summary.files, ink),
    nextLines(nextSteps(summary, view), ink),
  ]);
}

/** Returns lines with the number of rows by outcome. */
export function countLines(summary: Pick<Summary, 'rows'>, ink: Paint): string[] {
  const states = presentStates(summary.rows);
  if (states.length === 0) return [];
  const label = Math.max(...states.map((state) => state.label.length));
  const width = count(summary.rows.read).length;
  const lines = states.map(
    (state) => `  ${ink.tone(state.tone, state.label.padEnd(label))}  ${count(state.n).padStart(width)}`,
  );
  return [
    ...lines,
    ink.dim(`  ${'─'.repeat(label + 2 + width)}`),
    `  ${'read'.padEnd(label)}  ${count(summary.rows.read).padStart(width)}`,
  ];
}

/** Returns a line with the steps done besides the contacts' own fields, which are counted as rows. */
export function stepLines({ steps }: Pick<Summary, 'steps'>): string[] {
  const done = namedSteps(steps).flatMap(({ name, label, step }) =>
    step.acked === 0 || contactSteps.has(name) ? [] : [`${label} ${count(step.acked)}`],
  );
  return done.length === 0 ? [] : [`  Also: ${done.join(', ')}`];
}

const contactSteps: ReadonlySet<string> = new Set(['create', 'update', 'merge']);

function tableBlock({ tables }: Summary, ink: Paint): string[] {
  const lines = tables === undefined ? [] : tableLines(tables);
  return lines.length === 0 ? [] : [ink.bold('  Joined tables'), ...lines.map((line) => `    ${line}`)];
}

/** Returns lines with the most frequent problems. */
export function problemLines(problems: readonly ProblemDigest[], ink: Paint, columns = anyWidth): string[] {
  if (problems.length === 0) return [];
  const top = problems.slice(0, topProblems);
  const width = Math.max(...top.map(({ n }) => count(n).length));
  const code = Math.max(...top.map((problem) => oneLine(problem.code).length));
  const lines = top.flatMap(({ n, ...problem }) => {
    const examples = problem.examples.slice(0, 3);
    const where = `${oneLine(placesWords(examples))}${n > examples.length ? ' …' : ''}`;
    const what = `    ${count(n).padStart(width)}  ${oneLine(problem.code)}`;
    const about = `${consequences[problem.consequence].label}, ${where}`;
    const aligned = what.padEnd(width + code + 8);
    // Where there is no room beside the code, the text goes below it.
    return aligned.length + about.length > columns
      ? [what, ink.dim(`${' '.repeat(width + 6)}${about}`)]
      : [`${aligned}${ink.dim(about)}`];
  });
  const rest = problems.slice(topProblems).reduce((sum, { n }) => sum + n, 0);
  const more = rest === 0 ? [] : [ink.dim(`    and ${counted(rest, 'more problem')}, in the files below`)];
  return [ink.bold('  Problems'), ...lines, ...more];
}

function pace({ rows, seconds, speed: { concurrency } }: Summary): string {
  const done = rows.read - rows.notReached;
  const speed = seconds > 0 && done > 0 ? `, ${rate(done / seconds)} rows/s` : '';
  const atOnce = concurrency === null ? '' : `, ${atOnceText(concurrency)}`;
  return `${counted(done, 'row')} in ${duration(seconds)}${speed}${atOnce}`;
}

/** Returns lines with the files of a run and their kinds. */
export function fileLines(paths: Summary['files'], ink: Paint): string[] {
  const files = Object.entries(paths).map(([name, path]) => [spaced(name), path] as const);
  const width = Math.max(0, ...files.map(([name]) => name.length));
  return files.map(([name, path]) => `  ${ink.dim(name.padEnd(width))}  ${path}`);
}

/** Returns `mergeProposals` as `merge proposals`. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
}
