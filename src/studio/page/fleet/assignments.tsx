import type { AssignmentState, AssignmentStatus } from '../../wire/fleet.ts';
import type { Tone } from '../../wire/project.ts';
import { formatDateTime, formatDuration } from '../figures.ts';
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

/** Returns the label of an assignment's state. */
export const formatAssignmentState = (state: string): string => (state === 'look' ? 'needs a look' : state);

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
      label="Pipelines of workspaces"
      columns={columnsAt(new Date(at).getTime())}
      rows={assignments.length}
      rowAt={(index) => assignments[index]}
    />
  );
}

function columnsAt(now: number): readonly TableColumn<AssignmentStatus>[] {
  const ago = (time: string) =>
    `${formatDuration(Math.max(0, (now - new Date(time).getTime()) / 1_000))} ago`;
  return [
    { key: 'workspace', head: 'Workspace', cell: ({ workspace }) => workspace },
    { key: 'pipeline', head: 'Pipeline', cell: ({ pipeline }) => pipeline },
    {
      key: 'state',
      head: 'State',
      cell: ({ state }) => (
        <span class={`tag ${assignmentStateTones[state]}`}>{formatAssignmentState(state)}</span>
      ),
      width: '6.5rem',
    },
    {
      key: 'late',
      head: 'Late',
      cell: ({ lateSeconds }) => (lateSeconds === null ? '' : formatDuration(lateSeconds)),
      width: '7rem',
    },
    {
      key: 'success',
      head: 'Last success',
      cell: ({ lastSuccessAt }) => (lastSuccessAt === null ? 'never' : ago(lastSuccessAt)),
      width: '9rem',
    },
    {
      key: 'next',
      head: 'Next',
      cell: ({ nextAt }) => (nextAt === null ? '' : formatDateTime(nextAt)),
      width: '12rem',
    },
    { key: 'worker', head: 'Worker', cell: ({ worker }) => worker ?? '' },
  ];
}
