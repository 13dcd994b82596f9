import { toSingleLine } from '../../../model/escape-controls.ts';
import { formatRowPlace, type RowPlace } from '../../../model/row-place.ts';
import { formatCount, formatDuration, formatQuantity } from '../../../report/figures.ts';
import {
  alignColumns,
  createTerminalStyler,
  joinBlocks,
  type TerminalStyler,
  wrapText,
} from '../../../report/layout.ts';
import { formatLeftBehindLines } from '../../../report/left-behind-lines.ts';
import { listLabelledSteps, rowStateLabels } from '../../../report/words.ts';
import { formatNextStepLines } from '../../import/report/next-steps.ts';
import type { NextStep } from '../../import/report/summary.ts';
import type { FieldChangeSummary, PlanSummary, StepCountSummary } from '../plan-schema.ts';
import type { PlannedChange, PlannedRow } from '../samples.ts';

/** The options for the text of a plan. */
export interface PlanTextOptions {
  readonly colour: boolean;
  readonly columns?: number | undefined;
  /** The rows to show with all their changes. */
  readonly samples: readonly PlannedRow[];
  /** Shows the changes of samples as removed and added lines. */
  readonly diff: boolean;
  readonly next: readonly NextStep[];
}

/** Returns a plan as text for the terminal; ends with a line break. */
export function renderPlan(plan: PlanSummary, view: PlanTextOptions): string {
  const ink = createTerminalStyler(view.colour);
  return joinBlocks([
    titleLines(plan, ink),
    rowLines(plan, ink),
    listed(
      `Questions whether two are one person (${formatCount(plan.questions.count)})`,
      plan.questions.examples.map(({ question, ...row }) => `${atStart(row)}: ${toSingleLine(question)}`),
      view.columns,
    ),
    titled('Changes of contacts that are there', plan.fields.map(fieldCells)),
    titled('Also', stepCells(plan.steps)),
    titled('Requests', requestCells(plan)),
    timeLines(plan),
    formatLeftBehindLines(plan.leftBehind, ink, view.columns),
    listed('Cannot be predicted', plan.unpredictable.map(predictionText), view.columns),
    ...view.samples.map((row) => sampleLines(row, view.diff, ink)),
    formatNextStepLines(view.next, ink),
  ]);
}

function titleLines(
  { pipeline, target, continues, limit, error }: PlanSummary,
  ink: TerminalStyler,
): readonly string[] {
  const what = [
    `Plan of ${toSingleLine(pipeline)} into ${toSingleLine(target)}`,
    ...(continues === null ? [] : [`continuing run ${continues}`]),
    ...(limit === null ? [] : [`the first ${formatQuantity(limit, 'row')}`]),
  ].join(', ');
  const stopped = error === null ? [] : [ink.tone('bad', `  The import would stop: ${toSingleLine(error)}`)];
  return [ink.bold(`${what}. Nothing was sent.`), ...stopped];
}

function rowLines({ rows }: PlanSummary, ink: TerminalStyler): readonly string[] {
  const read = Object.values(rows).reduce((sum, n) => sum + n, 0);
  const states = Object.entries(rowStateLabels).flatMap(([state, words]) => {
    const n = Object.entries(rows).find(([outcome]) => outcome === state)?.[1] ?? 0;
    return n === 0 ? [] : [{ ...words, n }];
  });
  const lines = alignColumns(
    [...states.map(({ label, n }) => [label, formatCount(n)]), ['rows', formatCount(read)]],
    [1],
  );
  return lines.map((line, n) => {
    const state = states[n];
    return `  ${state === undefined ? ink.dim(line) : ink.tone(state.tone, line)}`;
  });
}

