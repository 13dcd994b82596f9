import { basename } from 'node:path';
import type { RetryMatchCounts, RowSelection, RunRecord, UndoSelection } from '../journal/index.ts';
import type { Outcome, RowCounts } from '../model/outcome.ts';
import { stepLabels } from '../steps/registry.ts';
import { formatCount, formatQuantity } from './figures.ts';

const words = new Map(stepLabels.map(({ name, label }) => [name, label]));

const stepOrder = [...words.keys()];

/**
 * Returns steps, given by name, in the order of `stepLabels`, each with its label. A step without a label has its name
 * as the label and comes last.
 */
export function listLabelledSteps<T>(
  steps: Readonly<Record<string, T>>,
): { readonly name: string; readonly label: string; readonly step: T }[] {
  const place = (name: string) => (stepOrder.includes(name) ? stepOrder.indexOf(name) : stepOrder.length);
  return Object.entries(steps)
    .map(([name, step]) => ({ name, label: words.get(name) ?? name, step }))
    .sort((a, b) => place(a.name) - place(b.name));
}

/**
 * Returns lines that break down the rows of a retry's input and count the earlier rows that it lacks; empty for other
 * runs.
 */
export function formatRetryMatchCounts({
  matched,
  selection,
}: {
  readonly matched?: RetryMatchCounts | undefined;
  readonly selection: { readonly kind: string; readonly from?: string };
}): readonly string[] {
  if (matched === undefined) return [];
  const { input, taken, added, done, changed, filtered, missing, removed, gone } = matched;
  const file = selection.from === undefined ? 'the input' : 'the corrected file';
  const parts = [
    `${formatCount(taken)} taken${added === 0 ? '' : ` (${formatCount(added)} of them new)`}`,
    `${formatCount(done)} done before`,
    ...(changed === 0 ? [] : [`${formatCount(changed)} done before and changed since`]),
    ...(filtered === 0 ? [] : [`${formatCount(filtered)} filtered`]),
  ];
  return [
    `${formatQuantity(input, 'row')} in ${file}: ${parts.join(', ')}.`,
    ...(missing === 0
      ? []
      : [`${formatQuantity(missing, 'open row')} ${missing === 1 ? 'is' : 'are'} no longer in ${file}.`]),
    ...(removed === 0
      ? []
      : [`${formatQuantity(removed, 'open row')} ${removed === 1 ? 'was' : 'were'} removed from ${file}.`]),
    ...(gone === 0
      ? []
      : [
          `${formatQuantity(gone, 'row')} done before ${gone === 1 ? 'is' : 'are'} no longer in ${file} as ${gone === 1 ? 'it was' : 'they were'}.`,
        ]),
    ...(missing === 0 || added === 0
      ? []
      : [
          'A corrected row is recognised by its key or by the _row column of rejects.csv, any other row by its unchanged cells; a row that is not recognised is imported as new.',
        ]),
  ];
}

/** Returns the number of earlier rows that a retry did not find, or found changed. */
export function countUnmatchedRetryRows(matched: RetryMatchCounts | undefined): number {
  return matched === undefined ? 0 : matched.missing + matched.changed;
}

/** The tone of an outcome: done, left alone by policy, needs a look, or wrong. */
export type Tone = 'good' | 'quiet' | 'look' | 'bad';

type RowState = Outcome | 'notReached';

interface Words {
  readonly label: string;
  readonly tone: Tone;
  /** The meaning, for a reader who sees the label for the first time. */
  readonly meaning: string;
}

/** The label, tone and meaning of every state of a row, in display order. */
export const rowStateLabels: Readonly<Record<RowState, Words>> = {
  created: { label: 'created', tone: 'good', meaning: 'new contacts' },
  updated: { label: 'updated', tone: 'good', meaning: 'contacts that got new values' },
  merged: { label: 'merged', tone: 'good', meaning: 'two contacts of one person became one' },
  folded: {
    label: 'folded',
    tone: 'good',
    meaning: 'merged into another row of the input: the same person',
  },
  unchanged: { label: 'unchanged', tone: 'quiet', meaning: 'already up to date; nothing was sent' },
  skipped: { label: 'skipped', tone: 'quiet', meaning: 'skipped by policy' },
  filtered: { label: 'filtered', tone: 'quiet', meaning: "left out by the source's where or skipEmpty" },
  proposed: {
    label: 'proposed',
    tone: 'look',
    meaning:
      'the row may be the same person as another row or contact, or two contacts may be one; it needs your answer',
  },
  stale: {
    label: 'stale',
    tone: 'look',
    meaning: 'something changed after it was proposed or the plan was made; nothing was sent',
  },
  uncertain: {
    label: 'uncertain',
    tone: 'look',
    meaning: 'a comment may have been sent; it cannot be verified through the API',
  },
  rejected: { label: 'rejected', tone: 'bad', meaning: 'the row has errors; nothing of it was sent' },
  failed: { label: 'failed', tone: 'bad', meaning: 'the workspace did not accept it' },
  notReached: { label: 'not reached', tone: 'quiet', meaning: 'the run ended before' },
};

