import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HealthServer, healthRoutes, startHealthServer } from '../../src/fleet/worker/health.ts';
import { WorkerMetrics } from '../../src/fleet/worker/worker-metrics.ts';

const worker = { name: 'w', jobs: 0, concurrency: 2, draining: false, notReady: null };
let asked = 0;
let health: HealthServer;
beforeAll(async () => {
  const now = () => ({ ...worker, refused: 0, database: true });
  health = await startHealthServer({ host: '127.0.0.1', port: 0 }, now, new WorkerMetrics(), async () => {
    asked += 1;
    return 'longshore_fleet_jobs 0\n';
  });
});
afterAll(() => health.close());

/** As a browser or a probe sends it: with any Host, which `fetch` does not let a program set. */
async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port: health.port, method, path, headers }, resolve);
    sent.on('error', reject);
    sent.end();
  });
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  const names = Object.keys(response.headers);
  return { status: response.statusCode, text, opened: names.filter((name) => name.startsWith('access-')) };
}

describe.each(Object.keys(healthRoutes))('%s of a worker', (path) => {
  it('is read by any address or name, as kubelet and Prometheus do, and by no page of another site', async () => {
    for (const host of ['10.1.2.3:9464', 'worker-1.example:9464', '[fd00::1]:9464', 'localhost'])
      expect((await send('GET', path, { host })).status, host).toBe(200);
    const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const [method, status] of [
      ['GET', 200],
      ['OPTIONS', 405],
    ] as const)
      expect(await send(method, path, page)).toMatchObject({ status, opened: [] });
  });

  it('answers GET and HEAD alone', async () => {
    expect(await send('HEAD', `${path}?x=1`)).toMatchObject({ status: 200, text: '' });
    const before = asked;
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
      expect(await send(method, path), method).toEqual({
        ...{ status: 405, opened: [] },
        text: 'only GET is answered here\n',
      });
    expect(asked).toBe(before);
  });

  it('has nothing behind it', async () => {
    for (const end of ['/', '/x', '%00', '/../../etc/passwd'])
      expect((await send('GET', `${path}${end}`)).status, end).toBe(404);
  });
});

it.each(['/', '/debug', '/constructor', '/__proto__', '//metrics'])('there is no %s', async (path) => {
  const { status, text } = await send('GET', path);
  expect(status).toBe(404);
  expect(text).toBe(`not found: ${Object.keys(healthRoutes).join(', ')} are here\n`);
});
