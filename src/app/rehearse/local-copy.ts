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
import type { JumpingClock } from './jumping-clock.ts';
import type { LocalWorkspace } from './rehearse.ts';

/** The files of a copy: the workspace as it was copied, and as it is after the import. */
export function copyFiles(folder: string): { readonly before: string; readonly after: string } {
  return { before: join(folder, 'before.db'), after: join(folder, 'sandbox.db') };
}

/** A local workspace that is a copy of another one and lives by the clock of a rehearsal. */
export function localCopy(limits: ClientLimits, attachTags: boolean): LocalWorkspace {
  return {
    async fill(folder, fill) {
      const { before, after } = copyFiles(folder);
      await createWorkspaceCopy(after, fill);
      createEmptyDatabaseFile(before);
      copyFileSync(after, before);
    },
    async open(folder, clock, answerMs, signal) {
      const token = generateToken();
      const sandbox = await startSandbox({
        file: copyFiles(folder).after,
        tokens: [token],
        socket: true,
        // Whoever removes what a killed rehearsal left removes it, too.
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

/** Sends to a local workspace, whose answers take as long as those of another one by the clock. */
export function createSimulatedTransport(
  local: Transport,
  clock: JumpingClock,
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

/** Method and path template, as requests are counted. */
function requestName({ method, path }: TransportRequest): string {
  return `${method} ${path.replace(/\/(?:id|email|phone):[^/]+/, '/{identifier}')}`;
}
