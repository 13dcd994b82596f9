import type { ComponentChildren } from 'preact';
import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
import { formatCount, formatDuration, formatRate, formatTime } from '../figures.ts';
import { rich, t } from '../language.ts';
import { StackedBar } from '../parts/bar.tsx';
import { ColumnChart } from '../parts/chart.tsx';
import { FactList } from '../parts/lists.tsx';
import { Notice } from '../parts/notice.tsx';
import { formatRunMessage, listRowStatesOfRun } from './run-state.tsx';

export type AnyRunStatus = RunStatus | ExportStatus;

type Wait = NonNullable<NonNullable<AnyRunStatus['now']>['waitsFor']>;

/** The progress of a run: what it waits for, its speed, and the outcomes of its rows. */
export function RunProgress({ status }: { readonly status: AnyRunStatus }) {
  const { now, seconds, exitCode, speed } = status;
  const message = formatRunMessage(status);
  return (
    <>
      {message !== null && (
        <Notice tone={exitCode === 0 ? 'quiet' : 'look'}>
          <p class="message sentence">{message}</p>
        </Notice>
      )}
      {now?.waitsFor && Date.parse(now.waitsFor.until) > Date.now() && (
        <Notice tone="look" message={waitText(now.waitsFor)} />
      )}
      {'rows' in status && <Rows status={status} />}
      {'counts' in status && <Counts status={status} />}
      <FactList
        facts={{
          [t('Work time')]: formatDuration(seconds),
          [t('Just now')]: now?.perSecond == null ? null : paceText(status, now.perSecond),
          [t('On average')]:
            'perSecond' in status && status.perSecond !== null ? paceText(status, status.perSecond) : null,
          [t('Time left')]:
            'secondsLeft' in status && status.secondsLeft !== null
              ? formatDuration(status.secondsLeft)
              : null,
          [t('In progress')]: now === null ? null : formatCount(now.active),
          [t('Waiting for the workspace')]:
            now === null || now.waiting === 0 ? null : formatCount(now.waiting),
          [t('Requests at once')]: speed.concurrency === null ? null : formatCount(speed.concurrency),
        }}
      />
    </>
  );
}

function waitText({ kind, until, reason }: Wait): string {
  const time = formatTime(until);
  return kind === 'paused'
    ? t('Paused, retrying until {time}: {reason}', { time, reason })
    : t('Waiting until {time}: {reason}', { time, reason });
}

function paceText(status: AnyRunStatus, perSecond: number): string {
  const rate = formatRate(perSecond);
  const n = Math.round(perSecond * 10) / 10;
  return 'rows' in status
    ? t('{n, plural, one {{rate} row} other {{rate} rows}} a second', { n, rate })
    : t('{n, plural, one {{rate} record} other {{rate} records}} a second', { n, rate });
}

function Rows({ status }: { readonly status: RunStatus }) {
  const { kind, rows } = status;
  const done = {
    ...{ done: rows.read - rows.notReached, read: rows.read },
    b: (parts: ComponentChildren) => <b>{parts}</b>,
  };
  return (
    <>
      <p>
        {kind === 'undo'
          ? rich(
              '<b>{done, number}</b> of {read, plural, one {# contact} other {# contacts}} processed',
              done,
            )
          : rich('<b>{done, number}</b> of {read, plural, one {# row} other {# rows}} processed', done)}
      </p>
      <StackedBar label={t('Rows by outcome')} parts={listRowStatesOfRun(status)} />
    </>
  );
}

function Counts({ status: { counts, now, folder } }: { readonly status: ExportStatus }) {
  const found: Readonly<Record<string, number>> = counts ?? now?.fetched ?? {};
  return (
    <>
      {folder !== null && <p>{rich('In {folder}', { folder: <code>{folder}</code> })}</p>}
      <FactList
        facts={Object.fromEntries(
          Object.entries(found).map(([kind, n]) => [kind, <b key={kind}>{formatCount(n)}</b>]),
        )}
      />
    </>
  );
}

/** A chart of a run's rows or records per second; nothing for fewer than two points. */
export function ThroughputChart({ status }: { readonly status: AnyRunStatus }) {
  if (status.pace.length < 2) return null;
  const label = 'rows' in status ? t('Rows per second') : t('Records per second');
  return (
    <ColumnChart
      label={label}
      time={t('Work time')}
      value={label}
      parts={status.pace.map(({ from, to, rowsPerMinute }) => ({
        ...{ from, to, value: rowsPerMinute / 60 },
        when: t('{from} to {to}', { from: formatDuration(from / 1_000), to: formatDuration(to / 1_000) }),
        text: formatRate(rowsPerMinute / 60),
      }))}
    />
  );
}
