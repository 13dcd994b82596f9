import { routes } from '../../wire/routes.ts';
import { problemChoice } from '../../wire/schemas/run-details.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { handle } from '../handler.ts';
import { problemRows, reportOf, stepsOf } from '../run-details.ts';

export const runDetailHandlers = [
  handle(routes.nextSteps, runChoice, async ({ run }, studio) => ({ steps: await stepsOf(run, studio) })),
  handle(routes.problemRows, problemChoice, (choice, { files }) => problemRows(files.workDir, choice)),
  handle(routes.report, runChoice, ({ run }, { files }) => reportOf(run, files)),
];
