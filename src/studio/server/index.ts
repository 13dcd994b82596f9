import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import fastify from 'fastify';
import type { Invocation } from '../../app/run/command-line.ts';
import { resolveDefaultWorkDir } from '../../app/run/work-dir.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { systemClock } from '../../workspace/index.ts';
import type { CommandLineContext } from '../wire/command.ts';
import { routes } from '../wire/routes.ts';
import { MergeApprovalLists } from './approval-lists.ts';
import { addRequestGuard } from './guard.ts';
import { HttpError, toErrorResponse } from './http-error.ts';
import { ImportWorkflowProgressReader } from './import-progress.ts';
import { PreviewJobRunner } from './jobs/jobs.ts';
import { DiffSearchCache } from './plans/filtered-lines.ts';
import { StudioProcesses } from './processes/processes.ts';
import { findProjectFolder, ProjectPathResolver } from './project.ts';
import { allRouteHandlers, registerRoute } from './register.ts';
import { PageSessions } from './sessions.ts';
import { EnteredTokenStore } from './tokens.ts';
import { TabPresence } from './yaml/tab-presence.ts';
import { YamlWorker } from './yaml/yaml-work.ts';

/** The options of `openStudio`. */
export interface StudioOptions {
  /** The path of a file or a folder of the project. */
  readonly from: string;
  /** The work dir; undefined for the default one of the project folder. */
  readonly workDir: string | undefined;
  /** The port, 0 for any free one; undefined for the project's own, or any free one where that is in use. */
  readonly port: number | undefined;
  readonly readOnly: boolean;
  /** The path of the compiled CLI script, which the studio runs in a process for each command. */
  readonly main: string;
  readonly invocation: Invocation;
  /** Receives warnings and unexpected errors. */
  warn(text: string): void;
}

export interface RunningStudio {
  readonly folder: string;
  readonly workDir: string;
  readonly port: number;
  /** Returns a URL that opens one session and is valid once. */
  newUrl(): string;
  /** Ends the server and all sessions; the commands that it has started continue. */
  close(): Promise<void>;
}

/** The maximum size of a request that uploads no file (bytes). */
const mostSent = 5 * 1024 * 1024;

/**
 * Starts the studio's server on 127.0.0.1, which serves the page and its routes. Throws a FatalError (usage) if `from`
 * does not exist.
 */
export async function openStudio({
  from,
  port,
  readOnly,
  main,
  warn,
  ...options
}: StudioOptions): Promise<RunningStudio> {
  if (!existsSync(from))
    throw new FatalError(
      'usage',
      `There is no file or folder ${from}${formatDidYouMeanPath(from, 'files and folders') || '.'}`,
      {
        next: 'Name a pipeline, an input or a folder, or nothing for the current folder.',
      },
    );
  const folder = findProjectFolder(from);
  const usual = resolve(folder, resolveDefaultWorkDir({ cwd: folder }));
  const workDir = options.workDir === undefined ? usual : resolve(options.workDir);
  const files = new ProjectPathResolver(folder, workDir);
  const { program, allowEnv } = options.invocation;
  const typing: CommandLineContext = { program, allowEnv, ...(workDir !== usual && { workDir }) };
  const invocation = { ...options.invocation, workDir: typing.workDir };
  const sessions = new PageSessions();
  const processes = new StudioProcesses({ main, cwd: folder, workDir, typing, clock: systemClock, warn });
  const opened = statSync(from).isDirectory() ? null : files.named(realpathSync(from));
  const jobs = new PreviewJobRunner(main, invocation, warn);
  const yaml = new YamlWorker(main);
  const studio = {
    files,
    sessions,
    processes,
    progress: new ImportWorkflowProgressReader(),
    jobs,
    yaml,
    presence: new TabPresence(),
    tokens: new EnteredTokenStore(invocation),
    filtered: new DiffSearchCache(),
    approvals: new MergeApprovalLists(workDir),
    typing,
    invocation,
    readOnly,
    opened,
  };

  let isClosing = false;
  // Requests that are cut off by the end of the studio fail; these errors are expected, and not reported.
  const warnWhileOpen = (text: string) => {
    if (!isClosing) warn(text);
  };
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: mostSent,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
  });
  app.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body));
  addRequestGuard(app, sessions);
  app.setErrorHandler(async (error, _request, reply) => {
    const { status, problem } = toErrorResponse(error, invocation, warnWhileOpen);
    await reply.code(status).send(problem);
  });
  app.setNotFoundHandler((request) => {
    const isKnown = Object.values(routes).some(({ path }) => path === request.url.split('?', 1)[0]);
    throw isKnown
      ? new HttpError(405, 'Not with this method.')
      : new HttpError(404, 'There is nothing here.');
  });
  for (const handler of allRouteHandlers) registerRoute(app, handler, studio, warnWhileOpen);
  servePage(app);
  const found = await listen(app, folder, port);
  return {
    ...{ folder, workDir, port: found },
    newUrl: () => `http://127.0.0.1:${found}/#/open/${sessions.newCode()}`,
    async close() {
      isClosing = true;
      await app.close();
      await yaml.close();
      await studio.processes.untilEndsAreSaved();
    },
  };
}

/** Listens on 127.0.0.1 and returns the port. */
async function listen(app: FastifyInstance, folder: string, port: number | undefined): Promise<number> {
  const host = '127.0.0.1';
  try {
    await app.listen({ host, port: port ?? projectPort(folder) });
  } catch (error) {
    if (port !== undefined) throw error;
    await app.listen({ host, port: 0 });
  }
  const address = app.server.address();
  if (address === null || typeof address !== 'object') throw new Error('the studio listens on no port');
  return address.port;
}

const [firstPort, portCount] = [20_000, 12_000];

/**
 * Returns the port of a project: the same at every start, so that its tabs find the studio again, and below the ports
 * that operating systems assign to outgoing connections.
 */
function projectPort(folder: string): number {
  return firstPort + (createHash('sha256').update(folder).digest().readUInt32BE() % portCount);
}

/**
 * The folders of the built page, relative to this file in `dist/studio/server`, in `dist/command` and in the
 * sources, in this order.
 */
const folders = ['../page', '../studio/page', '../../../dist/studio/page'];

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Serves the files of the built page by their names; all are read at the start, so that no path leads elsewhere. */
function servePage(app: FastifyInstance): void {
  const folder = builtPage();
  for (const name of readdirSync(folder)) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const bytes = readFileSync(join(folder, name));
    let zipped: Buffer | undefined;
    app.get(name === 'index.html' ? '/' : `/${name}`, (request, reply) => {
      reply.type(type).header('vary', 'accept-encoding');
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(bytes);
      zipped ??= gzipSync(bytes);
      return reply.header('content-encoding', 'gzip').send(zipped);
    });
  }
}

function builtPage(): string {
  for (const folder of folders) {
    const path = fileURLToPath(new URL(folder, import.meta.url));
    try {
      if (readdirSync(path).includes('page.js')) return path;
    } catch {
      // The page is not in this folder.
    }
  }
  throw new Error('the page of the studio is not built: npm run build');
}
