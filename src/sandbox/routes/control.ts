import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ContactRecord, contactRecords } from '../contact-record.ts';
import { faultKinds } from '../faults.ts';
import { plant } from '../seed/plant.ts';
import { seedSchema } from '../seed/seed.ts';
import type { Gate } from '../serve.ts';
import type { House } from './endpoint.ts';

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

/** The sandbox's own paths, beside `/v1`: for tests and people in another process of this machine; no token, no log. */
export function addControlRoutes(app: FastifyInstance, house: House, gate: Gate): void {
  const { store } = house;
  const now = (): number => house.settings.clock.now();
  void app.register(
    (control, _options, done) => {
      control.addHook('onRequest', refuseStrangers);
      control.get('/', async () => about(house, gate));
      control.get('/log', async () => ({ counts: gate.log.counts(), entries: gate.log.entries() }));
      control.get('/contacts', (_request, reply) =>
        reply
          .type('application/x-ndjson; charset=utf-8')
          .send(Readable.from(lines(contactRecords(store, now())), { objectMode: false })),
      );
      control.post('/reset-log', async () => {
        gate.log.reset();
        return about(house, gate);
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
        ordered(seedSchema, request, reply, (seed) => plant(store, seed, now())),
      );
      done();
    },
    { prefix: '/sandbox' },
  );
}

function about({ settings, store, baseUrl }: House, gate: Gate): object {
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

/** A page in a browser could reach a port of this machine under a name of its own; nobody else is called so. */
async function refuseStrangers(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const name = request.hostname;
  if (name === '127.0.0.1' || name === 'localhost') return;
  await reply.code(403).send({ code: 403, message: 'Only for 127.0.0.1 and localhost.' });
}

function ordered<T>(
  schema: z.ZodType<T>,
  request: FastifyRequest,
  reply: FastifyReply,
  carryOut: (order: T) => void,
): FastifyReply {
  try {
    const body: unknown = JSON.parse(typeof request.body === 'string' ? request.body : '');
    carryOut(schema.parse(body));
    return reply.send({ done: true });
  } catch (error) {
    return reply
      .code(400)
      .send({ code: 400, message: error instanceof Error ? error.message : String(error) });
  }
}

function* lines(records: Iterable<ContactRecord>): Generator<string> {
  for (const record of records) yield `${JSON.stringify(record)}\n`;
}
