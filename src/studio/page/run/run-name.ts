import type { ExportStatus, RunListEntry, RunStatus } from '../../wire/runs.ts';
import { formatDay } from '../figures.ts';
import { t } from '../language.ts';

type AnyRun = RunListEntry | RunStatus | ExportStatus;

/** Formats the name of a run for people: `contacts.csv, 23 Nov, 1,977 rows`. Two runs of a day may have the same name. */
export function formatRunName(run: AnyRun): string {
  return [subjectOf(run), formatDay(run.startedAt), amountOf(run)].filter((part) => part !== '').join(', ');
}

/** Returns the last part of a path. */
export function formatFileName(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? '';
}

function subjectOf(run: AnyRun): string {
  if (run.kind === 'export') return run.pipeline;
  // The name of a workspace is an address; that of a file is a path.
  const file = run.input.includes('://') ? run.input : formatFileName(run.input);
  if (run.kind === 'undo') return t('Undo of {file}', { file });
  if (!('selection' in run)) return file;
  switch (run.selection.kind) {
    case 'approve':
      return run.selection.file.endsWith('same-person.csv')
        ? t('Answered questions of {file}', { file })
        : t('Approved merges of {file}', { file });
    case 'deferred':
      return t('Deferred steps of {file}', { file });
    case 'retry':
      return run.selection.from === undefined
        ? t('Retry of {file}', { file })
        : t('Retry with corrected rows');
    default:
      return file;
  }
}

function amountOf(run: AnyRun): string {
  if (run.kind === 'export') {
    const { contacts, messages } = ('counts' in run && run.counts) || {};
    if (contacts !== undefined) return t('{n, plural, one {# contact} other {# contacts}}', { n: contacts });
    return messages === undefined
      ? ''
      : t('{n, plural, one {# message} other {# messages}}', { n: messages });
  }
  if (!('rows' in run)) return '';
  const n = typeof run.rows === 'number' ? run.rows : run.rows.read;
  return run.kind === 'undo'
    ? t('{n, plural, one {# contact} other {# contacts}}', { n })
    : t('{n, plural, one {# row} other {# rows}}', { n });
}
