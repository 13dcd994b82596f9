import type { FastifyReply, FastifyRequest } from 'fastify';
import { type SandboxAnswer, sendAnswer, toErrorAnswer, toSuccessAnswer } from './answer.ts';
import {
  ApiError,
  createForbiddenError,
  createNotFoundError,
  createQueuedError,
  createRateLimitError,
  createServerError,
  createUnauthorizedError,
  createValidationError,
} from './api-error.ts';
import type { FaultDecision, FaultInjector } from './faults.ts';
import { defaultSandboxClock } from './options.ts';
import type { RequestMatcher } from './pattern.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestLog, RequestLogEntry } from './request-log.ts';
import { splitApiVersion, splitUrl } from './request-path.ts';
import { canReturn449, type SandboxContext, type SandboxEndpoint } from './routes/endpoint.ts';
import { isJsonObject, parseUtf8Json } from './rules/body.ts';

/**
 * The state that all requests share, apart from the workspace itself: tokens, forbidden paths, rate limit, faults and
 * log.
 */
export interface RequestGateState {
  readonly tokens: Set<string>;
  readonly forbidden: readonly RequestMatcher[];
  readonly limiter: RateLimiter;
  readonly faults: FaultInjector;
  readonly log: RequestLog;
}

/**
 * Handles one request from its arrival to the sent answer: gate, fault, rules, change, answer; it finishes even if the
 * client has disconnected. `unread` is the reason why its body could not be read.
 */
export async function serveRequest(
  context: SandboxContext,
  gate: RequestGateState,
  endpoint: SandboxEndpoint | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  unread?: string,
): Promise<void> {
  const { clock } = context.settings;
  const entry = beginEntry(context, gate, endpoint, request);
  const mayQueue = endpoint === undefined || canReturn449(endpoint, context.settings);
  const fault = gate.faults.decide(entry.method, entry.path, entry.template, mayQueue);
  const body: Body = unread === undefined ? readBody(endpoint, request) : { ok: false, reason: unread };
  if (body.ok && body.value !== undefined) entry.body = body.value;
  await sleep(context, fault.latencyMs / 2);
  const refused = gateRefusal(gate, entry, request.headers.authorization, clock.now());
  await context.settings.onPhase?.('received', entry);
  const answer =
    refused === undefined
      ? await work(context, endpoint, entry, fault, request, body)
      : toErrorAnswer(refused, entry, context.settings.explain);
  await sleep(context, fault.latencyMs / 2);
  const left = await sendAnswer(reply, answer, request);
  entry.status = left ? answer.status : 0;
  if (!context.settings.logBodies) delete entry.body;
  gate.log.finish(entry, clock.now());
  await context.settings.onPhase?.('answered', entry);
}

function beginEntry(
  context: SandboxContext,
  gate: RequestGateState,
  endpoint: SandboxEndpoint | undefined,
  request: FastifyRequest,
): RequestLogEntry {
  const { raw, decoded, query } = splitUrl(request.originalUrl);
  const shown = (path: string): string => splitApiVersion(path).rest;
  return gate.log.begin({
    at: context.settings.clock.now(),
    method: request.method,
    path: shown(decoded ?? raw),
    rawPath: shown(raw),
    template: endpoint?.template ?? '(none)',
    query,
  });
}

function gateRefusal(
  gate: RequestGateState,
  entry: RequestLogEntry,
  authorization: string | undefined,
  now: number,
): ApiError | undefined {
  if (!hasValidToken(gate.tokens, authorization)) return createUnauthorizedError();
  if (gate.forbidden.some((matches) => matches(entry.method, entry.path, entry.template)))
    return createForbiddenError();
  const verdict = gate.limiter.take(`${entry.method} ${entry.path}`, now);
  return verdict.allowed ? undefined : createRateLimitError(verdict.limit, verdict.retryAfter);
}

/** Returns true if an Authorization header has a token of the set. */
export function hasValidToken(tokens: ReadonlySet<string>, authorization: string | undefined): boolean {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  return token !== undefined && tokens.has(token);
}

/** Runs the operation of a request with its fault; every error becomes an answer. */
async function work(
  context: SandboxContext,
  endpoint: SandboxEndpoint | undefined,
  entry: RequestLogEntry,
  fault: FaultDecision,
  request: FastifyRequest,
  body: Body,
): Promise<SandboxAnswer> {
  const { settings } = context;
  if (fault.kind !== undefined) entry.fault = fault.kind;
  try {
    refuseBefore(context, fault);
    if (fault.kind === 'dropBefore') return { status: 0, headers: {}, body: '', drop: true };
    if (endpoint === undefined) throw noOperation(entry);
    if (!body.ok) throw createValidationError(body.reason);
    const value = endpoint.handle({
      ...context,
      baseUrl: baseUrlOf(request),
      endpoint,
      params: stringRecord(request.params),
      query: stringRecord(request.query),
      body: rewritten(endpoint, body.value, settings.strict),
      rawPath: entry.rawPath,
      now: settings.clock.now(),
    });
    entry.applied = endpoint.method !== 'GET' && endpoint.reads !== true;
    if (entry.applied) await settings.onPhase?.('applied', entry);
    return toSuccessAnswer(value, endpoint.creates === true ? settings.createdStatus : 200, fault);
  } catch (error) {
    const refusal =
      error instanceof ApiError
        ? error
        : new ApiError(500, 'Unexpected error occurred', { reason: String(error) });
    return toErrorAnswer(refusal, entry, settings.explain);
  }
}

/** Returns the base URL that a request used; the page links of its answer begin with it. */
function baseUrlOf({ headers: { host = '' }, originalUrl }: FastifyRequest): string {
  return `http://${host}/${splitApiVersion(originalUrl).version ?? 'v1'}`;
}

function rewritten({ fromClients, fromNull }: SandboxEndpoint, body: unknown, strict: boolean): unknown {
  if (strict) return body;
  if (body === null && fromNull !== undefined) return fromNull;
  return fromClients !== undefined && isJsonObject(body) ? fromClients(body) : body;
}

function noOperation({ rawPath }: RequestLogEntry): ApiError {
  if (splitUrl(rawPath).decoded !== undefined) return createNotFoundError('Not Found');
  return createValidationError('a percent sequence of the path is broken');
}

function refuseBefore(context: SandboxContext, fault: FaultDecision): void {
  if (fault.kind === '429')
    throw createRateLimitError(context.settings.rate === 'off' ? 5 : context.settings.rate, 1);
  if (fault.kind === '449') throw createQueuedError();
  if (fault.kind !== undefined && /^\d+$/.test(fault.kind)) throw createServerError(Number(fault.kind));
}

type Body = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

/**
 * Parses the body: undefined for a GET, `{}` for an empty one, since every property of the contact list is optional.
 */
function readBody(endpoint: SandboxEndpoint | undefined, request: FastifyRequest): Body {
  if (endpoint === undefined || endpoint.method === 'GET') return { ok: true, value: undefined };
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return { ok: true, value: {} };
  if (!/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '')) {
    return { ok: false, reason: 'Content-Type must be application/json' };
  }
  try {
    return { ok: true, value: parseUtf8Json(request.body) };
  } catch (error) {
    return { ok: false, reason: `the body is not JSON in UTF-8: ${String(error)}` };
  }
}

function stringRecord(value: unknown): Readonly<Record<string, string | undefined>> {
  if (typeof value !== 'object' || value === null) return {};
  return { ...value };
}

async function sleep(context: SandboxContext, ms: number): Promise<void> {
  if (ms > 0) await (context.settings.clock.sleep ?? defaultSandboxClock.sleep)(ms);
}
