import type { ExportStatus, RunListEntry, RunStatus } from '../../wire/runs.ts';
import { formatCountWithNoun, formatDay } from '../figures.ts';

type AnyRun = RunListEntry | RunStatus | ExportStatus;

/** Formats the name of a run for people: `contacts.csv, 23 Nov, 1,977 rows`. Two runs of a day may have the same name. */
export function formatRunName(run: AnyRun): string {
  return [subjectOf(run), formatDay(run.startedAt), amountOf(run)].filter((part) => part !== '').join(', ');
}

function subjectOf(run: AnyRun): string {
  if (run.kind === 'export') return run.pipeline;
  // The name of a workspace is an address; that of a file is a path.
  const input = run.input.includes('://') ? run.input : (run.input.split(/[/\\]/).at(-1) ?? '');
  if (run.kind === 'undo') return `Undo of ${input}`;
  if ('selection' in run && run.selection.kind === 'retry' && run.selection.from !== undefined)
    return 'Retry with corrected rows';
  const scopes = {
    all: '',
    approve: 'Approved merges of ',
    deferred: 'Deferred steps of ',
    retry: 'Retry of ',
    compact: '',
  };
  return `${'selection' in run ? scopes[run.selection.kind] : ''}${input}`;
}

function amountOf(run: AnyRun): string {
  if (run.kind === 'export') {
    const { contacts, messages } = ('counts' in run && run.counts) || {};
    if (contacts !== undefined) return formatCountWithNoun(contacts, 'contact');
    return messages === undefined ? '' : formatCountWithNoun(messages, 'message');
  }
  if (!('rows' in run)) return '';
  const n = typeof run.rows === 'number' ? run.rows : run.rows.read;
  return formatCountWithNoun(n, run.kind === 'undo' ? 'contact' : 'row');
}
