import { describe, expect, it } from 'vitest';
import { continueOrBeginRun } from '../../../src/app/import/bind.ts';
import { endRun, findRunById, type RunBinding, registerWorkspace } from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import { binding, handClock, openFile, place, workDir } from '../../journal/work-dir.ts';

/** Binds a run, ends it in a state (or leaves it as a crash does), and binds again with something changed. */
function twice(
  state: 'finished' | 'stopped' | 'interrupted' | 'failed' | 'running',
  change: Partial<RunBinding>,
  fresh = false,
) {
  const file = openFile(workDir());
  const clock = handClock();
  const number = registerWorkspace(file, place);
  const first = continueOrBeginRun(file, binding(number), false, clock).run;
  if (state !== 'running') endRun(file, first.number, { state, exitCode: 1, message: 'x', endedAt: 9 });
  const second = () => continueOrBeginRun(file, binding(number, change), fresh, clock);
  return { file, first, second };
}

describe('an import', () => {
  it.each(['stopped', 'interrupted', 'failed', 'running'] as const)('continues a run that is %s', (state) => {
    const { file, first, second } = twice(state, {});
    const { run, continued } = second();
    expect(continued).toBe(true);
    expect(run).toEqual({ ...first, state: 'running', exitCode: null, message: null, endedAt: null });
    expect(findRunById(file, first.id)).toEqual(run);
  });

  it.each([
    ['after a finished one', 'finished', {}, false],
    ['after a finished one, of another input', 'finished', { input: 'input-2' }, false],
    ['where that is asked for', 'stopped', {}, true],
    ['where that is asked for, of another input', 'stopped', { input: 'input-2' }, true],
    ['of another pipeline', 'stopped', { pipeline: 'other' }, false],
    ['of another kind', 'stopped', { kind: 'export' }, false],
  ] as const)('begins a run %s', (_when, state, change, fresh) => {
    const { first, second } = twice(state, change, fresh);
    const { run, continued } = second();
    expect(continued).toBe(false);
    expect(run.number).not.toBe(first.number);
    expect(run.state).toBe('running');
  });

  it('into another workspace is another run', () => {
    const { file, first } = twice('stopped', {});
    const other = registerWorkspace(file, { ...place, place: 'sandbox:2' });
    expect(continueOrBeginRun(file, binding(other), false, handClock()).run.number).not.toBe(first.number);
  });

  it.each([
    ['input', { input: 'input-2' }, 'The input contacts.csv has changed'],
    ['mapping', { mapping: 'mapping-2' }, 'The mapping has changed'],
  ])(
    'whose %s has changed in the middle refuses, with a choice, and changes nothing',
    (_what, change, message) => {
      const { file, first, second } = twice('interrupted', change);
      expect(second).toThrow(
        expect.objectContaining({
          reason: 'usage',
          message: expect.stringContaining(`${message} since run ${first.id} began`),
          next: expect.arrayContaining([
            toCommand('resume', first.id),
            toCommand('import', binding(1).file, '--fresh'),
          ]),
        }),
      );
      expect(findRunById(file, first.id)).toMatchObject({ state: 'interrupted', exitCode: 1 });
    },
  );

  it('of another order of moved files still continues: only what is read counts', () => {
    const { first, second } = twice('stopped', { file: 'elsewhere.yaml', inputName: 'renamed.csv' });
    expect(second().run.number).toBe(first.number);
  });
});
