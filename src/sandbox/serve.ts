import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, leave, refusalAnswer, successAnswer } from './answer.ts';
import { systemClock } from './clock.ts';
import type { FaultDecision, Faults } from './faults.ts';
import type { Matcher } from './pattern.ts';
import type { RateLimiter } from './rate-limit.ts';
import { broken, forbidden, invalid, notFound, queued, Refusal, tooMany, unauthorized } from './refusal.ts';
import type { RequestEntry, RequestLog } from './request-log.ts';
import type { Endpoint, House } from './routes/endpoint.ts';

/** What every request passes: tokens, rate, faults, the log. */
export interface Gate {
  readonly tokens: Set<string>;
  readonly forbidden: readonly Matcher[];
  readonly limiter: RateLimiter;
  readonly faults: Faults;
  readonly log: RequestLog;
}

/**
 * One request from its arrival to the written answer: gate, fault, rules, change, answer. It goes on to its end when
 * the client's connection is gone.
 */
export async function serve(
  house: House,
  gate: Gate,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { clock } = house.settings;
  const entry = beginEntry(house, gate, endpoint, request);
  const fault = gate.faults.decide(entry.method, entry.path, entry.template);
  const body = readBody(endpoint, request);
  if (body.ok && body.value !== undefined) entry.body = body.value;
  await sleep(house, fault.latencyMs / 2);
  const refused = gateRefusal(gate, entry, request.headers.authorization, clock.now());
  await house.settings.onPhase?.('received', entry);
  const answer =
    refused === undefined
      ? await work(house, endpoint, entry, fault, request, body)
      : refusalAnswer(refused, entry, house.settings.explain);
  await sleep(house, fault.latencyMs / 2);
  const left = await leave(reply, answer, request);
  entry.status = left ? answer.status : 0;
  if (!house.settings.logBodies) delete entry.body;
  gate.log.finish(entry, clock.now());
  await house.settings.onPhase?.('answered', entry);
}

function beginEntry(
  house: House,
  gate: Gate,
  endpoint: Endpoint | undefined,
  request: FastifyRequest,
): RequestEntry {
  const url = request.raw.url ?? '/';
  const mark = url.indexOf('?');
  const whole = mark < 0 ? url : url.slice(0, mark);
  const rawPath = whole.startsWith('/v1/') ? whole.slice(3) : whole;
  return gate.log.begin({
    at: house.settings.clock.now(),
    method: request.method,
    path: decoded(rawPath),
    rawPath,
    template: endpoint?.template ?? '(none)',
    query: mark < 0 ? '' : url.slice(mark + 1),
  });
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch (error) {
    // Only a broken percent sequence gets here, and the router has refused such a path already.
    if (error instanceof URIError) return path;
    throw error;
  }
}

function gateRefusal(
  gate: Gate,
  entry: RequestEntry,
  authorization: string | undefined,
  now: number,
): Refusal | undefined {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined || !gate.tokens.has(token)) return unauthorized();
  if (gate.forbidden.some((matches) => matches(entry.method, entry.path, entry.template))) return forbidden();
  const verdict = gate.limiter.take(`${entry.method} ${entry.path}`, now);
  return verdict.allowed ? undefined : tooMany(verdict.limit, verdict.retryAfter);
}

/** The operation itself, with the faults around it; whatever goes wrong becomes an answer. */
async function work(
  house: House,
  endpoint: Endpoint | undefined,
  entry: RequestEntry,
  fault: FaultDecision,
  request: FastifyRequest,
  body: Body,
): Promise<Answer> {
  const { settings } = house;
  if (fault.kind !== undefined) entry.fault = fault.kind;
  try {
    refuseBefore(house, fault);
    if (fault.kind === 'dropBefore') return { status: 0, headers: {}, body: '', drop: true };
    if (endpoint === undefined) throw notFound('Not Found');
    if (!body.ok) throw invalid(body.reason);
    const value = endpoint.handle({
      ...house,
      endpoint,
      params: stringRecord(request.params),
      query: stringRecord(request.query),
      body: body.value,
      rawPath: entry.rawPath,
      now: settings.clock.now(),
    });
    entry.applied = endpoint.writes;
    if (entry.applied) await settings.onPhase?.('applied', entry);
    return successAnswer(value, endpoint.creates === true ? settings.createdStatus : 200, fault);
  } catch (error) {
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(500, 'Unexpected error occurred', { reason: String(error) });
    return refusalAnswer(refusal, entry, settings.explain);
  }
}

function refuseBefore(house: House, fault: FaultDecision): void {
  if (fault.kind === '429') throw tooMany(house.settings.rate === 'off' ? 5 : house.settings.rate, 1);
  if (fault.kind === '449') throw queued();
  if (fault.kind !== undefined && /^\d+$/.test(fault.kind)) throw broken(Number(fault.kind));
}

type Body = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/** A GET has none; a request without one counts as `{}`, since every property of the contact list is optional. */
function readBody(endpoint: Endpoint | undefined, request: FastifyRequest): Body {
  if (endpoint === undefined || endpoint.method === 'GET') return { ok: true, value: undefined };
  const text = typeof request.body === 'string' ? request.body : '';
  if (text === '') return { ok: true, value: {} };
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return { ok: false, reason: 'Content-Type must be application/json' };
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: `the body is not JSON: ${String(error)}` };
  }
}

function stringRecord(value: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof value !== 'object' || value === null) return {};
  return { ...value };
}

async function sleep(house: House, ms: number): Promise<void> {
  if (ms > 0) await (house.settings.clock.sleep ?? systemClock.sleep)(ms);
}
