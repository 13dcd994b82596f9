import { type ContactRecord, contactRecords } from './contact-record.ts';
import { createFaults, type FaultRule, type ScriptedFault } from './faults.ts';
import { type SandboxOptions, settingsOf } from './options.ts';
import { matcherOf } from './pattern.ts';
import { createRateLimiter } from './rate-limit.ts';
import { createRequestLog, type EndpointCounts, type RequestEntry } from './request-log.ts';
import type { House } from './routes/endpoint.ts';
import { endpointsOf } from './routes/registry.ts';
import { loadSeed } from './seed/load.ts';
import { plant } from './seed/plant.ts';
import { checkSeed, type Seed } from './seed/seed.ts';
import { createServer } from './server.ts';
import type { Comment } from './store/comments.ts';
import { openStore } from './store/store.ts';

/** Milliseconds that a close waits for requests in work: a hook that never returns must not hold it for ever. */
const longestClose = 5000;

/** A local workspace that is running. */
export interface Sandbox {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  /** Made once; a file-backed sandbox keeps it. */
  readonly id: string;
  readonly port: number;
  /** The last finished requests, in the order they finished. */
  readonly log: readonly RequestEntry[];
  /** Requests by `METHOD template`. */
  counts(): Record<string, EndpointCounts>;
  resetLog(): void;
  setFaults(rules: FaultRule | readonly FaultRule[]): void;
  scriptFault(fault: ScriptedFault): void;
  /** Every contact by id, those in processing included. */
  contacts(): readonly ContactRecord[];
  /** In the order they came. */
  comments(contactId: number): readonly Comment[];
  /** Adds to the workspace while it runs. */
  add(seed: Seed): void;
  acceptToken(token: string): void;
  revokeToken(token: string): void;
  /** Ends connections, waits for requests in work, closes the file. */
  close(): Promise<void>;
}

/** Starts a workspace on 127.0.0.1; throws an Error where the port, the file or the seed cannot be used. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = settingsOf(options);
  const { clock } = settings;
  const store = openStore(settings.file);
  const gate = {
    tokens: new Set(settings.tokens),
    forbidden: settings.forbidden.map((path) => matcherOf({ path })),
    limiter: createRateLimiter(settings.rate, settings.window),
    faults: createFaults(settings.randomSeed, listOf(settings.faults)),
    log: createRequestLog(settings.logSize, settings.onRequest),
  };
  const house: House & { baseUrl: string } = { settings, store, baseUrl: '' };
  const server = createServer(house, gate, endpointsOf(settings));
  try {
    await loadSeed(store, settings.seed, clock.now());
    const address = await server.app.listen({ host: '127.0.0.1', port: settings.port });
    house.baseUrl = `${address}/v1`;
  } catch (error) {
    store.close();
    throw error;
  }
  return {
    baseUrl: house.baseUrl,
    id: store.sandboxId,
    port: Number(new URL(house.baseUrl).port),
    get log() {
      return gate.log.entries();
    },
    counts: () => gate.log.counts(),
    resetLog: () => gate.log.reset(),
    setFaults: (rules) => gate.faults.set(listOf(rules)),
    scriptFault: (fault) => gate.faults.script(fault),
    contacts: () => [...contactRecords(store, clock.now())],
    comments: (contactId) => store.comments.of(contactId),
    add: (seed) => plant(store, checkSeed(seed, 'The object'), clock.now()),
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
    },
  };
}

function listOf<T>(value: T | readonly T[]): readonly T[] {
  return isList(value) ? value : [value];
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}
