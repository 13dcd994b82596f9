import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { YamlWorker } from '../../src/studio/server/yaml/yaml-work.ts';
import { type RouteAnswer, routes } from '../../src/studio/wire/routes.ts';
import { atSite, changed } from '../cli/site.ts';
import { writePeople } from '../end-to-end/people.ts';
import { atStudio, projectOfTest } from './at-studio.ts';
import { gateAfter } from './gate.ts';
import { ended, studioOf } from './studio-of-site.ts';

it('an import outlives the studio that started it; another one finds, stops and continues it, and asks for the token again', () => {
  const gate = gateAfter(4);
  return atSite({ rows: 12, limits: '{ concurrency: 2 }', onPhase: gate.pass }, async (site) => {
    const { sandbox, token, workDir } = site;
    const first = await studioOf(site);
    const command = { command: 'import', pipeline: 'pipeline.yaml' } as const;
    const target = await first.client.call('commandTarget', { command });
    expect(target).toEqual({
      workspace: sandbox.baseUrl,
      needsToken: { variable: 'LONGSHORE_TOKEN', workspace: sandbox.baseUrl },
      needsWorkspace: false,
    });
    const refused = await first.client.send(routes.startProcess, { command });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ needsToken: target.needsToken });

    const started = await first.client.call('startProcess', { command, token });
    expect(started).toMatchObject({ state: 'running', exitCode: null, pid: expect.any(Number) });
    expect(started.typed).toMatch(/ import pipeline\.yaml --work-dir /);
    await changed(sandbox, 2);
    first.running.process.kill('SIGKILL');
    await first.running.ended;

    // In the process of the test: what it finds is in files alone.
    const client = await atStudio(site);
    const [found] = (await client.call('processes', {})).processes;
    expect(found).toMatchObject({ id: started.id, pid: started.pid, state: 'running', exitCode: null });
    const run = found?.run ?? '';
    expect(await client.call('status', { run })).toMatchObject({ run, state: 'running' });
    expect((await client.call('runs', {})).runs).toMatchObject([{ run, state: 'running' }]);
    const seen: RouteAnswer<'watchRun'>[] = [];
    // Also by a page that was open before another one continues the run.
    const watched = client.hear('watchRun', { run }, (status) => {
      seen.push(status);
      return status.state === 'finished';
    });
    await client.call('stopRun', { run });
    gate.open();
    expect(await ended(client, started.id)).toMatchObject({ state: 'ended', exitCode: null });
    await vi.waitFor(() => expect(seen.at(-1)).toMatchObject({ state: 'interrupted', exitCode: 143 }), {
      timeout: 20_000,
    });

    const resume = { command: 'resume', run } as const;
    expect((await client.send(routes.startProcess, { command: resume })).status).toBe(409);
    const again = await client.call('startProcess', { command: resume, token });
    expect(await ended(client, again.id)).toMatchObject({ exitCode: 0, run });
    expect(await client.call('status', { run })).toMatchObject({ state: 'finished', exitCode: 0 });
    expect((await watched).at(-1)).toMatchObject({ state: 'finished', exitCode: 0, secondsLeft: null });
    site.expectExact();

    const kept = filesBelow(join(workDir, 'studio'));
    expect(kept.length).toBe(6);
    for (const file of kept) {
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
      expect(readFileSync(file, 'utf8'), file).not.toContain(token);
    }
  });
});

it('a token that the workspace refuses is asked for again', () =>
  atSite({ rows: 2 }, async (site) => {
    const client = await atStudio(site);
    const { baseUrl } = site.sandbox;
    const command = { command: 'import', pipeline: 'pipeline.yaml', workspace: baseUrl } as const;
    const { id } = await client.call('startProcess', { command, token: 'a-wrong-token' });
    expect(await ended(client, id)).toMatchObject({ exitCode: 5 });
    expect((await client.call('process', { id })).messages).toContain('error: ');
    expect((await client.call('commandTarget', { command })).needsToken).not.toBeNull();
  }));

it('a process whose number is another by now has ended, and is left alone', async () => {
  const { call, workDir } = await atStudio();
  const folder = join(workDir, 'studio/processes/20260301T000000000-import-abcdef');
  mkdirSync(folder, { recursive: true });
  const record = {
    ...{ id: '20260301T000000000-import-abcdef', typed: 'longshore import a.yaml' },
    ...{ command: { command: 'import', pipeline: 'a.yaml' }, pid: process.pid, birth: 'another time' },
    ...{ startedAt: '2026-03-01T00:00:00.000Z', endedAt: null, exitCode: null, signal: null },
  };
  writeFileSync(join(folder, 'process.json'), JSON.stringify(record));
  const heard = vi.fn();
  process.once('SIGTERM', heard);
  expect(await call('stopProcess', { id: record.id })).toMatchObject({ state: 'ended', exitCode: null });
  expect((await call('processes', {})).processes).toMatchObject([{ state: 'ended', run: null }]);
  expect(heard).not.toHaveBeenCalled();
  process.off('SIGTERM', heard);
});

it('a process that is being started is in the list that is asked for meanwhile', async () => {
  const folder = projectOfTest();
  writePeople(folder, 1, '{}');
  const { call } = await atStudio({ folder });
  const gate = gateAfter(0);
  const target = vi.spyOn(YamlWorker.prototype, 'run').mockImplementationOnce(async () => {
    await gate.pass('applied');
    return { tokenEnv: 'LONGSHORE_TOKEN' };
  });
  onTestFinished(() => target.mockRestore());
  const command = { command: 'import', pipeline: 'pipeline.yaml', workspace: 'sandbox' } as const;
  const started = call('startProcess', { command });
  await vi.waitFor(() => expect(target).toHaveBeenCalledOnce());
  const listed = call('processes', {});
  // Whatever does not wait is answered before this.
  await call('project', {});
  gate.open();
  const { id } = await started;
  expect((await listed).processes).toMatchObject([{ id, command }]);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
