import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { ApiError, createUnauthorizedError } from '../api-error.ts';
import { type ContactRecord, readContactRecords } from '../contact-record.ts';
import { faultKinds } from '../faults.ts';
import { parseUtf8Json } from '../rules/body.ts';
import { insertSeed } from '../seed/insert.ts';
import { resetToSeed } from '../seed/load.ts';
import { seedSchema } from '../seed/seed.ts';
import { hasValidToken, type RequestGateState } from '../serve.ts';
import type { SandboxContext } from './endpoint.ts';
import { createSnapshotStore, type SnapshotStore } from './snapshots.ts';

const share = z.number().min(0).max(1).optional();
const pattern = { method: z.string().optional(), path: z.string().optional() };
const count = z.number().int().min(0).optional();

const faultOrder = z.strictObject({
  /** The rules of random faults, in place of all earlier ones. */
  rules: z
    .array(
      z.strictObject({
        ...pattern,
        rates: z.partialRecord(z.enum(faultKinds), share).optional(),
        latency: z.strictObject({ min: z.number().min(0), max: z.number().min(0) }).optional(),
      }),
    )
    .optional(),
  /** Faults to add to the scripted ones that have not happened yet. */
  script: z
    .array(z.strictObject({ ...pattern, kind: z.enum(faultKinds), times: count, skip: count }))
    .optional(),
});

const tokenOrder = z.strictObject({
  accept: z.array(z.string().min(1)).optional(),
  revoke: z.array(z.string()).optional(),
});

/** The objects that the control routes work on. */
interface Control {
  readonly context: SandboxContext;
  readonly gate: RequestGateState;
  readonly snapshots: SnapshotStore;
  readonly now: () => number;
}

/** A route below `/sandbox`, by which tests and tools control the sandbox. */
interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Relative to `/sandbox`; `{name}` is a parameter. */
  readonly path: string;
  /** Set for a health check, which needs no token and shows nothing of the workspace. */
  readonly withoutToken?: true;
  /** Returns the answer; an error that it throws is a 400, an ApiError has its own status. */
  handle(control: Control, request: ControlRequest, reply: FastifyReply): unknown;
}

interface ControlRequest {
  readonly body: unknown;
  /** The parameter `{name}` of the path; '' if the path has none. */
  readonly name: string;
}

const done = { done: true };

/** All control routes; docs/sandbox.md lists them. */
export const controlRoutes: readonly ControlRoute[] = [
  { method: 'GET', path: '/health', withoutToken: true, handle: () => ({ status: 'ok' }) },
  { method: 'GET', path: '', handle: ({ context, gate }) => about(context, gate) },
  {
    method: 'GET',
    path: '/log',
    handle: ({ gate }) => ({ counts: gate.log.counts(), entries: gate.log.entries() }),
  },
  {
    method: 'GET',
    path: '/contacts',
    handle({ context, now }, _request, reply) {
      void reply.type('application/x-ndjson; charset=utf-8');
      return Readable.from(lines(readContactRecords(context.store, now())), { objectMode: false });
    },
  },
  {
    method: 'POST',
    path: '/reset-log',
    handle({ context, gate }) {
      gate.log.reset();
      return about(context, gate);
    },
  },
  {
    method: 'POST',
    path: '/faults',
    handle({ gate }, { body }) {
      const { rules, script } = ordered(faultOrder, body);
      if (rules !== undefined) gate.faults.set(rules);
      for (const fault of script ?? []) gate.faults.script(fault);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/tokens',
    handle({ gate }, { body }) {
      const { accept, revoke } = ordered(tokenOrder, body);
      for (const token of accept ?? []) gate.tokens.add(token);
      for (const token of revoke ?? []) gate.tokens.delete(token);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/seed',
    handle({ context: { store }, now }, { body }) {
      const seed = ordered(seedSchema, body);
      store.transaction(() => {
        // Tests send their seed before each run: the same bytes are added only once.
        if (!store.wasAdded(bytesOf(body))) insertSeed(store, seed, now());
      });
      return done;
    },
  },
  {
    method: 'POST',
    path: '/reset',
    async handle({ context: { store, settings }, now }) {
      await resetToSeed(store, settings.seed, now);
      return done;
    },
  },
  { method: 'GET', path: '/snapshots', handle: ({ snapshots }) => ({ names: snapshots.names() }) },
  {
    method: 'POST',
    path: '/snapshots/{name}',
    handle({ snapshots }, { name }) {
      snapshots.take(name);
      return done;
    },
  },
  {
    method: 'POST',
    path: '/snapshots/{name}/restore',
    handle({ snapshots }, { name }) {
      snapshots.restore(name);
      return done;
    },
  },
  {
    method: 'DELETE',
    path: '/snapshots/{name}',
    handle({ snapshots }, { name }) {
      snapshots.remove(name);
      return done;
    },
  },
];

/**
 * Adds the control routes (`/sandbox/…`), for tests and tools in other processes. Except for the health check
 * they need a token that the sandbox was started with, even if it was revoked since; their requests are not
 * logged.
 */
export function addControlRoutes(
  app: FastifyInstance,
  context: SandboxContext,
  gate: RequestGateState,
): void {
  const control = {
    ...{ context, gate },
    snapshots: createSnapshotStore(context.store),
    now: () => context.settings.clock.now(),
  };
  const tokens = new Set(context.settings.tokens);
  for (const { method, path, withoutToken, handle } of controlRoutes)
    app.route<{ Params: { name?: string } }>({
      method,
      url: `/sandbox${path.replace('{name}', ':name')}`,
      async onRequest(request, reply) {
        if (withoutToken !== true && !hasValidToken(tokens, request.headers.authorization))
          await refuse(reply, 401, createUnauthorizedError().message);
      },
      handler: async ({ body, params: { name = '' } }, reply) => await handle(control, { body, name }, reply),
      errorHandler: (error, _request, reply) =>
        refuse(reply, error instanceof ApiError ? error.status : 400, error.message),
    });
}

function bytesOf(body: unknown): Uint8Array {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function about({ settings, store, baseUrl }: SandboxContext, gate: RequestGateState): object {
  const { tokens, seed, clock, onPhase, onRequest, ...switches } = settings;
  return {
    id: store.sandboxId,
    baseUrl,
    switches,
    objects: {
      contacts: store.contacts.count(),
      comments: store.comments.count(),
      messages: store.messages.count(),
      customFields: store.customFields.all().length,
      closingNotes: store.closingNotes.all().length,
    },
    rateBuckets: gate.limiter.size(),
    counts: gate.log.counts(),
  };
}

function ordered<T>(schema: z.ZodType<T>, body: unknown): T {
  return schema.parse(Buffer.isBuffer(body) ? parseUtf8Json(body) : undefined);
}

function refuse(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.code(code).send({ code, message });
}

function* lines(records: Iterable<ContactRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
