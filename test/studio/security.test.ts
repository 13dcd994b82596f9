import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRouteHandlers } from '../../src/studio/server/register.ts';
import { commandPathFields } from '../../src/studio/wire/command.ts';
import { sessionHeaderName } from '../../src/studio/wire/project.ts';
import { type RouteName, routes } from '../../src/studio/wire/routes.ts';
import { commandSchema } from '../../src/studio/wire/schemas/command.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { atStudio, projectOfTest } from './at-studio.ts';
import { examples, withPath } from './examples.ts';

const all = Object.entries(routes).map(([name, route]) => ({ name, route, example: exampleOf(name) }));
const guarded = all.filter(({ name }) => name !== 'startSession');

function exampleOf(name: string): object {
  const found = Object.entries(examples).find(([each]) => each === name)?.[1];
  if (found === undefined) throw new Error(`no example of ${name}`);
  return found;
}

it('every route has what answers it, once', () => {
  expect(allRouteHandlers.map(({ route }) => route.path + route.method).sort()).toEqual(
    all.map(({ route }) => route.path + route.method).sort(),
  );
  const called = allRouteHandlers.map(({ route }) => all.find((each) => each.route === route)?.name);
  expect(called).not.toContain(undefined);
});

describe('whoever has no session', () => {
  it('is answered nothing, on any route', async () => {
    const { send, warnings } = await atStudio();
    for (const { name, route, example } of guarded) {
      for (const token of ['', 'wrong', 'x'.repeat(43)]) {
        const response = await send(route, example, { headers: { [sessionHeaderName]: token } });
        expect(response.status, name).toBe(401);
        expect(Object.keys(await response.json()), name).toEqual(['message', 'next']);
      }
    }
    expect(warnings).toEqual([]);
  });

  it('cannot get one with a code that is spent or guessed', async () => {
    const { send } = await atStudio();
    for (const code of ['spent', 'x'.repeat(43)])
      expect((await send(routes.startSession, { code })).status).toBe(403);
  });

  it('sees of the page its files alone', async () => {
    const { port } = await atStudio();
    for (const path of [
      '/nothing.js',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/package.json',
      '/api',
      '/API/runs',
      '//api/runs',
    ])
      expect([401, 404], path).toContain((await raw(port, path)).status);
    const page = await raw(port, '/');
    expect(page.status).toBe(200);
    expect(page.headers['cache-control']).toBe('no-store');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';connect-src 'self';img-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    expect(page.headers['x-frame-options']).toBe('DENY');
    expect(page.headers['x-content-type-options']).toBe('nosniff');
  });
});

it('another name of this machine, another origin and another site are refused on every route, also with the token', async () => {
  const { port, token } = await atStudio();
  const own = { [sessionHeaderName]: token };
  const foreign = [
    { host: 'evil.example' },
    { host: `evil.example:${port}` },
    { host: '127.0.0.1' },
    { host: `127.0.0.1:${port + 1}` },
    { origin: 'https://evil.example' },
    { origin: `http://127.0.0.1:${port + 1}` },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const { name, route } of all)
    for (const headers of foreign)
      expect((await raw(port, route.path, { ...own, ...headers }, route.method)).status, name).toBe(403);
  for (const headers of foreign) expect((await raw(port, '/', headers)).status).toBe(403);
  const good = {
    ...own,
    host: `localhost:${port}`,
    origin: `http://localhost:${port}`,
    'sec-fetch-site': 'same-origin',
  };
  expect((await raw(port, '/api/project', good)).status).toBe(200);
});

it('a wrong method changes nothing', async () => {
  const { send } = await atStudio();
  for (const { name, route, example } of guarded) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      if (all.some((each) => each.route.path === route.path && each.route.method === method)) continue;
      const { status } = await send(route, example, { method });
      expect([404, 405], `${method} ${name}`).toContain(status);
    }
  }
});

it('under --read-only everything that changes anything is refused, and nothing else', async () => {
  const folder = projectOfTest();
  writeFileSync(join(folder, 'pipelines/mine.yaml'), 'pipeline: mine\n');
  const { send, workDir } = await atStudio({ folder, readOnly: true });
  for (const { name, route, example } of guarded.filter((each) => each.route.kind !== 'stream')) {
    const response = await send(route, example);
    expect(response.status === 403, name).toBe(route.changes);
    if (route.changes) expect((await response.json()).message).toBe('The studio is read-only.');
  }
  expect(existsSync(workDir)).toBe(false);
});

