import { join, resolve } from 'node:path';
import { statedIn } from '../../../app/draft/input/stated.ts';
import { routes } from '../../wire/routes.ts';
import { draftResult } from '../../wire/schemas/draft-result.ts';
import { lookChoice } from '../../wire/schemas/inputs.ts';
import { processChoice } from '../../wire/schemas/processes.ts';
import { handle, handleStream } from '../handler.ts';
import { printed } from '../processes/output.ts';

export const inputHandlers = [
  handleStream(routes.look, lookChoice, ({ path, rows, seed, ...typed }, { files, jobs }, gone) => {
    const input = {
      path: files.existing(path),
      spoolDir: join(files.workDir, 'spool'),
      stated: statedIn(typed),
    };
    return jobs.run({ kind: 'look', input, rows, seed }, gone);
  }),
  handle(routes.draftResult, processChoice, ({ id }, { processes, files }) => {
    const drafted = printed(processes, id, draftResult);
    if (drafted === null) return { drafted };
    const named = (file: string): string => files.named(resolve(files.folder, file));
    return {
      drafted: {
        ...drafted,
        mapping: { file: named(drafted.mapping.file) },
        pipeline: { file: named(drafted.pipeline.file) },
      },
    };
  }),
];
