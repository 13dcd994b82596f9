import { useSignal } from '@preact/signals';
import type { Problem } from '../../wire/problem.ts';
import type { ExportStatus, RunStatus } from '../../wire/runs.ts';
import { call, shownProblem } from '../call.ts';
import { count, counted, duration, rate, time } from '../figures.ts';
import { useEvents } from '../hooks.ts';
import { Bar } from '../parts/bar.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { goTo, hrefOf } from '../place.ts';
import { project } from '../project.ts';
import { stateTones } from './state-tones.ts';

/** A run while it works and afterwards, from its journal: the same for one that was started in a terminal. */
export function RunPage({ run }: { readonly run: string }) {
  const { value, problem } = useEvents('watchRun', { run });
  const status = value.value;
  return (
    <section aria-labelledby="run-head">
      <h2 id="run-head">
        {run} {status && <span class={`tag ${stateTones[status.state]}`}>{status.state}</span>}
      </h2>
      <ProblemNotice problem={problem.value} />
      {status && <Standing status={status} />}
      {status && 'rows' in status && <Rows status={status} />}
      {status && 'rows' in status && <Problems status={status} />}
      {status && <Actions status={status} />}
    </section>
  );
}

type Status = RunStatus | ExportStatus;

function Standing({ status }: { readonly status: Status }) {
  const { now, seconds, message, exitCode } = status;
  return (
    <>
      {message !== null && (
        <Notice tone={exitCode === 0 ? 'quiet' : 'look'}>
          <p class="message">{message}</p>
        </Notice>
      )}
      {now?.waitsFor && (
        <Notice tone="look">
          <p class="message">
            {now.waitsFor.kind === 'paused' ? 'Paused, retrying' : 'Waiting'} until {time(now.waitsFor.until)}
            : {now.waitsFor.reason}
          </p>
        </Notice>
      )}
      <dl class="facts">
        <Fact term="Worked" text={duration(seconds)} />
        {now?.perSecond != null && <Fact term="Just now" text={`${rate(now.perSecond)} a second`} />}
        {'secondsLeft' in status && status.secondsLeft !== null && (
          <Fact term="Time left" text={duration(status.secondsLeft)} />
        )}
        {exitCode !== null && <Fact term="Exit code" text={String(exitCode)} />}
      </dl>
    </>
  );
}

function Fact({ term, text }: { readonly term: string; readonly text: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{text}</dd>
    </div>
  );
}

function Rows({ status: { rows } }: { readonly status: RunStatus }) {
  const counts = new Map<string, number>(Object.entries(rows));
  const parts = project.value.rowStates.map((words) => ({ ...words, n: counts.get(words.state) ?? 0 }));
  return (
    <>
      <p class="progress">
        <b>{count(rows.read - rows.notReached)}</b> of {counted(rows.read, 'row')} done
      </p>
      <Bar label="What became of the rows" parts={parts} />
    </>
  );
}

const problemColumns: readonly Column<RunStatus['problems'][number]>[] = [
  { key: 'code', head: 'Code', cell: ({ code }) => code, width: 'minmax(12rem, 2fr)' },
  { key: 'consequence', head: 'Consequence', cell: ({ consequence }) => consequence },
  { key: 'rows', head: 'Rows', cell: ({ n }) => count(n), width: '6rem', figures: true },
];

function Problems({ status: { problems } }: { readonly status: RunStatus }) {
  if (problems.length === 0) return null;
  return (
    <>
      <h3>Problems</h3>
      <Table
        label="Problems"
        columns={problemColumns}
        rows={problems.length}
        rowAt={(index) => problems[index]}
      />
    </>
  );
}

function Actions({ status: { run, state } }: { readonly status: Status }) {
  const asked = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const stop = async () => {
    if (asked.value) return;
    problem.value = undefined;
    try {
      await call('stopRun', { run });
      asked.value = true;
    } catch (error) {
      problem.value = shownProblem(error);
    }
  };
  if (state === 'running')
    return (
      <>
        <p class="buttons">
          <button
            type="button"
            disabled={project.value.readOnly}
            aria-disabled={asked.value}
            onClick={() => void stop()}
          >
            Stop
          </button>
          <span role="status">
            {asked.value && 'Asked to stop: it waits for requests in flight, and can be continued.'}
          </span>
        </p>
        <ProblemNotice problem={problem.value} />
      </>
    );
  if (state === 'finished' || state === 'elsewhere') return null;
  return (
    <StartButton
      label="Continue"
      command={{ command: 'resume', run }}
      confirm={{ title: 'Continue this run?', children: <p>Nothing is sent twice.</p> }}
      onStarted={({ id }) => goTo(hrefOf('run', 'command', id))}
    />
  );
}
