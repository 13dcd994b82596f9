import { toSingleLine } from '../../../model/escape-controls.ts';
import { formatRowPlace } from '../../../model/row-place.ts';
import { formatCount, formatDuration, formatQuantity } from '../../../report/figures.ts';
import {
  alignColumns,
  createTerminalStyler,
  joinBlocks,
  type TerminalStyler,
} from '../../../report/layout.ts';
import { undoStateLabels } from '../../../report/words.ts';
import { formatNextStepLines } from '../../import/report/next-steps.ts';
import type { NextStep } from '../../import/report/summary.ts';
import { formatRunFileLines } from '../../import/report/terminal.ts';
import { toValueColumnName } from '../decide.ts';
import type { UndoPreview } from '../preview.ts';
import type { UndoSummary } from './undo-summary.ts';

interface View {
  readonly colour: boolean;
  readonly next: readonly NextStep[];
}

const keptWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  contact: ['created contact', 'created contacts'],
  merge: ['merge', 'merges'],
  comment: ['comment', 'comments'],
  contactTags: ['contact with attached tags', 'contacts with attached tags'],
  customField: ['created custom field', 'created custom fields'],
  tag: ['tag', 'tags'],
  value: ['value', 'values'],
  conversation: ['conversation', 'conversations'],
  failed: ['failed change', 'failed changes'],
};

/** Renders the preview of an undo as text; ends with a line break. */
export function renderUndoPreview(preview: UndoPreview, { colour, next }: View): string {
  const ink = createTerminalStyler(colour);
  const { run, contacts, changed, unread } = preview;
  const fields = Object.entries(preview.fields).map(([field, of]) => [
    `  ${toSingleLine(field)}`,
    formatCount(of.contacts),
    of.emptied === 0 ? '' : `${formatCount(of.emptied)} of them empty again`,
  ]);
  const tags = [
    ...preview.deletedTags.map((tag) => `  tag ${toSingleLine(tag)} deleted`),
    ...preview.createdTags.map((tag) => `  tag ${toSingleLine(tag)} created again`),
  ];
  const whys = Object.entries(preview.why).sort(([, a], [, b]) => b - a);
  return joinBlocks([
    [
      ink.bold(`Undo of run ${run}: what it would do. Nothing was sent.`),
      `  ${formatQuantity(contacts, 'contact')} of the run looked at; ${formatCount(changed)} would be put back.`,
      ...(unread === 0 ? [] : [`  ${formatQuantity(unread, 'contact')} could not be read.`]),
    ],
    fields.length + tags.length === 0
      ? []
      : [ink.bold('  Put back'), ...alignColumns(fields, [1]).map(indented), ...tags.map(indented)],
    preview.fields.conversation === undefined
      ? []
      : [
          ink.tone(
            'look',
            '  Conversations are opened and closed: automation may run, and closing notes are lost.',
          ),
        ],
    samplesOf(preview),
    keptLines(preview.kept, ink),
    sharedLines(preview.sharedIdentifiers, ink),
    whys.map(([why, n]) => ink.dim(`    ${formatCount(n)} × ${why}`)),
    formatNextStepLines(next, ink),
  ]);
}

function indented(line: string): string {
  return `  ${line}`;
}

function samplesOf({ samples }: UndoPreview): string[] {
  return samples.flatMap(({ contact, line, sheet, putBack }) => [
    `  Contact ${contact}${line === null ? '' : `, ${toSingleLine(formatRowPlace({ line, sheet }))}`}`,
    ...putBack.map(
      (value) => `    ${toSingleLine(toValueColumnName(value))}: ${shown(value.from)} → ${shown(value.to)}`,
    ),
  ]);
}

function shown(value: string | number | boolean | null): string {
  return value === null || value === '' ? 'empty' : toSingleLine(String(value));
}

function keptLines(kept: Readonly<Record<string, number>>, ink: TerminalStyler): string[] {
  const lines = Object.entries(kept).map(([kind, n]) => {
    const [one, many] = keptWords[kind] ?? [kind, kind];
    return [`    ${formatCount(n)}`, n === 1 ? one : many];
  });
  return lines.length === 0 ? [] : [ink.bold('  Left as they are'), ...alignColumns(lines, [0])];
}

function sharedLines(n: number, ink: TerminalStyler): string[] {
  if (n === 0) return [];
  const [who, it] =
    n === 1 ? ['One created contact has', 'it'] : [`${formatCount(n)} created contacts have`, 'them'];
  return [
    ink.tone(
      'look',
      `  ${who} an e-mail or phone that the undo puts back into another contact: delete ${it} before the next import.`,
    ),
  ];
}

/** Renders the result of an undo as text; ends with a line break. */
export function renderUndoResult(summary: UndoSummary, { colour, next }: View): string {
  const ink = createTerminalStyler(colour);
  const { contacts, values, kept, sharedIdentifiers, files, message } = summary;
  const done = contacts.total - contacts.notReached;
  const isWhole = summary.outcome === 'finished';
  const left = Object.values(kept).reduce((sum, n) => sum + n, 0);
  const title = isWhole
    ? headline(summary, left)
    : `Stopped after ${formatCount(done)} of ${formatQuantity(contacts.total, 'contact')}.`;
  const mark = isWhole && left === 0 ? ink.tone('good', `✔ ${title}`) : ink.tone('look', `! ${title}`);
  const fields = Object.entries(values).map(([field, n]) => [`    ${toSingleLine(field)}`, formatCount(n)]);
  const states = [
    [undoStateLabels.updated, contacts.putBack],
    [undoStateLabels.unchanged, contacts.unchanged],
    [undoStateLabels.skipped, contacts.kept],
    [undoStateLabels.failed, contacts.failed],
    [undoStateLabels.notReached, contacts.notReached],
  ] as const;
  return joinBlocks([
    [
      mark,
      `  An undo of run ${summary.undoes}.`,
      ...(message === null ? [] : [`  ${toSingleLine(message)}`]),
    ],
    alignColumns(
      states.filter(([, n]) => n > 0).map(([words, n]) => [`  ${words?.label}`, formatCount(n)]),
      [1],
    ),
    fields.length === 0 ? [] : [ink.bold('  Contacts by field'), ...alignColumns(fields, [1])],
    keptLines(kept, ink),
    sharedLines(sharedIdentifiers, ink),
    [`  ${formatQuantity(done, 'contact')} in ${formatDuration(summary.seconds)}`],
    formatRunFileLines(files, ink),
    formatNextStepLines(next, ink),
  ]);
}

function headline({ contacts, steps }: UndoSummary, left: number): string {
  const sent = Object.values(steps).some(({ acked }) => acked > 0);
  if (!sent)
    return left === 0 ? 'Finished: there was nothing to put back.' : 'Finished: nothing was put back.';
  const done = `Finished: ${formatQuantity(contacts.putBack, 'contact')} put back`;
  return left === 0
    ? `${done}.`
    : `${done}; ${left === 1 ? '1 thing is left as it is' : `${formatCount(left)} things are left as they are`} (undo-kept.csv).`;
}
