import { basename } from 'node:path';
import { databaseVariable } from '../../../fleet/variables.ts';
import { rowStates } from '../../../report/words.ts';
import { fileFormats } from '../../../runs/draft/input/stated.ts';
import { variable } from '../../../wiring/variables.ts';
import { version } from '../../../wiring/version.ts';
import { routes } from '../../wire/routes.ts';
import { nothing, sessionStart } from '../../wire/schemas/project.ts';
import { handle } from '../handler.ts';
import { listFiles } from '../list-files.ts';
import { Refusal } from '../refusal.ts';

export const projectHandlers = [
  handle(routes.startSession, sessionStart, ({ code }, { sessions }) => {
    const token = sessions.exchange(code);
    if (token !== undefined) return { token };
    throw new Refusal(401, 'This link was used already.', {
      next: 'Press Enter in the terminal in which the studio runs: it shows a new one.',
    });
  }),
  handle(routes.project, nothing, (_, { files, readOnly, typing, opened }) => ({
    name: basename(files.folder),
    ...{ readOnly, version, typing, opened, formats: fileFormats },
    hasFleet: variable(databaseVariable) !== '',
    rowStates: Object.entries(rowStates).map(([state, words]) => ({ state, ...words })),
  })),
  handle(routes.files, nothing, (_, { files }) => listFiles(files)),
];
