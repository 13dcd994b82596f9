import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Transport } from '../../src/model/ports.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../src/workspace/index.ts';
import { emptyPage, errorAnswer } from './open.ts';

function open(baseUrl: string, transport?: Transport) {
  const workspace = openWorkspace({
    baseUrl,
    token: 'sandbox',
    limits: { ...defaultWorkspaceLimits, outageMs: 2_000 },
    clock: systemClock,
    randomness: systemRandomness,
    signal: new AbortController().signal,
    ...(transport && { transport }),
  });
  onTestFinished(() => workspace.close(0));
  return workspace;
}

/** A web server that is no workspace: it answers everything alike. */
async function website(status: number, body: string, headers: Record<string, string> = {}): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

async function listed(baseUrl: string): Promise<unknown> {
  const { users, paginate } = open(baseUrl);
  for await (const _ of paginate(users.list)) return undefined;
  return undefined;
}

describe('a base URL that no workspace is at', () => {
  it('is asked about where /v1 was forgotten', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const without = sandbox.baseUrl.replace(/\/v1$/, '');
    await expect(listed(without)).rejects.toMatchObject({
      reason: 'usage',
      message: `404 from GET ${without}/space/user: does the base URL end in /v1?`,
      next: expect.stringContaining('https://host/v1'),
    });
  });

  it.each([
    [200, '<h1>Welcome</h1>', '200 without JSON'],
    [404, '<h1>Not here</h1>', '404'],
    [301, '', '301'],
  ])('is asked about at once where a website answers %i', async (status, body, answer) => {
    const url = await website(status, body, status === 301 ? { location: 'https://www.example.test/' } : {});
    const message = `${answer} from GET ${url}/space/user: does the base URL end in /v1?`;
    await expect(listed(url)).rejects.toMatchObject({ reason: 'usage', message });
  });

  it('is asked about in other words where it ends in /v1', async () => {
    const url = await website(404, '{"message":"no such thing"}');
    const message = `404 from GET ${url}/v1/space/user: is the base URL right?`;
    await expect(listed(`${url}/v1`)).rejects.toMatchObject({ reason: 'usage', message });
  });

  it('is not blamed for a busy server, nor for what it answers once a workspace has answered', async () => {
    const busy = await website(503, '<h1>Later</h1>');
    await expect(listed(busy)).rejects.toMatchObject({ reason: 'unreachable' });
    const answers = [emptyPage, errorAnswer(404, 'Not found')];
    const { users } = open('https://workspace.test', {
      send: () => Promise.resolve(answers.shift() ?? emptyPage),
      close: () => Promise.resolve(),
    });
    expect(await users.list({})).toMatchObject({ kind: 'ok' });
    expect(await users.list({})).toMatchObject({ kind: 'absent' });
  });
});
