import { expect, it } from 'vitest';
import type { FleetStatus } from '../../src/fleet/control/status.ts';
import { renderWorkspaceStatus } from '../../src/fleet/control/status-text.ts';
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
        ...{ failures: 0, worker: null, lastSuccessAt: null, lastStartedAt: at, nextAt: null },
        ...{ last: ending, next: 'npx longshore fleet status acme' },
      },
    ],
  };
  const text = renderWorkspaceStatus(status, [], { invocation: usualInvocation, colour: false, all: false });
  expect(text).toContain(`load: ${message}\n    ${next}\n`);
});
