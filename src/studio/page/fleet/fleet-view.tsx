import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { AssignmentState, AssignmentStatus, FleetStatus, WorkerStatus } from '../../wire/fleet.ts';
import type { Tone } from '../../wire/project.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { useLatestStreamEvent } from '../hooks.ts';
import { t } from '../language.ts';
import { SelectField } from '../parts/controls.tsx';
import { DataTable, FactList } from '../parts/lists.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { type TableColumn, VirtualTable } from '../parts/table.tsx';

/** `#/fleet`: the status of the fleet, as `fleet status --watch` shows it. */
export function FleetView() {
  const { value, problem } = useLatestStreamEvent('watchFleet', {});
  const last = useSignal<FleetStatus | undefined>(undefined);
  const seen = value.value;
  useEffect(() => {
    if (seen !== undefined && 'status' in seen) last.value = seen.status;
  }, [seen]);
  const status = last.value;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {seen !== undefined && 'silent' in seen && (
        <Notice
          tone="bad"
          message={seen.silent}
          next={t('It is asked again every two seconds. What stands below may be older.')}
        />
      )}
      {status?.fleet === null && (
        <Notice tone="look" message={t('No fleet was applied yet.')}>
          <p>
            <code>longshore fleet apply fleet.yaml</code>
          </p>
        </Notice>
      )}
      {status !== undefined && status.fleet !== null && <Fleet status={status} />}
    </>
  );
}

function Fleet({ status }: { readonly status: FleetStatus }) {
  const { fleet, at, counts, workers, assignments } = status;
  const chosen = useSignal('');
  const shown = assignments.filter(
    ({ state, lateSeconds }) =>
      chosen.value === '' || state === chosen.value || (chosen.value === 'late' && lateSeconds !== null),
  );
  const present = Object.entries(counts).filter(([, n]) => n > 0);
  return (
    <>
      <Section title={fleet}>
        <FactList
          facts={{
            [t('Late')]: formatCount(counts.late),
            [t('Failed')]: formatCount(counts.failed),
            [t('Running')]: formatCount(counts.running),
            [t('Queued')]: formatCount(counts.queued + counts.retrying),
            [t('Workers')]: formatCount(workers.length),
            [t('Seen')]: formatDateTime(at),
          }}
        />
        {workers.length === 0 && <Notice tone="look" message={t('No worker is there: nothing runs.')} />}
        <Failures assignments={assignments} />
      </Section>
      <Section title={t('Pipelines of workspaces')}>
        <SelectField
          label={t('State')}
          value={chosen.value}
          options={[
            ['', t('all')],
            ...present.map(
              ([state, n]) => [state, `${states.get(state)?.words ?? state} (${formatCount(n)})`] as const,
            ),
          ]}
          onChoose={(state) => (chosen.value = state)}
        />
        <VirtualTable
          label={t('Pipelines of workspaces')}
          columns={columnsAt(new Date(at).getTime())}
          rows={shown.length}
          rowAt={(index) => shown[index]}
        />
      </Section>
      {workers.length > 0 && <WorkerTable workers={workers} />}
    </>
  );
}

const mostFailures = 20;

function Failures({ assignments }: { readonly assignments: readonly AssignmentStatus[] }) {
  const failing = assignments.filter(({ state, failures }) => state === 'failed' || failures > 0);
  return (
    <>
      {failing.slice(0, mostFailures).map(({ workspace, pipeline, state, failures, last, next }) => (
        <Notice key={`${workspace} ${pipeline}`} tone={state === 'failed' ? 'bad' : 'look'}>
          <p class="message">
            {t('{workspace} {pipeline} ({n, plural, one {# try} other {# tries}}): {message}', {
              ...{ workspace, pipeline, n: failures },
              message: last?.message ?? t('failed.'),
            })}
          </p>
          {last?.next != null && <p>{last.next}</p>}
          {next !== null && (
            <p>
              <code>{next}</code>
            </p>
          )}
        </Notice>
      ))}
      {failing.length > mostFailures && (
        <p class="note">
          {t('and {n, number} more: choose a state below', { n: failing.length - mostFailures })}
        </p>
      )}
    </>
  );
}

/** The silence of a worker, in seconds, above which the table shows how long it has lasted. */
const silent = 60;

function WorkerTable({ workers }: { readonly workers: readonly WorkerStatus[] }) {
  return (
    <Section title={t('Workers')}>
      <DataTable
        label={t('Workers and their machines')}
        columns={[t('Worker'), t('Machine'), { n: t('Jobs') }, t('State'), t('Started')]}
        rows={workers.map(({ worker, host, jobs, draining, silentSeconds, startedAt }) => [
          worker,
          host,
          formatCount(jobs),
          stateOf(draining, silentSeconds),
          formatDateTime(startedAt),
        ])}
      />
    </Section>
  );
}

function stateOf(draining: boolean, silentSeconds: number): string {
  if (silentSeconds <= silent) return draining ? t('draining') : t('takes jobs');
  const time = formatDuration(silentSeconds);
  return draining
    ? t('draining, last seen {time} ago', { time })
    : t('takes jobs, last seen {time} ago', { time });
}

/** The tone and the words of each state of an assignment, and of those that are late. */
const wordsOfStates: Readonly<
  Record<AssignmentState | 'late', { readonly tone: Tone; readonly words: string }>
> = {
  failed: { tone: 'bad', words: t('failed') },
  look: { tone: 'look', words: t('needs a look') },
  running: { tone: 'good', words: t('running') },
  retrying: { tone: 'look', words: t('retrying') },
  queued: { tone: 'quiet', words: t('queued') },
  paused: { tone: 'look', words: t('paused') },
  waiting: { tone: 'quiet', words: t('waiting') },
  idle: { tone: 'quiet', words: t('idle') },
  late: { tone: 'look', words: t('late') },
};
const states = new Map<string, (typeof wordsOfStates)['late']>(Object.entries(wordsOfStates));

function columnsAt(now: number): readonly TableColumn<AssignmentStatus>[] {
  const ago = (time: string) =>
    t('{time} ago', { time: formatDuration(Math.max(0, (now - new Date(time).getTime()) / 1_000)) });
  return [
    { head: t('Workspace'), cell: ({ workspace }) => workspace },
    { head: t('Pipeline'), cell: ({ pipeline }) => pipeline },
    {
      head: t('State'),
      cell: ({ state }) => <span class={`tag ${states.get(state)?.tone}`}>{states.get(state)?.words}</span>,
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
