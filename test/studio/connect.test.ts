import { expect, it, onTestFinished } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { routes } from '../../src/studio/wire/routes.ts';
import { inOrder, standing, writePeople } from '../end-to-end/people.ts';
import { atStudio, projectOfTest } from './at-studio.ts';
import { ended } from './studio-of-site.ts';

const token = 'a-secret-token-of-this-test';
const command = { command: 'import', pipeline: 'pipeline.yaml' } as const;

async function atProject(options: SandboxOptions = {}) {
  const folder = projectOfTest();
  const people = writePeople(folder, 3, '{}');
  const sandbox = await startSandbox({ strict: true, seed: people.seed, tokens: [token], ...options });
  onTestFinished(() => sandbox.close());
  return { ...(await atStudio({ folder })), people, sandbox };
}

it('a pipeline that names no workspace is imported into the one that the page is connected to', async () => {
  const { sandbox, people, ...client } = await atProject();
  const { call, send } = client;
  expect(await call('commandTarget', { command })).toEqual({
    ...{ workspace: null, needsToken: null, needsWorkspace: true },
  });
  const refused = await send(routes.startProcess, { command });
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ message: 'No workspace is connected.' });

  const { baseUrl } = sandbox;
  expect(await call('connect', { baseUrl: ` ${baseUrl}/ `, token: ` ${token}\n` })).toEqual({
    workspace: baseUrl,
  });
  expect((await call('project', {})).workspace).toBe(baseUrl);
  expect(await call('commandTarget', { command })).toEqual({
    ...{ workspace: baseUrl, needsToken: null, needsWorkspace: false },
  });
  const { id } = await call('startProcess', { command });
  expect(await ended(client, id)).toMatchObject({ exitCode: 0 });
  expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
});

it('a workspace that does not answer, is none or refuses the token is not connected', async () => {
  const { call, send, sandbox } = await atProject();
  const refusals: readonly (readonly [baseUrl: string, typed: string, message: string])[] = [
    ['', token, 'The address of the workspace is empty.'],
    ['example.com', token, 'is not a URL'],
    [sandbox.baseUrl, '', 'The token of the workspace is empty.'],
    [sandbox.baseUrl, 'another-token', 'refused'],
    [`${sandbox.baseUrl}/nothing`, token, 'does the base URL end in /v1?'],
    ['http://127.0.0.1:9/v1', token, '127.0.0.1:9'],
  ];
  for (const [baseUrl, typed, message] of refusals) {
    const response = await send(routes.connect, { baseUrl, token: typed });
    expect(response.status, message).toBe(422);
    const problem = await response.json();
    expect(problem.message).toContain(message);
    expect(JSON.stringify(problem)).not.toContain(token);
  }
  expect((await call('project', {})).workspace).toBeNull();
});

it('a token that may not list the users is connected all the same', async () => {
  const { call, sandbox } = await atProject({ forbidden: ['/space/user'] });
  const { baseUrl } = sandbox;
  expect(await call('connect', { baseUrl, token })).toEqual({ workspace: baseUrl });
});
