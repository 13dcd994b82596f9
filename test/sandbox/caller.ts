import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown;
}

export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answered>;

/** A sandbox for one test, without a rate limit unless it asks for one, and plain fetch to talk to it. */
export async function startForTest(options: SandboxOptions = {}): Promise<{ sandbox: Sandbox; call: Call }> {
  const sandbox = await startSandbox({ rate: 'off', explain: true, ...options });
  onTestFinished(() => sandbox.close());
  return { sandbox, call: callerOf(sandbox) };
}

export function callerOf(sandbox: Sandbox, token = 'sandbox'): Call {
  return async (method, path, body, headers = {}) => {
    const url = path.startsWith('http') ? path : `${sandbox.baseUrl}${path}`;
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A clock that stands still until a test moves it. */
export function heldClock(start = 1_700_000_000_000): { now(): number; move(ms: number): void } {
  let time = start;
  return {
    now: () => time,
    move: (ms) => {
      time += ms;
    },
  };
}

export const dataTypeNames = ['text', 'number', 'email', 'url', 'list', 'date', 'time', 'checkbox'] as const;

/** A custom field of each data type, named like the type. */
export const fieldOfEachType = dataTypeNames.map((dataType) => ({
  name: dataType,
  dataType,
  ...(dataType === 'list' ? { allowedValues: ['gold', 'silver'] } : {}),
}));

/** A promise and the function that resolves it. */
export function latch(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
