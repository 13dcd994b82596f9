import { folderVerificationSchema } from '../../../app/verify/report/folder-verification.ts';
import { type Verification, verificationSchema } from '../../../app/verify/report/verification.ts';
import { causeWords, verificationHeadline } from '../../../app/verify/report/verification-text.ts';
import type { ShownVerification } from '../../wire/history.ts';
import { routes } from '../../wire/routes.ts';
import { pipelineChoice, undoPreview } from '../../wire/schemas/history.ts';
import { processChoice } from '../../wire/schemas/processes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { handle } from '../handler.ts';
import { exportPipelines, historyOf, nightsOf } from '../history.ts';
import { printed } from '../processes/output.ts';

export const historyHandlers = [
  handle(routes.history, nothing, (_, { files }) => historyOf(files.workDir)),
  handle(routes.exportPipelines, nothing, async (_, studio) => ({
    pipelines: await exportPipelines(studio),
  })),
  handle(routes.nights, pipelineChoice, ({ pipeline }, { files }) => ({ nights: nightsOf(files, pipeline) })),
  handle(routes.runVerification, processChoice, ({ id }, { processes }) => {
    const found = printed(processes, id, verificationSchema);
    return { found: found && inWords(found) };
  }),
  handle(routes.folderVerification, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, folderVerificationSchema),
  })),
  handle(routes.undoPreview, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, undoPreview),
  })),
];

function inWords(found: Verification): ShownVerification {
  return {
    ...found,
    headline: verificationHeadline(found),
    fields: found.fields.map(({ field, verdict, cause, n }) => ({
      ...{ field, n },
      words: causeWords(verdict, cause),
    })),
  };
}
