import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sandboxOptionGroups } from '../../src/cli/sandbox-options.ts';
import { run, start } from '../end-to-end/command.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function serving(...flags: string[]) {
  const running = start(['sandbox', '--port', '0', '--json', ...flags]);
  const { stdout } = running.process;
  if (stdout === null) throw new Error('the output is not piped');
  let text = '';
  stdout.on('data', (piece: Buffer) => {
    text += piece.toString();
  });
  await once(stdout, 'data');
  const { baseUrl, token }: { baseUrl: string; token: string } = JSON.parse(text);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const create = (email: string) => {
    const body = JSON.stringify({ firstName: 'Ada', unheardOf: 1 });
    return fetch(`${baseUrl}/contact/email:${email}`, { method: 'POST', headers, body });
  };
  return { running, baseUrl, token, headers, create };
}

describe('the sandbox command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints JSON only, and ends well with %s', async (signal) => {
    const { running, baseUrl, headers } = await serving();
    const users = await fetch(`${baseUrl}/space/user`, { headers });
    expect(users.status).toBe(200);
    await users.text();
    running.process.kill(signal);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(Object.keys(JSON.parse(ended.stdout))).toEqual(['baseUrl', 'token', 'id']);
  });

  it.each([
    ['contact', '; did you mean "/contact/*"?'],
    ['/contcat/*', '; did you mean "/contact/*"?'],
    ['/people', ''],
  ])('refuses --forbid %s, which fits no path', async (pattern, meant) => {
    const ended = await run(['sandbox', '--port', '0', '--forbid', pattern]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(`--forbid ${pattern} fits no path of the interface${meant}`);
  });

  it('keeps bodies in its log on request, answers /sandbox/health without a token, and shows no token', async () => {
    const { running, baseUrl, token, headers, create } = await serving(
      '--log-bodies',
      '--forbid',
      '/contact/id:9',
    );
    await create('a@example.com');
    const at = async (path: string, more = {}) => await (await fetch(new URL(path, baseUrl), more)).text();
    expect(JSON.parse(await at('/sandbox/log', { headers }))).toMatchObject({
      entries: [{ body: { firstName: 'Ada', unheardOf: 1 } }],
    });
    expect(await at('/sandbox/health')).toBe('{"status":"ok"}');
    expect((await fetch(new URL('/sandbox/health/', baseUrl))).status).not.toBe(200);
    expect(await at('/sandbox', { headers })).not.toContain(token);
    running.process.kill('SIGINT');
    await running.ended;
  });

  it('listens on another address with names to allow, and warns that other machines reach it', async () => {
    const { running, baseUrl, headers } = await serving('--host', '0.0.0.0', '--allow-host', 'crm.test');
    const { port } = new URL(baseUrl);
    expect(baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
    const statuses = ['crm.test:4600', 'evil.test'].map(async (host) => {
      const sent = request(`${baseUrl}/space/user`, { headers: { ...headers, host } }).end();
      const [response]: IncomingMessage[] = await once(sent, 'response');
      response?.resume();
      return response?.statusCode;
    });
    expect(await Promise.all(statuses)).toEqual([200, 403]);
    running.process.kill('SIGINT');
    expect((await running.ended).stderr).toContain(
      `The sandbox listens on 0.0.0.0, port ${port}: other machines can reach it, without TLS.`,
    );
  });

  it.each([
    [['--allow-host', 'http://crm.test'], '--allow-host takes a host name without a port'],
    [['--allow-host', 'crm.test:80'], '--allow-host takes a host name without a port'],
    [['--host', '203.0.113.7'], '203.0.113.7 is no address of this machine.'],
    [['--host', 'nowhere.invalid'], 'nowhere.invalid is no address of this machine.'],
  ])('refuses %j', async (flags, message) => {
    const ended = await run(['sandbox', '--port', '0', ...flags]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(message);
  });

  it('says that the seed is not used where its workspace exists', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    const [file, seed] = [join(folder.path, 's.db'), join(folder.path, 'seed.json')];
    writeFileSync(seed, '{"contacts":[{"firstName":"A"}]}');
    const errors: string[] = [];
    for (const _ of ['new', 'there']) {
      const { running } = await serving('--file', file, '--seed', seed);
      running.process.kill('SIGINT');
      errors.push((await running.ended).stderr);
    }
    expect(errors[0]).toBe('');
    expect(errors[1]).toContain(`The local workspace ${file} exists already: the seed ${seed} is not used.`);
  });

  it('hands on every switch for what the interface leaves open', async () => {
    const other = {
      strict: ['', { strict: true }],
      existing: ['duplicate', { existing: 'duplicate' }],
      'custom-fields': ['merge', { customFieldArrays: 'merge' }],
      'empty-values': ['ignore', { emptyValues: 'ignore' }],
      'custom-values': ['typed', { customFieldValues: 'typed' }],
      'attach-tags': ['', { extensions: { attachTags: true } }],
      processing: ['2', { processingMs: 2000 }],
      'processing-answer': ['404', { processingAnswer: 404 }],
      'undocumented-processing': ['queued', { processingUndocumented: 'queued' }],
      'undocumented-absent': ['400', { absentUndocumented: 400 }],
      'plain-errors': ['', { explain: false }],
      'new-status': ['closed', { newStatus: 'closed' }],
      'created-status': ['200', { createdStatus: 200 }],
      'unknown-properties': ['ignore', { unknownProperties: 'ignore' }],
      'duplicate-tag': ['409', { duplicateTag: 409 }],
      'list-limit': ['99', { listLimit: 99 }],
      'last-next': ['null', { lastNext: 'null' }],
      'message-order': ['oldest', { messageOrder: 'oldest' }],
    } as const;
    expect(Object.keys(other).sort()).toEqual(
      [...sandboxOptionGroups['Where the API documentation leaves it open:']].sort(),
    );
    const flags = Object.entries(other).flatMap(([name, [value]]) => [
      `--${name}`,
      ...(value === '' ? [] : [value]),
    ]);
    const [plain, switched] = await Promise.all([serving(), serving(...flags)]);
    const switches = async ({ baseUrl, headers }: typeof plain) => {
      const about = await fetch(new URL('/sandbox', baseUrl), { headers });
      const { switches: all }: { switches: unknown } = JSON.parse(await about.text());
      return all;
    };
    for (const [, setting] of Object.values(other)) {
      expect(await switches(switched)).toMatchObject(setting);
      expect(await switches(plain)).not.toMatchObject(setting);
    }
    for (const { running } of [plain, switched]) {
      running.process.kill('SIGINT');
      await running.ended;
    }
  });

  it('takes a random token for each start, and prints it; its own paths take no other', async () => {
    const servers = await Promise.all([serving(), serving()]);
    const [one, two] = servers;
    expect(one.token).toMatch(/^[\w-]{32}$/);
    expect(two.token).not.toBe(one.token);
    const log = new URL('/sandbox/log', one.baseUrl);
    const statuses = [one.headers, two.headers, { authorization: 'Bearer sandbox' }].map(
      async (headers) => (await fetch(log, { headers })).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
    for (const { running } of servers) {
      running.process.kill('SIGINT');
      await running.ended;
    }
  });

  it('refuses a token that no header can carry', async () => {
    const { code, stderr } = await run(['sandbox', '--port', '0', '--token', 'two words']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--token') });
  });

  it('says that a port is in use', async () => {
    const { running, baseUrl } = await serving();
    const { port } = new URL(baseUrl);
    expect(await run(['sandbox', '--port', port])).toEqual({
      code: 2,
      signal: null,
      stdout: '',
      stderr: `error: port ${port} is in use already.\n  Choose another with --port, or use any free one: npx longshore sandbox --port 0\n`,
    });
    running.process.kill('SIGINT');
    await running.ended;
  });

  it('names the seed that was meant', async () => {
    const folder = temporaryFolder();
    onTestFinished(() => folder.remove());
    writeFileSync(join(folder.path, 'people.csv'), 'firstName\nAda\n');
    const { code, stderr } = await run(['sandbox', '--port', '0', '--seed', join(folder.path, 'peple.csv')]);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `There is no seed at ${join(folder.path, 'peple.csv')}; did you mean "${join(folder.path, 'people.csv')}"?`,
    );
  });

  it('says what is wrong with a seed', async () => {
    const { code, stderr } = await run(['sandbox', '--port', '0', '--seed', 'nobody.json']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('nobody.json') });
  });

  it('hands its switches on', async () => {
    const { running, create, token } = await serving(
      ...['--token', 'mine', '--created-status', '200', '--unknown-properties', 'ignore'],
      ...['--processing', '60', '--forbid', '/contact/email:no@*', '--log'],
    );
    expect(token).toBe('mine');
    expect((await create('ada@example.com')).status).toBe(200);
    expect((await create('no@example.com')).status).toBe(403);
    running.process.kill('SIGINT');
    const { stderr } = await running.ended;
    expect(stderr).toBe('POST /contact/email:ada@example.com 200\nPOST /contact/email:no@example.com 403\n');
  });
});
