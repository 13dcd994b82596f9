import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type ContactRecord, readContactRecords } from './contact-record.ts';
import { createFaultInjector, type FaultRule, type ScriptedFault } from './faults.ts';
import { toUrlHost } from './names.ts';
import { type SandboxOptions, type SandboxSettings, toSandboxSettings } from './options.ts';
import { createRequestMatcher } from './pattern.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createRequestLog, type EndpointCounts, type RequestLogEntry } from './request-log.ts';
import type { SandboxContext } from './routes/endpoint.ts';
import { listEndpoints } from './routes/registry.ts';
import { insertSeed } from './seed/insert.ts';
import { loadSeed, type SeedUse } from './seed/load.ts';
import { parseSeed, type Seed } from './seed/seed.ts';
import { createSandboxServer, type SandboxServer } from './server.ts';
import type { Comment } from './store/comments.ts';
import { openSandboxStore } from './store/store.ts';

/** A Unix socket that only its owner reaches. */
interface PrivateSocket {
  readonly path: string;
  remove(): void;
}

/**
 * The address of a Unix socket holds 104 bytes on some systems; the names of the folder and the socket need
 * 24 of them.
 */
const longestParent = 80;

/** Makes an owner-only folder for a Unix socket; undefined on Windows. */
function makePrivateSocket(wanted: string = tmpdir()): PrivateSocket | undefined {
  if (process.platform === 'win32') return undefined;
  const isShort = (folder: string) => Buffer.byteLength(folder) <= longestParent;
  const parent = [resolve(wanted), tmpdir()].find(isShort) ?? '/tmp';
  const folder = mkdtempSync(join(parent, 'longshore-'));
  return {
    path: join(folder, 'socket'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * The longest time (ms) that `close` waits for requests in progress: an `onPhase` callback may never resolve.
 */
const longestClose = 5000;

/** A local workspace that is running. */
export interface Sandbox {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** The id of the workspace, made once; a file-backed sandbox keeps it. */
  readonly id: string;
  readonly seedUse: SeedUse;
  /** 0 if the sandbox listens on a socket. */
  readonly port: number;
  /** The Unix socket that it listens on in place of a port. */
  readonly socketPath: string | undefined;
  /** The last finished requests, in the order they finished. */
  readonly log: readonly RequestLogEntry[];
  /** Requests by `METHOD template`. */
  counts(): Record<string, EndpointCounts>;
  resetLog(): void;
  setFaults(rules: FaultRule | readonly FaultRule[]): void;
  scriptFault(fault: ScriptedFault): void;
  /** Returns every contact by id, those in processing included. */
  contacts(): readonly ContactRecord[];
  /** In the order in which they were added. */
  comments(contactId: number): readonly Comment[];
  /**
   * Adds the objects of a seed to the running workspace; throws an Error if it is invalid or conflicts with
   * others.
   */
  add(seed: Seed): void;
  acceptToken(token: string): void;
  revokeToken(token: string): void;
  /** Ends connections, waits at most 5 s for requests in progress, then closes the file. */
  close(): Promise<void>;
}

/**
 * Starts a local workspace on a port or an owner-only socket; throws an Error for an unusable address, port, file or
 * seed.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = toSandboxSettings(options);
  const { clock } = settings;
  const store = openSandboxStore(settings.file);
  const gate = {
    tokens: new Set(settings.tokens),
    forbidden: settings.forbidden.map((path) => createRequestMatcher({ path })),
    limiter: createRateLimiter(settings.rate, settings.window),
    faults: createFaultInjector(settings.randomSeed, listOf(settings.faults)),
    log: createRequestLog(settings.logSize, settings.onRequest),
  };
  const context: SandboxContext & { baseUrl: string } = { settings, store, baseUrl: '' };
  const server = createSandboxServer(context, gate, listEndpoints(settings));
  const socket = settings.socket ? makePrivateSocket(settings.socketFolder) : undefined;
  let seedUse: SeedUse;
  try {
    seedUse = await loadSeed(store, settings.seed, clock.now());
    context.baseUrl = `${await listen(server.app, settings, socket)}/v1`;
  } catch (error) {
    store.close();
    socket?.remove();
    throw error;
  }
  return {
    baseUrl: context.baseUrl,
    id: store.sandboxId,
    seedUse,
    port: Number(new URL(context.baseUrl).port),
    socketPath: socket?.path,
    get log() {
      return gate.log.entries();
    },
    counts: () => gate.log.counts(),
    resetLog: () => gate.log.reset(),
    setFaults: (rules) => gate.faults.set(listOf(rules)),
    scriptFault: (fault) => gate.faults.script(fault),
    contacts: () => [...readContactRecords(store, clock.now())],
    comments: (contactId) => store.comments.of(contactId),
    add: (seed) => insertSeed(store, parseSeed(seed, 'The object'), clock.now()),
    acceptToken: (token) => {
      gate.tokens.add(token);
    },
    revokeToken: (token) => {
      gate.tokens.delete(token);
    },
    async close() {
      await server.app.close();
      await server.idle(longestClose);
      store.close();
      socket?.remove();
    },
  };
}

/** Starts to listen and returns the origin. */
async function listen(
  app: SandboxServer['app'],
  { host, port }: SandboxSettings,
  socket: PrivateSocket | undefined,
): Promise<string> {
  if (socket === undefined) {
    const origin = new URL(await app.listen({ host, port }));
    return `http://${toUrlHost(host)}:${origin.port}`;
  }
  await app.listen({ path: socket.path });
  chmodSync(socket.path, 0o600);
  return 'http://localhost';
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return isList(value) ? value : [value];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
