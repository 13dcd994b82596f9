import { expect, it } from 'vitest';
import {
  type AssignmentStatus,
  countStalledPipelines,
  type FleetStatus,
  type WorkerStatus,
} from '../../src/fleet/control/status.ts';
import { renderFleetStatus, renderWorkspaceStatus } from '../../src/fleet/control/status-text.ts';
import { usualInvocation } from '../invocation.ts';

const at = '2026-01-01T02:00:00Z';
const none = { failed: 0, running: 0, retrying: 0, queued: 0, paused: 0, waiting: 0, idle: 0, late: 0 };

it('a workspace whose input was replaced is shown with why it waits, and what to type', () => {
  const message = 'The input people.csv has changed while a run is unfinished.';
  const next = 'npx longshore fleet continue acme load --with new';
  const ending = { run: null, exitCode: 2, message, next, waitsFor: 'person', endedAt: at } as const;
  const status: FleetStatus = {
    ...{ fleet: 'tests', appliedAt: at, at, counts: { ...none, look: 1 }, workers: [] },
    assignments: [
      {
        ...{ workspace: 'acme', pipeline: 'load', kind: 'import', state: 'look', lateSeconds: null },
        ...{ failures: 0, worker: null, lastSuccessAt: null, lastStartedAt: at, nextAt: null, retryAt: null },
        ...{ failingSince: null, waitsFor: null },
        ...{ last: ending, next: 'npx longshore fleet status acme' },
      },
    ],
  };
  const text = renderWorkspaceStatus(status, [], { invocation: usualInvocation, colour: false, all: false });
  expect(text).toContain(`load: ${message}\n    ${next}\n`);
});

const usual = {
  ...{ workspace: 'acme', pipeline: 'load', kind: 'import', state: 'idle', lateSeconds: null, failures: 0 },
  ...{
    worker: null,
    lastSuccessAt: null,
    lastStartedAt: null,
    nextAt: null,
    retryAt: null,
    failingSince: null,
    waitsFor: null,
    last: null,
    next: null,
  },
} as const satisfies AssignmentStatus;
const one: WorkerStatus = {
  ...{ worker: 'w1', host: 'h', startedAt: at, silentSeconds: 1, draining: false, jobs: 1, alive: true },
  ...{ notReady: null, refused: {} },
};
const statusOf = (...assignments: readonly Partial<AssignmentStatus>[]): FleetStatus => ({
  ...{ fleet: 'tests', appliedAt: at, at, counts: { ...none, look: 0 }, workers: [one] },
  assignments: assignments.map((each) => ({ ...usual, ...each })),
});
const view = { invocation: usualInvocation, colour: false, all: false };

it('a pipeline that is running is shown with its worker, and for how long it has been', () => {
  const status = statusOf({ state: 'running', worker: 'w1', lastStartedAt: '2026-01-01T01:48:00Z' });
  expect(renderFleetStatus(status, view)).toMatch(/acme +load +running 12 min on w1 /);
});

it('a pipeline that waits for its workspace is shown with the error, and since when', () => {
  const reason = 'http://127.0.0.1:4101/v1 accepts no requests (ECONNREFUSED)';
  const waitsFor = { since: '2026-01-01T01:50:00Z', reason };
  const status = statusOf({ state: 'running', worker: 'w1', lastStartedAt: at, waitsFor }, {});
  const line = `  acme load waits for the workspace since 2026-01-01 01:50 +00:00: ${reason}\n`;
  expect(renderFleetStatus(status, view)).toContain(line);
  expect(renderWorkspaceStatus(status, [], view)).toContain(line);
  expect(renderFleetStatus(statusOf({}), view)).not.toContain('waits for');
});

it('what waits to be tried again says when, and how it is tried at once', () => {
  const next = 'npx longshore fleet retry acme load';
  const last = { run: null, exitCode: 7, message: 'no answer.', next: null, endedAt: at };
  const status = statusOf({ state: 'retrying', failures: 2, retryAt: '2026-01-01T02:08:00Z', last, next });
  expect(renderFleetStatus(status, view)).toContain(
    `acme load (2 tries): no answer. It is tried again in 8 min, or now with:\n    ${next}\n`,
  );
});

