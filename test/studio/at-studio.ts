import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStudio } from '../../src/studio/server/index.ts';
import { sessionHeader } from '../../src/studio/wire/project.ts';
import type { AnyRoute } from '../../src/studio/wire/route.ts';
import { type AnswerOf, type CallName, type RequestOf, routes } from '../../src/studio/wire/routes.ts';
import { main } from '../end-to-end/built.ts';

/** A studio in the process of the test, and a session in it; both end with the test. */
export interface StudioUnderTest {
  /** The project folder. */
  readonly folder: string;
  readonly workDir: string;
  readonly port: number;
  readonly token: string;
  /** What the terminal was told. */
  readonly told: readonly string[];
  /** Asks as the page does; throws where the answer is no good one. */
  call<N extends CallName>(name: N, request: RequestOf<N>): Promise<AnswerOf<N>>;
  /** Sends a request of a route as somebody else would, with headers of their own. */
  send(route: AnyRoute, request: object, how?: How): Promise<Response>;
}

interface How {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

interface Options {
  /** The project folder, gone after the test where it is not given. */
  readonly folder?: string;
  readonly readOnly?: boolean;
}

export async function atStudio({ folder = projectOfTest(), readOnly = false }: Options = {}) {
  const told: string[] = [];
  const studio = await openStudio({
    ...{ from: folder, workDir: undefined, port: 0, readOnly, main },
    typing: { program: 'npx longshore', allowEnv: [] },
    told: (text) => told.push(text),
  });
  onTestFinished(() => studio.close());
  const base = `http://127.0.0.1:${studio.port}`;
  const code = studio.newUrl().split('/').at(-1) ?? '';
  const begun = await fetch(`${base}${routes.startSession.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const { token }: AnswerOf<'startSession'> = await begun.json();
  const send: StudioUnderTest['send'] = async (
    route,
    request,
    { headers = {}, method = route.method } = {},
  ) => {
    const { path, rest } = addressOf(route, request);
    const inQuery = method === 'GET' || route.kind === 'bytes';
    const query = inQuery
      ? `?${new URLSearchParams(rest.map(([name, value]) => [name, String(value)]))}`
      : '';
    return await fetch(`${base}${path}${query}`, {
      method,
      headers: {
        [sessionHeader]: token,
        'content-type': route.kind === 'bytes' ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(!inQuery && { body: JSON.stringify(Object.fromEntries(rest)) }),
      ...(route.kind === 'bytes' && method !== 'GET' && { body: 'a,b\n1,2\n' }),
    });
  };
  const under: StudioUnderTest = {
    ...{ folder: studio.folder, workDir: studio.workDir, port: studio.port, token, told, send },
    async call(name, request) {
      const response = await send(routes[name], request);
      if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
      return await response.json();
    },
  };
  return under;
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
