import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
import { formatCount, formatCountWithNoun, formatDuration, formatRate, formatTime } from '../figures.ts';
import { StackedBar } from '../parts/bar.tsx';
import { ColumnChart } from '../parts/chart.tsx';
import { FactList } from '../parts/facts.tsx';
import { Notice } from '../parts/notice.tsx';
import { listRowStateCounts } from '../project.ts';
import { formatRunMessage } from './run-state.tsx';

export type AnyRunStatus = RunStatus | ExportStatus;

/** The progress of a run: what it waits for, its speed, and the outcomes of its rows. */
export function RunProgress({ status }: { readonly status: AnyRunStatus }) {
  const { now, seconds, exitCode, speed } = status;
  const message = formatRunMessage(status);
  const of = 'rows' in status ? 'rows' : 'records';
  return (
    <>
      {message !== null && (
        <Notice tone={exitCode === 0 ? 'quiet' : 'look'}>
          <p class="message sentence">{message}</p>
        </Notice>
      )}
      {now?.waitsFor && Date.parse(now.waitsFor.until) > Date.now() && (
        <Notice tone="look">
          <p class="message">
            {now.waitsFor.kind === 'paused' ? 'Paused, retrying' : 'Waiting'} until{' '}
            {formatTime(now.waitsFor.until)}: {now.waitsFor.reason}
          </p>
        </Notice>
      )}
      {'rows' in status && <Rows status={status} />}
      {'counts' in status && <Counts status={status} />}
      <FactList
        facts={{
          Worked: formatDuration(seconds),
          'Just now': now?.perSecond == null ? null : `${formatRate(now.perSecond)} ${of} a second`,
          'On average':
            'perSecond' in status && status.perSecond !== null
              ? `${formatRate(status.perSecond)} ${of} a second`
              : null,
          'Time left':
            'secondsLeft' in status && status.secondsLeft !== null
              ? formatDuration(status.secondsLeft)
              : null,
          'In progress': now === null ? null : formatCount(now.active),
          'Waiting for the workspace': now === null || now.waiting === 0 ? null : formatCount(now.waiting),
          'Requests at once': speed.concurrency === null ? null : formatCount(speed.concurrency),
        }}
      />
    </>
  );
}

function Rows({ status: { rows } }: { readonly status: RunStatus }) {
  return (
    <>
      <p class="progress">
        <b>{formatCount(rows.read - rows.notReached)}</b> of {formatCountWithNoun(rows.read, 'row')} done
      </p>
      <StackedBar label="Rows by outcome" parts={listRowStateCounts(rows)} />
    </>
  );
}

function Counts({ status: { counts, now, folder } }: { readonly status: ExportStatus }) {
  const found: Readonly<Record<string, number>> = counts ?? now?.fetched ?? {};
  return (
    <>
      {folder !== null && (
        <p>
          In <code>{folder}</code>
        </p>
      )}
      <FactList
        facts={Object.fromEntries(
          Object.entries(found).map(([kind, n]) => [kind, <b key={kind}>{formatCount(n)}</b>]),
        )}
      />
    </>
  );
}

/** A chart of a run's rows or records per minute; nothing for fewer than two points. */
export function ThroughputChart({ status }: { readonly status: AnyRunStatus }) {
  const of = 'rows' in status ? 'Rows' : 'Records';
  if (status.pace.length < 2) return null;
  return (
    <ColumnChart
      label={`${of} per minute`}
      time="Work time"
      value={`${of} per minute`}
      parts={status.pace.map(({ from, to, rowsPerMinute }) => ({
        ...{ from, to, value: rowsPerMinute },
        when: `${formatDuration(from / 1_000)} to ${formatDuration(to / 1_000)}`,
        text: formatCount(Math.round(rowsPerMinute)),
      }))}
    />
  );
}