it('pipelines that need a look, and paused workspaces, are named with what to type', () => {
  const looks = ['acme', 'birch'].map((workspace) => ({
    ...{ workspace, state: 'look' as const, next: `npx longshore fleet status ${workspace}` },
  }));
  const paused = ['cedar', 'dune'].map((workspace) => ({
    ...{ workspace, state: 'paused' as const, next: `npx longshore fleet resume ${workspace}` },
  }));
  const text = renderFleetStatus(statusOf(...looks, ...paused), view);
  expect(text).toContain(
    '  acme load needs a look:\n    npx longshore fleet status acme\n' +
      '  birch load needs a look:\n    npx longshore fleet status birch\n' +
      '  cedar is paused:\n    npx longshore fleet resume cedar\n' +
      '  dune is paused:\n    npx longshore fleet resume dune\n',
  );
  expect(renderWorkspaceStatus(statusOf(...paused.slice(1)), [], view)).toContain(
    '  dune is paused:\n    npx longshore fleet resume dune\n',
  );
});

it('a try says what it came to, and how long it took', () => {
  const tries = [
    { counts: { contacts: 340, messages: 2_744 }, seconds: 63 },
    { counts: { created: 0, updated: 2 }, seconds: 4, exitCode: 3 },
  ].map((each) => ({
    pipeline: 'load',
    run: 'r',
    exitCode: 0,
    message: null,
    next: null,
    endedAt: at,
    ...each,
  }));
  const text = renderWorkspaceStatus(statusOf({}), tries, view);
  expect(text).toContain('exit code 0: 340 contacts, 2,744 messages in 1 min 3 s');
  expect(text).toContain('exit code 3: 2 updated in 4 s');
});

it('where no worker is alive, the status of a workspace says so, too', () => {
  const workers = [{ ...one, alive: false }];
  const textOf = (state: AssignmentStatus['state']) =>
    renderWorkspaceStatus({ ...statusOf({ state }), workers }, [], view);
  expect(textOf('idle')).toContain('No worker is alive: nothing runs.');
  expect(textOf('queued')).toContain(
    '  No worker is alive: 1 pipeline waits. Start one:\n    npx longshore worker fleet.yaml\n',
  );
});

it('pipelines are stalled that are queued or retried while no worker takes their jobs', () => {
  const states = ['queued', 'retrying', 'running', 'paused', 'waiting', 'failed'] as const;
  const { assignments } = statusOf(...states.map((state) => ({ state })), {
    workspace: 'birch',
    state: 'queued',
  });
  const stalled = (...workers: readonly Partial<WorkerStatus>[]) =>
    countStalledPipelines({ assignments, workers: workers.map((each) => ({ ...one, ...each })) });
  expect(stalled()).toBe(3);
  expect(stalled({ alive: false }, { draining: true }, { notReady: 'the disk is full.' })).toBe(3);
  expect(stalled({ refused: { birch: 'no token.' } })).toBe(1);
  expect(stalled({ refused: { birch: 'no token.' } }, {})).toBe(0);
});

it('where no worker takes the jobs of a workspace, its status says why; where one does, it does not', () => {
  const why = 'the token of acme cannot be read.';
  const refusing = { ...one, refused: { acme: why } };
  const full = { ...one, notReady: 'the disk is nearly full.' };
  const textOf = (...workers: readonly WorkerStatus[]) =>
    renderWorkspaceStatus({ ...statusOf({ state: 'queued' }), workers }, [], view);
  expect(textOf(refusing, full)).toContain(
    `  No worker takes a job of acme: ${why}\n  No worker takes a job of acme: the disk is nearly full.\n`,
  );
  expect(textOf(refusing, one)).not.toContain('No worker');
  const fleet = (...workers: readonly WorkerStatus[]) =>
    renderFleetStatus({ ...statusOf({}), workers }, view);
  expect(fleet(full)).toContain('No worker takes a job: nothing runs.');
  expect(fleet(full, refusing)).not.toContain('No worker');
});

const failed = (names: string, more: Partial<AssignmentStatus> = {}) => {
  const [workspace = '', pipeline = ''] = names.split(' ');
  const last = { run: null, exitCode: 5, message: 'the token was refused.', next: null, endedAt: at };
  const next = `npx longshore fleet retry ${workspace} ${pipeline}`;
  return {
    workspace,
    pipeline,
    state: 'failed' as const,
    failures: 1,
    failingSince: at,
    last,
    next,
    ...more,
  };
};