function fieldCells({ field, filled, replaced, cleared, frequent }: FieldChangeSummary): readonly string[] {
  const parts = [
    ...(filled === 0 ? [] : [`${formatCount(filled)} filled`]),
    ...(replaced === 0 ? [] : [`${formatCount(replaced)} replaced`]),
    ...(cleared === 0 ? [] : [`${formatCount(cleared)} cleared`]),
  ];
  const examples = frequent.map(
    ({ from, to, contacts, ...row }) =>
      `${shown(from)} → ${shown(to)} (${contacts === 1 ? toSingleLine(formatRowPlace(row)) : formatCount(contacts)})`,
  );
  return [formatCount(filled + replaced + cleared), field, parts.join(', '), examples.join(', ')];
}

function stepCells(steps: readonly StepCountSummary[]): readonly (readonly string[])[] {
  const byName = Object.fromEntries(steps.map((step) => [step.step, step]));
  return listLabelledSteps(byName).map(({ label, step }) => [
    formatCount(step.count),
    label,
    step.frequent.map(({ value, count: n }) => `${shown(value)} (${formatCount(n)})`).join(', '),
  ]);
}

function requestCells({ writes, reads }: PlanSummary): readonly (readonly string[])[] {
  return [
    ...writes.map(({ request, count: n, perhaps }) => [
      n === 0 ? `up to ${formatCount(perhaps)}` : formatCount(n),
      request,
      n > 0 && perhaps > 0 ? `and up to ${formatCount(perhaps)} more` : '',
    ]),
    ...reads.map(({ request, count: n }) => [formatCount(n), request, '']),
  ];
}

function timeLines({ time }: PlanSummary): readonly string[] {
  const { leastSeconds, likelySeconds, bottleneck } = time;
  const what = {
    rate: `${formatQuantity(Math.round(bottleneck.requests), 'request')} of ${bottleneck.request ?? ''} at the rate limit`,
    latency: 'waiting for the answers',
    machine: 'this machine',
  }[bottleneck.kind];
  const least = `  Time: at least ${formatDuration(leastSeconds)}`;
  return likelySeconds === null
    ? [
        `${least}. How long it probably takes is known after an import has timed the answers (import --limit 200).`,
      ]
    : [`${least}, probably ${formatDuration(likelySeconds)}; most of it is ${what}.`];
}

function predictionText({ text, count: n }: PlanSummary['unpredictable'][number]): string {
  return `${text} (${formatCount(n)})`;
}

/** Returns the place of a row with a capital first letter. */
function atStart(row: RowPlace): string {
  const words = toSingleLine(formatRowPlace(row));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sampleLines(row: PlannedRow, diff: boolean, ink: TerminalStyler): readonly string[] {
  const { key, outcome, contact, problems, changes } = row;
  const who = [
    key === null ? '' : `, key ${toSingleLine(key)}`,
    contact === null ? '' : `, contact ${contact}`,
  ].join('');
  const { label, tone } = rowStateLabels[outcome];
  return [
    `${ink.bold(`${atStart(row)}${who}`)}: ${ink.tone(tone, label)}`,
    ...problems.map(({ code, reason }) => `  ${code}: ${toSingleLine(reason)}`),
    ...(diff ? diffLines(changes, ink) : alignColumns(changes.map(changeCells)).map((text) => `  ${text}`)),
  ];
}

function changeCells({ step, field, from, to }: PlannedChange): readonly string[] {
  return [step, field, from === undefined ? shown(to) : `${shown(from)} → ${shown(to)}`];
}

function diffLines(changes: readonly PlannedChange[], ink: TerminalStyler): readonly string[] {
  return changes.flatMap(({ step, field, from, to }) => [
    ...(from === undefined ? [] : [ink.tone('bad', `  - ${step} ${field}: ${shown(from)}`)]),
    ink.tone('good', `  + ${step} ${field}: ${shown(to)}`),
  ]);
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  return toSingleLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function titled(title: string, cells: readonly (readonly string[])[]): readonly string[] {
  return cells.length === 0 ? [] : [title, ...alignColumns(cells, [0]).map((line) => `  ${line}`)];
}

function listed(title: string, texts: readonly string[], columns: number | undefined): readonly string[] {
  if (texts.length === 0) return [];
  return [title, ...texts.map((text) => wrapText(text, { columns, first: '  - ', indent: '    ' }))];
}