const order = Object.entries(rowStateLabels);

/** The label and tone of every state of a contact of an undo, in display order. */
export const undoStateLabels: Readonly<Partial<Record<RowState, Pick<Words, 'label' | 'tone'>>>> = {
  updated: { label: 'put back', tone: 'good' },
  unchanged: { label: 'as before already', tone: 'quiet' },
  skipped: { label: 'left as they are', tone: 'look' },
  failed: { label: 'failed', tone: 'bad' },
  notReached: { label: 'not reached', tone: 'quiet' },
};

/** Returns the states of the contacts of an undo, in display order, each with its number of contacts. */
export function listUndoStateCounts(
  rows: RowCounts,
): (Pick<Words, 'label' | 'tone'> & { readonly n: number })[] {
  const counts = new Map<string, number>(Object.entries(rows));
  return Object.entries(undoStateLabels)
    .map(([state, words]) => ({ ...words, n: counts.get(state) ?? 0 }))
    .filter(({ n }) => n > 0);
}

/** Returns the states of the rows of a run, in display order, each with its number of rows. */
export function listRowStateCounts(
  rows: RowCounts,
): (Words & { readonly state: string; readonly n: number })[] {
  const counts = new Map<string, number>(Object.entries(rows));
  return order
    .map(([state, words]) => ({ ...words, state, n: counts.get(state) ?? 0 }))
    .filter(({ n }) => n > 0);
}

/** Returns the scope of a run in a few words, for a list of runs. */
export function formatSelectionLabel({
  kind,
  selection,
  undo,
}: Pick<RunRecord, 'kind' | 'selection' | 'undo'>): string {
  if (undo !== undefined) return `undo of ${undo.run}`;
  if (kind === 'export' && selection.kind === 'all') return 'workspace';
  switch (selection.kind) {
    case 'all':
      return 'all rows';
    case 'approve':
      return 'answered rows';
    case 'deferred':
      return 'deferred steps';
    case 'compact':
      return 'increments';
    case 'retry':
      return `retry of ${selection.run}`;
  }
}

/** Returns the words of the command that repeats a run. */
export function buildCommandWordsForRun({
  kind,
  selection,
  file,
  undo,
}: Pick<RunRecord, 'kind' | 'selection' | 'file' | 'undo'>): readonly string[] {
  if (undo !== undefined) return buildUndoCommandWords(undo);
  if (kind === 'export' && selection.kind === 'all') return ['export', file];
  return buildCommandWordsForSelection(selection, file);
}

/** Returns the words of the command that undoes a run. */
export function buildUndoCommandWords({ run, conversations, deleteTags }: UndoSelection): readonly string[] {
  return [
    ...['undo', run],
    ...(conversations ? ['--conversations'] : []),
    ...(deleteTags ? ['--delete-tags'] : []),
  ];
}

/** Returns the words of the command that processes the rows of a selection. */
export function buildCommandWordsForSelection(
  selection: RowSelection,
  pipelineFile: string,
): readonly string[] {
  switch (selection.kind) {
    case 'all':
      return ['import', pipelineFile];
    case 'approve':
      return ['import', pipelineFile, '--approve', selection.file];
    case 'deferred':
      return ['import', pipelineFile, '--deferred'];
    case 'compact':
      return ['export', pipelineFile, '--compact'];
    case 'retry':
      return [
        ...['retry', selection.run],
        ...(selection.from === undefined ? [] : ['--from', selection.from]),
        ...(selection.resend ? ['--resend'] : []),
        ...(selection.decided === undefined ? [] : ['--decided', selection.decided.file]),
        ...(selection.removed === true ? ['--removed'] : []),
      ];
  }
}

/** Returns the scope of a run in a sentence; undefined for all rows. */
export function formatSelectionSentence(selection: RowSelection): string | undefined {
  switch (selection.kind) {
    case 'all':
      return undefined;
    case 'approve':
      return `Only the rows answered in ${basename(selection.file)}.`;
    case 'deferred':
      return 'Only the deferred steps.';
    case 'compact':
      return 'Combined from increments.';
    case 'retry': {
      const { resend, decided } = selection;
      const resent = resend ? '; comments that may have been sent are resent' : '';
      const comments =
        decided === undefined ? resent : `; uncertain comments as decided in ${basename(decided.file)}`;
      const from = selection.from === undefined ? '' : `, as corrected in ${basename(selection.from)}`;
      return `A retry of run ${selection.run}: its rows that were rejected, failed or are uncertain${from}${comments}.`;
    }
  }
}
