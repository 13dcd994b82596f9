import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ContactRecord, contactRecords } from '../contact-record.ts';
import { faultKinds } from '../faults.ts';
import { unauthorized } from '../refusal.ts';
import { jsonOf } from '../rules/body.ts';
import { insertSeed } from '../seed/insert.ts';
import { seedSchema } from '../seed/seed.ts';
import { bearsOneOf, type Gate } from '../serve.ts';
import type { Context } from './endpoint.ts';

const share = z.number().min(0).max(1).optional();
const pattern = { method: z.string().optional(), path: z.string().optional() };
const count = z.number().int().min(0).optional();

const faultOrder = z.strictObject({
  /** Take the place of all rules before. */
  rules: z
    .array(
      z.strictObject({
        ...pattern,
        rates: z.partialRecord(z.enum(faultKinds), share).optional(),
        latency: z.strictObject({ min: z.number().min(0), max: z.number().min(0) }).optional(),
      }),
    )
    .optional(),
  /** Come on top of those that wait. */
  script: z
    .array(z.strictObject({ ...pattern, kind: z.enum(faultKinds), times: count, skip: count }))
    .optional(),
});

const tokenOrder = z.strictObject({
  accept: z.array(z.string().min(1)).optional(),
  revoke: z.array(z.string()).optional(),
});

/**
 * The sandbox's own paths, beside `/v1`: for tests and people in another process of this machine, who have a token that
 * the sandbox was started with, revoked meanwhile or not; no log.
 */
export function addControlRoutes(app: FastifyInstance, context: Context, gate: Gate): void {
  const { store } = context;
  const now = (): number => context.settings.clock.now();
  const tokens = new Set(context.settings.tokens);
  void app.register(
    (control, _options, done) => {
      control.addHook('onRequest', async (request, reply) => {
        if (request.routeOptions.url !== healthPath && !bearsOneOf(tokens, request.headers.authorization))
          await refuse(reply, 401, unauthorized().message);
      });
      control.setErrorHandler((error, _request, reply) =>
        refuse(reply, 400, error instanceof Error ? error.message : String(error)),
      );
      control.get('/health', async () => ({ status: 'ok' }));
      control.get('/', async () => about(context, gate));
      control.get('/log', async () => ({ counts: gate.log.counts(), entries: gate.log.entries() }));
      control.get('/contacts', (_request, reply) =>
        reply
          .type('application/x-ndjson; charset=utf-8')
          .send(Readable.from(lines(contactRecords(store, now())), { objectMode: false })),
      );
      control.post('/reset-log', async () => {
        gate.log.reset();
        return about(context, gate);
      });
      control.post('/faults', (request, reply) =>
        ordered(faultOrder, request, reply, ({ rules, script }) => {
          if (rules !== undefined) gate.faults.set(rules);
          for (const fault of script ?? []) gate.faults.script(fault);
        }),
      );
      control.post('/tokens', (request, reply) =>
        ordered(tokenOrder, request, reply, ({ accept, revoke }) => {
          for (const token of accept ?? []) gate.tokens.add(token);
          for (const token of revoke ?? []) gate.tokens.delete(token);
        }),
      );
      control.post('/seed', (request, reply) =>
        ordered(seedSchema, request, reply, (seed) =>
          store.transaction(() => {
            // A client's tests send their seed before each run: the same bytes are there already.
            if (!store.wasAdded(bytesOf(request.body))) insertSeed(store, seed, now());
          }),
        ),
      );
      done();
    },
    { prefix: '/sandbox' },
  );
}

/** For what waits until the sandbox answers: the one path that takes no token, and it says nothing of the workspace. */
const healthPath = '/sandbox/health';

function bytesOf(body: unknown): Uint8Array {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function about({ settings, store, baseUrl }: Context, gate: Gate): object {
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

function ordered<T>(
  schema: z.ZodType<T>,
  request: FastifyRequest,
  reply: FastifyReply,
  apply: (order: T) => void,
): FastifyReply {
  try {
    const body = Buffer.isBuffer(request.body) ? jsonOf(request.body) : undefined;
    apply(schema.parse(body));
    return reply.send({ done: true });
  } catch (error) {
    return refuse(reply, 400, error instanceof Error ? error.message : String(error));
  }
}

function refuse(reply: FastifyReply, code: number, message: string): FastifyReply {
  return reply.code(code).send({ code, message });
}

function* lines(records: Iterable<ContactRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
