import { basename } from 'node:path';
import type { Selection } from '../journal/index.ts';

/** Which rows a run takes up, in a few words for a list. */
export function selectionLabel(selection: Selection): string {
  switch (selection.kind) {
    case 'all':
      return 'all rows';
    case 'approve':
      return 'approved merges';
    case 'held':
      return 'held steps';
    case 'retry':
      return `retry of ${selection.run}`;
  }
}

/** What is typed to take up the same rows once more. */
export function selectionCommand(selection: Selection, pipelineFile: string): readonly string[] {
  switch (selection.kind) {
    case 'all':
      return ['import', pipelineFile];
    case 'approve':
      return ['import', pipelineFile, '--approve', selection.file];
    case 'held':
      return ['import', pipelineFile, '--phase', 'held'];
    case 'retry':
      return ['retry', selection.run, ...(selection.resend ? ['--resend'] : [])];
  }
}

/** Which rows a run takes up, in a sentence; undefined where it goes without saying. */
export function selectionSentence(selection: Selection): string | undefined {
  switch (selection.kind) {
    case 'all':
      return undefined;
    case 'approve':
      return `Only the merges approved in ${basename(selection.file)}.`;
    case 'held':
      return 'Only the steps that the pipeline holds back.';
    case 'retry': {
      const comments = selection.resend ? '; comments that may have been sent are sent again' : '';
      return `A retry of run ${selection.run}: its rows that were rejected, failed or are uncertain${comments}.`;
    }
  }
}
