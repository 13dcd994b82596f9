import { existsSync, realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import fastify from 'fastify';
import { usualWorkDir } from '../../app/run/work-dir.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { didYouMeanPath } from '../../storage/path-meant.ts';
import { systemClock } from '../../workspace/index.ts';
import type { Typing } from '../wire/command.ts';
import { routes } from '../wire/routes.ts';
import { ApprovalLists } from './approval-lists.ts';
import { guard } from './guard.ts';
import { Jobs } from './jobs/jobs.ts';
import { servePage } from './page-files.ts';
import { FoundLines } from './plans/found-lines.ts';
import { Processes } from './processes/processes.ts';
import { ProjectFiles, projectFolder } from './project.ts';
import { problemOf, Refusal } from './refusal.ts';
import { register } from './register.ts';
import { handlers } from './routes/index.ts';
import { Sessions } from './sessions.ts';
import { Tokens } from './tokens.ts';
import { YamlWork } from './yaml/yaml-work.ts';

/** What a studio is opened with. */
export interface StudioOptions {
  /** A file or a folder of the project. */
  readonly from: string;
  /** Undefined for the one that a command in the project folder uses. */
  readonly workDir: string | undefined;
  /** 0 for any that is free. */
  readonly port: number;
  readonly readOnly: boolean;
  /** The built command, which the studio starts. */
  readonly main: string;
  readonly typing: Omit<Typing, 'workDir'>;
  /** Hears what went wrong that nobody expected, and warnings. */
  told(text: string): void;
}

export interface OpenStudio {
  readonly folder: string;
  readonly workDir: string;
  readonly port: number;
  /** A URL that is good once. */
  newUrl(): string;
  /** Ends the server and every session; what it has started continues. */
  close(): Promise<void>;
}

/** As large as a request may be that is no file. */
const mostSent = 5 * 1024 * 1024;

/** Serves the page and its routes on 127.0.0.1. */
export async function openStudio({
  from,
  port,
  readOnly,
  main,
  told,
  ...options
}: StudioOptions): Promise<OpenStudio> {
  if (!existsSync(from))
    throw new FatalError(
      'usage',
      `There is no file or folder ${from}${didYouMeanPath(from, 'files and folders') || '.'}`,
      {
        next: 'Name a pipeline, an input or a folder, or nothing for the current folder.',
      },
    );
  const folder = projectFolder(from);
  const usual = resolve(folder, usualWorkDir({ cwd: folder }));
  const workDir = options.workDir === undefined ? usual : resolve(options.workDir);
  const files = new ProjectFiles(folder, workDir);
  const typing = { ...options.typing, ...(workDir !== usual && { workDir }) };
  const sessions = new Sessions();
  const processes = new Processes({ main, cwd: folder, workDir, typing, clock: systemClock, told });
  const opened = statSync(from).isDirectory() ? null : files.named(realpathSync(from));
  const jobs = new Jobs(main, told);
  const yaml = new YamlWork(main);
  const studio = {
    files,
    sessions,
    processes,
    jobs,
    yaml,
    tokens: new Tokens(),
    found: new FoundLines(),
    approvals: new ApprovalLists(workDir),
    typing,
    readOnly,
    opened,
  };

  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: mostSent,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  });
  app.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
  guard(app, sessions);
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, problem } = problemOf(error, told);
    await reply.code(status).send(problem);
  });
  app.setNotFoundHandler((request) => {
    const isKnown = Object.values(routes).some(({ path }) => path === request.url.split('?', 1)[0]);
    throw isKnown ? new Refusal(405, 'Not with this method.') : new Refusal(404, 'There is nothing here.');
  });
  for (const handler of handlers) register(app, handler, studio, told);
  servePage(app);
  await app.listen({ host: '127.0.0.1', port });
  const address = app.server.address();
  const found = address !== null && typeof address === 'object' ? address.port : port;
  return {
    ...{ folder, workDir, port: found },
    newUrl: () => `http://127.0.0.1:${found}/#/open/${sessions.newCode()}`,
    async close() {
      await app.close();
      await yaml.close();
    },
  };
}
