import { toSingleLine } from '../../../model/escape-controls.ts';
import { formatCount, formatDuration, formatQuantity } from '../../../report/figures.ts';
import {
  alignColumns,
  createTerminalStyler,
  joinBlocks,
  type TerminalStyler,
  wrapText,
} from '../../../report/layout.ts';
import { formatLeftBehindLines } from '../../../report/left-behind-lines.ts';
import { formatNextStepLines } from '../../import/report/next-steps.ts';
import { excludeLosses, type ProblemDigest } from '../../import/report/problem-digest.ts';
import type { NextStep, Summary } from '../../import/report/summary.ts';
import { formatOutcomeCounts, formatStepCounts, formatTopProblems } from '../../import/report/terminal.ts';
import type { RehearsalSummary } from '../rehearsal-schema.ts';
import type { RehearsedContactChange } from './rehearsed-contacts.ts';

/** The options for the text of a rehearsal. */
export interface RehearsalTextOptions {
  readonly colour: boolean;
  readonly columns?: number | undefined;
  readonly next: readonly NextStep[];
}

/** Returns a rehearsal as text for the terminal; ends with a line break. */
export function renderRehearsal(
  rehearsal: RehearsalSummary,
  run: Pick<Summary, 'rows' | 'steps'>,
  problems: readonly ProblemDigest[],
  view: RehearsalTextOptions,
): string {
  const ink = createTerminalStyler(view.colour);
  return joinBlocks([
    titleLines(rehearsal, ink),
    formatOutcomeCounts(run, ink),
    formatStepCounts(run),
    formatLeftBehindLines(rehearsal.leftBehind, ink, view.columns),
    formatTopProblems(excludeLosses(problems), ink, view.columns),
    [...contactLines(rehearsal), ...timeLines(rehearsal)],
    ...rehearsal.samples.map((change) => sampleLines(change, ink)),
    listed('What a rehearsal cannot know', rehearsal.limits, view.columns),
    fileLines(rehearsal),
    formatNextStepLines(view.next, ink),
  ]);
}

function titleLines(
  { pipeline, target, continues, limit, error, guard }: RehearsalSummary,
  ink: TerminalStyler,
): readonly string[] {
  const what = [
    `Rehearsal of ${toSingleLine(pipeline)} on a copy of ${toSingleLine(target)}`,
    ...(continues === null ? [] : [`continuing run ${continues}`]),
    ...(limit === null ? [] : [`the first ${formatQuantity(limit, 'row')}`]),
  ].join(', ');
  const bad = (text: string) => ink.tone('bad', `  ${toSingleLine(text)}`);
  return [
    ink.bold(`${what}. Nothing was sent to it.`),
    ...(error === null ? [] : [bad(`The import would stop: ${error}`)]),
    ...(guard === null ? [] : [bad(`The guard would stop the import: ${guard}`)]),
  ];
}

function contactLines({ contacts }: RehearsalSummary): readonly string[] {
  const { copied, created, changed, mergedAway } = contacts;
  const parts = [
    `${formatCount(created)} new`,
    `${formatCount(changed)} changed`,
    ...(mergedAway === 0 ? [] : [`${formatCount(mergedAway)} merged into another`]),
  ];
  return [`  Contacts: ${formatQuantity(copied, 'contact')} copied; after the import ${parts.join(', ')}`];
}

function timeLines({ time }: RehearsalSummary): readonly string[] {
  const basis = {
    imports: 'with answers as fast as in earlier imports',
    reads: 'with every answer as fast as the reads for this copy',
    nothing: 'with answers that take no time',
  }[time.timed];
  return [
    `  Time on the real workspace: ${time.seconds < 1 ? 'less than a second' : `about ${formatDuration(time.seconds)}`}, ${basis}`,
  ];
}

function sampleLines(
  { contact, change, name, values }: RehearsedContactChange,
  ink: TerminalStyler,
): readonly string[] {
  const who = contact === null ? 'New contact' : `Contact ${contact}`;
  const what = change === 'mergedAway' ? ': merged into another contact' : '';
  const title = `${ink.bold(`${who}${name === '' ? '' : ` (${toSingleLine(name)})`}`)}${what}`;
  if (change === 'mergedAway') return [title];
  const cells = values.map(({ field, from, to }) => [
    toSingleLine(field),
    change === 'created' ? shown(to) : `${shown(from)} → ${shown(to)}`,
  ]);
  return [title, ...alignColumns(cells).map((line) => `  ${line}`)];
}

function shown(value: string | null): string {
  return value === null || value === '' ? 'empty' : toSingleLine(value);
}

function fileLines({ files, kept }: RehearsalSummary): readonly string[] {
  return [
    ...(files === null ? [] : [`  Contacts before: ${files.before}`, `  Contacts after:  ${files.after}`]),
    ...(kept === null ? [] : [`  The copy holds personal data and is kept in ${kept}`]),
  ];
}

function listed(title: string, texts: readonly string[], columns: number | undefined): readonly string[] {
  if (texts.length === 0) return [];
  return [title, ...texts.map((text) => wrapText(text, { columns, first: '  - ', indent: '    ' }))];
}
