import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Transport, TransportRequest } from '../../model/ports.ts';
import { createWorkspaceCopy, startSandbox } from '../../sandbox/index.ts';
import { createEmptyDatabaseFile } from '../../storage/sqlite.ts';
import {
  createPoolTransport,
  openWorkspace,
  parseBaseUrl,
  systemClock,
  systemRandomness,
  toMaxConcurrency,
} from '../../workspace/index.ts';
import { type ClientLimits, toWorkspaceLimits } from '../run/open-client.ts';
import { generateToken } from '../run/target.ts';
import type { LocalWorkspaceFactory } from './rehearse.ts';
import type { SimulatedClock } from './simulated-clock.ts';

/** Returns the paths of a copy's two databases: the workspace before the import, and after it. */
export function getLocalCopyPaths(folder: string): { readonly before: string; readonly after: string } {
  return { before: join(folder, 'before.db'), after: join(folder, 'sandbox.db') };
}

/** Returns the functions that fill a local workspace with a copy, and open it on the clock of the rehearsal. */
export function createLocalWorkspaceFactory(
  limits: ClientLimits,
  attachTags: boolean,
): LocalWorkspaceFactory {
  return {
    async fill(folder, fill) {
      const { before, after } = getLocalCopyPaths(folder);
      await createWorkspaceCopy(after, fill);
      createEmptyDatabaseFile(before);
      copyFileSync(after, before);
    },
    async open(folder, clock, answerMs, signal) {
      const token = generateToken();
      const sandbox = await startSandbox({
        file: getLocalCopyPaths(folder).after,
        tokens: [token],
        socket: true,
        // The clean-up of a killed rehearsal's folder removes the socket, too.
        socketFolder: folder,
        explain: true,
        clock,
        extensions: { attachTags },
        logSize: 0,
      });
      const { baseUrl, socketPath } = sandbox;
      const local = createPoolTransport({
        ...{ address: parseBaseUrl(baseUrl), socketPath, token },
        ...{
          connections: toMaxConcurrency(limits.concurrency),
          connectMs: limits.connect,
          clock: systemClock,
        },
      });
      const workspace = openWorkspace({
        ...{ baseUrl, token, clock, signal },
        limits: toWorkspaceLimits(limits),
        randomness: systemRandomness,
        transport: createSimulatedTransport(local, clock, answerMs),
      });
      return { workspace, close: () => sandbox.close() };
    },
  };
}

/**
 * Creates a transport to a local workspace. On the simulated clock, an answer takes the time that `answerMs` returns
 * for its request.
 */
export function createSimulatedTransport(
  local: Transport,
  clock: SimulatedClock,
  answerMs: (request: string) => number,
): Transport {
  return {
    async send(request, wanted) {
      const response = await clock.still(() => local.send(request, wanted));
      await clock.sleep(answerMs(requestName(request)));
      return response;
    },
    close: () => local.close(),
  };
}

/** Returns the method and path template of a request, by which requests are counted. */
function requestName({ method, path }: TransportRequest): string {
  return `${method} ${path.replace(/\/(?:id|email|phone):[^/]+/, '/{identifier}')}`;
}
