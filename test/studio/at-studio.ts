import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStudio } from '../../src/studio/server/index.ts';
import { sessionHeaderName } from '../../src/studio/wire/project.ts';
import type { AnyRoute } from '../../src/studio/wire/route.ts';
import {
  type JsonRouteName,
  type RouteAnswer,
  type RouteRequest,
  routes,
  type StreamRouteName,
} from '../../src/studio/wire/routes.ts';
import { main } from '../end-to-end/built.ts';
import { usualInvocation } from '../invocation.ts';

/** A session in a studio. */
export interface Client {
  readonly port: number;
  readonly token: string;
  /** Asks as the page does; throws where the answer is no good one. */
  call<N extends JsonRouteName>(name: N, request: RouteRequest<N>): Promise<RouteAnswer<N>>;
  /** The events of a stream until it ends, or until `isLast` of one. */
  hear<N extends StreamRouteName>(
    name: N,
    request: RouteRequest<N>,
    isLast?: (event: RouteAnswer<N>) => boolean,
  ): Promise<RouteAnswer<N>[]>;
  /** Sends a request of a route as somebody else would, with headers of their own. */
  send(route: AnyRoute, request: object, how?: How): Promise<Response>;
}

interface How {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

/** A studio in the process of the test, and a session in it; both end with the test. */
export interface StudioUnderTest extends Client {
  /** The project folder. */
  readonly folder: string;
  readonly workDir: string;
  /** What the terminal was warnings. */
  readonly warnings: readonly string[];
}

interface Options {
  /** The project folder, gone after the test where it is not given. */
  readonly folder?: string;
  /** The one of the project where it is not given. */
  readonly workDir?: string;
  readonly readOnly?: boolean;
}

export async function atStudio({
  folder = projectOfTest(),
  workDir,
  readOnly = false,
}: Options = {}): Promise<StudioUnderTest> {
  const warnings: string[] = [];
  const studio = await openStudio({
    ...{ from: folder, workDir, port: 0, readOnly, main },
    invocation: usualInvocation,
    warn: (text) => warnings.push(text),
  });
  onTestFinished(() => studio.close());
  return { ...(await connect(studio.newUrl())), folder: studio.folder, workDir: studio.workDir, warnings };
}

/** Opens the link of a studio as the page does. */
export async function connect(url: string): Promise<Client> {
  const { origin, port } = new URL(url);
  const begun = await fetch(`${origin}${routes.startSession.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: url.split('/').at(-1) }),
  });
  const { token }: RouteAnswer<'startSession'> = await begun.json();
  const send: Client['send'] = async (route, request, { headers = {}, method = route.method } = {}) => {
    const { path, rest } = addressOf(route, request);
    const inQuery = method === 'GET' || route.kind === 'bytes';
    const query = inQuery
      ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))}`
      : '';
    return await fetch(`${origin}${path}${query}`, {
      method,
      headers: {
        [sessionHeaderName]: token,
        'content-type': route.kind === 'bytes' ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(!inQuery && { body: JSON.stringify(Object.fromEntries(rest)) }),
      ...(route.kind === 'bytes' && method !== 'GET' && { body: 'a,b\n1,2\n' }),
    });
  };
  return {
    ...{ port: Number(port), token, send },
    async call(name, request) {
      const response = await send(routes[name], request);
      if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
      return await response.json();
    },
    async hear(name, request, isLast = () => false) {
      const response = await send(routes[name], request);
      const events: RouteAnswer<typeof name>[] = [];
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
        const whole = (text + read.value).split('\n\n');
        text = whole.pop() ?? '';
        for (const each of whole) {
          if (each.startsWith('event: problem')) throw new Error(each);
          if (!each.startsWith('data: ')) continue;
          const event: RouteAnswer<typeof name> = JSON.parse(each.slice('data: '.length));
          events.push(event);
          if (!isLast(event)) continue;
          await reader?.cancel();
          return events;
        }
      }
      return events;
    },
  };
}

function addressOf(route: AnyRoute, request: object) {
  const fields = new Map(Object.entries(request));
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = String(fields.get(name));
    fields.delete(name);
    return encodeURIComponent(value);
  });
  return { path, rest: [...fields] };
}

/** An empty folder with an empty `pipelines`, gone after the test. */
export function projectOfTest(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'longshore-studio-')));
  mkdirSync(join(folder, 'pipelines'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
