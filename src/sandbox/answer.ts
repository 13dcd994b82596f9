import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiError, createServerError } from './api-error.ts';
import type { FaultDecision } from './faults.ts';
import type { RequestLogEntry } from './request-log.ts';

/** An answer as it is sent; `drop` destroys the connection instead. */
export interface SandboxAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly drop: boolean;
}

/**
 * Returns the answer for an error, and notes the reason in the request's log entry; `explain` adds it to the
 * message.
 */
export function toErrorAnswer(refusal: ApiError, entry: RequestLogEntry, explain: boolean): SandboxAnswer {
  if (refusal.reason !== undefined) entry.reason = refusal.reason;
  const message =
    explain && refusal.reason !== undefined ? `${refusal.message} ${refusal.reason}` : refusal.message;
  return {
    status: refusal.status,
    headers: refusal.headers,
    body: JSON.stringify({ code: refusal.status, message }),
    drop: false,
  };
}

/**
 * Returns the answer to a request that succeeded; a fault that happens after the change drops, damages or replaces it.
 */
export function toSuccessAnswer(value: object, status: number, fault: FaultDecision): SandboxAnswer {
  const body = JSON.stringify(value);
  const whole = { status, headers: {}, body, drop: false };
  switch (fault.kind) {
    case 'dropAfter':
      return { ...whole, drop: true };
    case 'brokenBody':
      return { ...whole, body: brokenBody(body, fault.shape) };
    case '500After':
    case '502After':
    case '503After':
    case '504After': {
      const { status: code, message } = createServerError(Number.parseInt(fault.kind, 10));
      return { ...whole, status: code, body: JSON.stringify({ code, message }) };
    }
    default:
      return whole;
  }
}

function brokenBody(body: string, shape: number): string {
  if (shape < 0.4) return body.slice(0, Math.max(1, Math.floor(body.length / 2)));
  return shape < 0.8 ? '<html><body>Proxy error</body></html>' : '';
}

/** Sends the answer; resolves with true if it was sent completely. */
export async function sendAnswer(
  reply: FastifyReply,
  answer: SandboxAnswer,
  request: FastifyRequest,
): Promise<boolean> {
  reply.hijack();
  const { socket } = request.raw;
  if (answer.drop) socket.destroy();
  if (socket.destroyed) return false;
  const response = reply.raw;
  return new Promise((resolve) => {
    response.once('finish', () => resolve(true));
    response.once('close', () => resolve(response.writableFinished));
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(answer.body),
      ...answer.headers,
    });
    response.end(answer.body);
  });
}
