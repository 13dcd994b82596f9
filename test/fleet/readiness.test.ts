import { expect, it } from 'vitest';
import { MachineReadiness } from '../../src/fleet/worker/readiness.ts';

const nothing = { notReady: undefined, refused: new Map<string, string>() };
const gaveBack = { fault: 'machine', message: 'EACCES: permission denied' } as const;
const minute = 60_000;

it('a workspace whose jobs this machine gives back again and again is refused since the first time, whatever a look finds', () => {
  const readiness = new MachineReadiness();
  for (let n = 0; n < 5; n += 1) {
    readiness.found(nothing, n * minute);
    // After a look it is tried again.
    expect(readiness.state.refused).toEqual({});
    readiness.ended('acme', gaveBack, n * minute + 1_000);
    expect(readiness.state.refused).toEqual({
      acme: { message: gaveBack.message, since: new Date(1_000).toISOString() },
    });
  }
});

it('jobs of one workspace alone do not stop the machine, those of three workspaces in a row do', () => {
  const readiness = new MachineReadiness();
  readiness.found(nothing, 0);
  for (const workspace of ['acme', 'acme', 'birch', 'acme']) readiness.ended(workspace, gaveBack, 1_000);
  expect(readiness.state).toMatchObject({ notReady: null, refused: { acme: {}, birch: {} } });
  readiness.ended('cedar', gaveBack, 1_000);
  expect(readiness.state.notReady).toContain('Jobs of 3 workspaces in a row');
  // After a look, one more job shows whether it is over.
  readiness.found(nothing, minute);
  expect(readiness.state.notReady).toBeNull();
  readiness.ended('cedar', gaveBack, minute);
  expect(readiness.state.notReady).toContain('Jobs of 3 workspaces in a row');
});

it('a job of the workspace that this machine could do ends that', () => {
  const readiness = new MachineReadiness();
  readiness.found(nothing, 0);
  readiness.ended('acme', gaveBack, 1_000);
  readiness.ended('birch', { message: null }, 2_000);
  readiness.found(nothing, minute);
  readiness.ended('acme', { message: null }, minute + 1_000);
  readiness.ended('acme', gaveBack, minute + 2_000);
  expect(readiness.state.refused).toEqual({
    acme: { message: gaveBack.message, since: new Date(minute + 2_000).toISOString() },
  });
});

it('a job that was cut off from the database says nothing of the machine', () => {
  const readiness = new MachineReadiness();
  readiness.found(nothing, 0);
  for (let n = 0; n < 3; n += 1) {
    readiness.ended(`w${n}`, gaveBack, 1_000);
    readiness.ended('birch', { fault: 'database', message: 'ECONNREFUSED' }, 2_000);
  }
  expect(readiness.state.notReady).toContain('Jobs of 3 workspaces in a row');
});