it('what failed alike is named with since when, and one command retries it', () => {
  const since = '2026-01-01T01:00:00Z';
  const alike = [failed('acme load'), failed('acme nightly', { failures: 2, failingSince: since })];
  const one = renderFleetStatus(statusOf(...alike), view);
  expect(one).toMatch(/ {2}acme load, acme nightly \(1 try since 2026-01-01 .*\): the token was refused\.\n/);
  expect(one).toContain('\n    npx longshore fleet retry acme\n');
  const two = renderFleetStatus(statusOf(...alike, failed('birch load')), view);
  expect(two).toContain('acme load, acme nightly, birch load (1 try since');
  expect(two).toContain('\n    npx longshore fleet retry --all\n');
});

it('what failed alike but for the name of the workspace is one line, with the step that each asks for', () => {
  const alike = Array.from({ length: 6 }, (_, n) => {
    const next = `Set a token that w${n} accepts in TOKEN_${n}.`;
    const message = `the token of w${n} was refused.`;
    const last = { run: null, exitCode: 5, message, next, endedAt: at };
    return failed(`w${n} load`, { last });
  });
  const text = renderFleetStatus(statusOf(...alike), view);
  expect(text).toContain('w0 load, w1 load, w2 load, w3 load and 2 more (1 try since');
  expect(text.match(/Set a token that .* accepts/g)).toHaveLength(4);
  expect(text).toContain(
    '    Set a token that w3 accepts in TOKEN_3.\n    npx longshore fleet retry --all\n' +
      '    and 2 more such steps: npx longshore fleet status --all\n',
  );
  const all = renderFleetStatus(statusOf(...alike), { ...view, all: true });
  expect(all).toContain('Set a token that w5 accepts in TOKEN_5.');
});

it('what is tried again and what was given up are named apart, each with its own command', () => {
  const tried = { retryAt: '2026-01-01T02:08:00Z', state: 'retrying' as const };
  const text = renderFleetStatus(statusOf(failed('acme load', tried), failed('birch load')), view);
  expect(text).toMatch(/acme load \(1 try .*tried again in 8 min.*\n {4}.* fleet retry acme load\n/);
  expect(text).toMatch(/ {2}birch load \(1 try [^\n]*refused\.\n {4}.* fleet retry birch load\n/);
});

it('what failed for more reasons than are shown is shown with a command', () => {
  const many = Array.from({ length: 12 }, (_, n) => {
    const last = { run: null, exitCode: 2, message: `reason ${n}.`, next: null, endedAt: at };
    return failed(`w${n} load`, { last });
  });
  expect(renderFleetStatus(statusOf(...many), view)).toContain(
    '\n  and 2 more: npx longshore fleet status --all\n',
  );
  expect(renderFleetStatus(statusOf(...many), { ...view, all: true })).toContain('reason 11.');
});

it('a failure is named with one command to run it again', () => {
  const next = 'npx longshore fleet run acme load';
  const last = { run: 'r', exitCode: 5, message: 'the token was refused.', next, endedAt: at };
  expect(renderFleetStatus(statusOf(failed('acme load', { last })), view)).not.toContain(next);
});

it('a pipeline that needs a look is named with why, since when, and what to type', () => {
  const counts = { created: 2, rejected: 3 };
  const rejected = { run: 'r', exitCode: 3, message: null, next: null, endedAt: at, counts };
  const message = 'The input people.csv has changed while a run is unfinished.';
  const next = 'npx longshore fleet continue birch load --with new';
  const held = { run: null, exitCode: 2, message, next, waitsFor: 'person' as const, endedAt: at };
  const looks = [
    { workspace: 'acme', last: rejected, next: 'npx longshore fleet status acme' },
    { workspace: 'birch', last: held, next: 'npx longshore fleet status birch' },
  ];
  const text = renderFleetStatus(
    statusOf(...looks.map((each) => ({ ...each, state: 'look' as const }))),
    view,
  );
  expect(text).toMatch(
    / {2}acme load needs a look since 2026-01-01 .*: exit code 3, 2 created, 3 rejected\n {4}npx longshore fleet status acme\n/,
  );
  expect(text).toMatch(
    / {2}birch load needs a look since .*: The input people\.csv has changed .*\n {4}npx longshore fleet continue birch load --with new\n/,
  );
});
