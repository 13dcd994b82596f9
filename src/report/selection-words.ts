import { basename } from 'node:path';
import type { RunRecord, Selection } from '../journal/index.ts';

/** Which rows a run takes up, in a few words for a list. */
export function selectionLabel({ kind, selection }: Pick<RunRecord, 'kind' | 'selection'>): string {
  if (kind === 'export' && selection.kind === 'all') return 'workspace';
  switch (selection.kind) {
    case 'all':
      return 'all rows';
    case 'approve':
      return 'approved merges';
    case 'deferred':
      return 'deferred steps';
    case 'compact':
      return 'increments';
    case 'retry':
      return `retry of ${selection.run}`;
  }
}

/** What is typed to do once more what a run did. */
export function runCommand({
  kind,
  selection,
  file,
}: Pick<RunRecord, 'kind' | 'selection' | 'file'>): readonly string[] {
  if (kind === 'export' && selection.kind === 'all') return ['export', file];
  return selectionCommand(selection, file);
}

/** What is typed to take up the same rows once more. */
export function selectionCommand(selection: Selection, pipelineFile: string): readonly string[] {
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
        ...(selection.removed === true ? ['--removed'] : []),
      ];
  }
}

/** Which rows a run takes up, in a sentence; undefined where it goes without saying. */
export function selectionSentence(selection: Selection): string | undefined {
  switch (selection.kind) {
    case 'all':
      return undefined;
    case 'approve':
      return `Only the merges approved in ${basename(selection.file)}.`;
    case 'deferred':
      return 'Only the deferred steps.';
    case 'compact':
      return 'Combined from increments.';
    case 'retry': {
      const comments = selection.resend ? '; comments that may have been sent are resent' : '';
      const from = selection.from === undefined ? '' : `, as corrected in ${basename(selection.from)}`;
      return `A retry of run ${selection.run}: its rows that were rejected, failed or are uncertain${from}${comments}.`;
    }
  }
}
