import { routes } from '../../wire/routes.ts';
import { problemChoice } from '../../wire/schemas/run-details.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { handle, handleStream } from '../handler.ts';
import { problemRows, reportOf, stepsOf } from '../run-details.ts';
import { whenOther } from '../when-other.ts';

export const runDetailHandlers = [
  handleStream(routes.nextSteps, runChoice, ({ run }, studio, gone) =>
    whenOther(async () => ({ steps: await stepsOf(run, studio) }), gone),
  ),
  handle(routes.problemRows, problemChoice, (choice, { files }) => problemRows(files.workDir, choice)),
  handle(routes.report, runChoice, ({ run }, { files }) => reportOf(run, files)),
];
