import { routes } from '../../wire/routes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { handle, handleStream } from '../handler.ts';
import { Refusal } from '../refusal.ts';
import { runLines, statusOfRun, stopRun } from '../runs.ts';
import { whenOther } from '../when-other.ts';

export const runHandlers = [
  handle(routes.runs, nothing, (_, { files }) => ({ runs: runLines(files.workDir) })),
  handle(routes.status, runChoice, ({ run }, { files }) => statusOfRun(files.workDir, run)),
  handleStream(routes.watchRun, runChoice, ({ run }, { files }, gone) =>
    whenOther(
      () => statusOfRun(files.workDir, run),
      gone,
      ({ state }) => state !== 'running' && state !== 'elsewhere',
    ),
  ),
  handleStream(routes.watchActivity, nothing, (_, { files, processes }, gone) =>
    whenOther(() => ({ runs: runLines(files.workDir), processes: processes.list() }), gone),
  ),
  handle(routes.stopRun, runChoice, ({ run }, { files }) => {
    if (stopRun(files.workDir, run)) return { asked: true };
    throw new Refusal(409, 'This run is not worked on by a process of this machine.', {
      next: 'It may have ended just now: look at its state.',
    });
  }),
];
