import { routes } from '../../wire/routes.ts';
import { answersSent, correctionsSent, rejectsChoice } from '../../wire/schemas/decisions.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { answer, correct, rejectsOf, uncertainOf } from '../decisions.ts';
import { handle } from '../handler.ts';

export const decisionHandlers = [
  handle(routes.rejects, rejectsChoice, ({ run, after }, { files }) => rejectsOf(files, run, after)),
  handle(routes.correct, correctionsSent, ({ run, corrections }, { files }) =>
    correct(files, run, corrections),
  ),
  handle(routes.uncertain, runChoice, ({ run }, { files }) => uncertainOf(files, run)),
  handle(routes.answer, answersSent, ({ run, answers }, { files }) => answer(files, run, answers)),
];
