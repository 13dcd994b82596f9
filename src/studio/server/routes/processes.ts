import { exitCodeOf } from '../../../app/run/exit-code.ts';
import { routes } from '../../wire/routes.ts';
import { checkResult } from '../../wire/schemas/check-result.ts';
import { processChoice, processStart, targetQuestion } from '../../wire/schemas/processes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { handle, handleStream } from '../handler.ts';
import { followOutput, printed, resultOf } from '../processes/output.ts';
import { Refusal } from '../refusal.ts';
import { targetOf } from '../target.ts';

export const processHandlers = [
  handle(routes.commandTarget, targetQuestion, async ({ command }, studio) => {
    const { workspace, token } = await targetOf(command, studio);
    const isKnown = token === null || studio.tokens.environment(token) !== undefined;
    return { workspace, needsToken: isKnown ? null : token };
  }),
  handle(routes.startProcess, processStart, async ({ command, token: typed }, studio) => {
    const { token } = await targetOf(command, studio);
    const { tokens, processes } = studio;
    if (token === null) return await processes.start(command, {});
    if (typed !== undefined) tokens.remember(token, typed.trim());
    const env = tokens.environment(token);
    if (env === undefined)
      throw new Refusal(409, `The token of ${token.workspace} is not known.`, {
        next: 'Type it; it is kept until the studio ends, and in no file.',
        needsToken: token,
      });
    return await processes.start(command, env, (exitCode) => {
      if (exitCode === exitCodeOf('unauthorized')) tokens.forget(token);
    });
  }),
  handle(routes.processes, nothing, (_, { processes }) => ({ processes: processes.list() })),
  handle(routes.process, processChoice, ({ id }, { processes }) => resultOf(processes, id)),
  handle(routes.checkResult, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, checkResult),
  })),
  handle(routes.stopProcess, processChoice, ({ id }, { processes }) => processes.stop(id)),
  handleStream(routes.processOutput, processChoice, ({ id }, { processes }, gone) =>
    followOutput(processes, id, gone),
  ),
];
