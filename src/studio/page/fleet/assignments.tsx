import type { AssignmentState, AssignmentStatus } from '../../wire/fleet.ts';
import type { Tone } from '../../wire/project.ts';
import { formatDateTime, formatDuration } from '../figures.ts';
import { t } from '../language.ts';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';

/** The tone of each state of an assignment. */
export const assignmentStateTones: Readonly<Record<AssignmentState, Tone>> = {
  failed: 'bad',
  look: 'look',
  running: 'good',
  retrying: 'look',
  queued: 'quiet',
  paused: 'look',
  waiting: 'quiet',
  idle: 'quiet',
};

const words: ReadonlyMap<string, string> = new Map([
  ['failed', t('failed')],
  ['look', t('needs a look')],
  ['running', t('running')],
  ['retrying', t('retrying')],
  ['queued', t('queued')],
  ['paused', t('paused')],
  ['waiting', t('waiting')],
  ['idle', t('idle')],
  ['late', t('late')],
]);

/** Returns the label of an assignment's state, or of those that are late. */
export const formatAssignmentState = (state: string): string => words.get(state) ?? state;

/** The table of the given assignments, in their order; `at` is the time of the status (ISO 8601). */
export function AssignmentTable({
  assignments,
  at,
}: {
  readonly assignments: readonly AssignmentStatus[];
  readonly at: string;
}) {
  return (
    <VirtualTable
      label={t('Pipelines of workspaces')}
      columns={columnsAt(new Date(at).getTime())}
      rows={assignments.length}
      rowAt={(index) => assignments[index]}
    />
  );
}

function columnsAt(now: number): readonly TableColumn<AssignmentStatus>[] {
  const ago = (time: string) =>
    t('{time} ago', { time: formatDuration(Math.max(0, (now - new Date(time).getTime()) / 1_000)) });
  return [
    { head: t('Workspace'), cell: ({ workspace }) => workspace },
    { head: t('Pipeline'), cell: ({ pipeline }) => pipeline },
    {
      head: t('State'),
      cell: ({ state }) => (
        <span class={`tag ${assignmentStateTones[state]}`}>{formatAssignmentState(state)}</span>
      ),
      width: '6.5rem',
    },
    {
      head: t('Late'),
      cell: ({ lateSeconds }) => (lateSeconds === null ? '' : formatDuration(lateSeconds)),
      width: '7rem',
    },
    {
      head: t('Last success'),
      cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? t('never') : ago(lastSuccessAt)),
      width: '9rem',
    },
    {
      head: t('Next'),
      cell: ({ nextAt }) => (nextAt === null ? '' : formatDateTime(nextAt)),
      width: '12rem',
    },
    { head: t('Worker'), cell: ({ worker }) => worker ?? '' },
  ];
}