describe('a path outside of the project', () => {
  const withPaths = guarded.flatMap(({ name, route, example }) =>
    route.paths.map((field) => ({ name, route, field, example })),
  );

  it('is a field of some route', () => {
    expect(new Set(withPaths.map(({ name }) => name))).toEqual(
      new Set<RouteName>([
        ...(['readYaml', 'writeYaml', 'checkYaml', 'watchYaml', 'commandTarget', 'startProcess'] as const),
        ...(['look', 'similarImports', 'newerInput', 'watchActivity'] as const),
        ...(['mappingUses', 'mappingColumns', 'mappingCounts', 'mappingRow'] as const),
        ...(['mappingValues', 'mappingRows'] as const),
        ...(['watchPlans', 'plan', 'planState', 'planLines', 'planRow'] as const),
      ]),
    );
  });

  it('is refused in every field that takes one, however it is written', async () => {
    const outside = temporaryFolder();
    onTestFinished(() => outside.remove());
    writeFileSync(join(outside.path, 'secret.yaml'), 'pipeline: secret\n');
    const folder = projectOfTest();
    mkdirSync(join(folder, 'sub'));
    symlinkSync(outside.path, join(folder, 'link'));
    symlinkSync(join(outside.path, 'secret.yaml'), join(folder, 'pipelines/linked.yaml'));
    symlinkSync(join(outside.path, 'not-there.yaml'), join(folder, 'pipelines/dangling.yaml'));
    const { send, warnings } = await atStudio({ folder });
    const paths = [
      '../secret.yaml',
      'sub/../../secret.yaml',
      `..${outside.path}/secret.yaml`,
      join(outside.path, 'secret.yaml'),
      '/etc/passwd',
      'link/secret.yaml',
      'link/new.yaml',
      'pipelines/linked.yaml',
      'pipelines/dangling.yaml',
      'pipelines/x.yaml\0.csv',
      '..\\secret.yaml',
      'C:\\secret.yaml',
    ];
    for (const { name, route, field, example } of withPaths)
      for (const path of paths) {
        const response = await send(route, withField(exampleWith(example, field), field, path));
        expect(response.status, `${name} ${field} ${JSON.stringify(path)}`).toBe(403);
        expect((await response.json()).message).toContain('is not in the project folder');
      }
    // What is percent-encoded twice is a name like any other.
    for (const path of ['%2e%2e/secret.yaml', '%2e%2e%2fsecret.yaml'])
      expect((await send(routes.readYaml, { path })).status, path).toBe(404);
    expect(existsSync(join(outside.path, 'new.yaml'))).toBe(false);
    expect(existsSync(join(outside.path, 'not-there.yaml'))).toBe(false);
    expect(warnings).toEqual([]);
  });

  it('cannot be the name of a file that is sent', async () => {
    const { send, folder } = await atStudio();
    for (const name of ['../evil.csv', '..', '.hidden', 'a/b.csv', 'a\\b.csv', 'a\0.csv', ''])
      expect([400, 404], name).toContain((await send(routes.upload, { name })).status);
    expect(existsSync(join(folder, 'evil.csv'))).toBe(false);
  });

  it('is looked for in every field of a command that can name one', () => {
    const known = new Set<string>(commandPathFields);
    // Words and figures, no paths.
    const others = ['command', 'workspace', 'run', 'limit', 'sample', 'speed', 'key', 'country'];
    const alsoOthers = ['format', 'header', 'sheet', 'table', 'delimiter', 'encoding'];
    const [variants, folderOnly] = commandSchema.options;
    for (const { shape } of [...variants.options, folderOnly])
      for (const [field, schema] of Object.entries(shape)) {
        if (known.has(field) || [...others, ...alsoOthers].includes(field)) continue;
        expect(schema.safeParse(true).success, `${field} is no flag: is it a path?`).toBe(true);
      }
  });
});

it('what nobody expected is told in the terminal, and not to the page', async () => {
  const folder = projectOfTest();
  mkdirSync(join(folder, '.longshore'));
  writeFileSync(join(folder, '.longshore/journal.db'), 'no database, but a secret of somebody');
  const { send } = await atStudio({ folder });
  const response = await send(routes.runs, {});
  expect(response.ok).toBe(false);
  expect(await response.text()).not.toContain(' at ');
});

it('a body that is too large or broken is refused', async () => {
  const { send, port, token } = await atStudio();
  const text = 'x'.repeat(6 * 1024 * 1024);
  expect((await send(routes.writeYaml, { path: 'pipelines/a.yaml', text, etag: null })).status).toBe(413);
  const broken = { [sessionHeaderName]: token, 'content-type': 'application/json' };
  expect((await raw(port, '/api/yaml', broken, 'PUT', '{"path":')).status).toBe(400);
  expect((await send(routes.writeYaml, { path: 'a.yaml', text: '', etag: null, more: true })).status).toBe(
    400,
  );
});

/** An example that has that field. */
function exampleWith(example: object, field: string): object {
  const found = Object.entries(withPath).find(([name]) => field === `command.${name}`);
  return found === undefined ? example : { ...example, command: found[1] };
}

function withField(example: object, field: string, value: string): object {
  const [first = '', ...rest] = field.split('.');
  const inner = Object.entries(example).find(([name]) => name === first)?.[1];
  return rest.length === 0
    ? { ...example, [first]: value }
    : { ...example, [first]: withField(inner instanceof Object ? inner : {}, rest.join('.'), value) };
}

/** A request as `fetch` would not send it. */
function raw(port: number, path: string, headers: Record<string, string> = {}, method = 'GET', body = '') {
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
