import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { forgetPersonInWorkDir } from '../../src/app/forget/forget.ts';
import { parsePersonQuery } from '../../src/journal/index.ts';
import { systemClock } from '../../src/workspace/index.ts';
import { usualInvocation } from '../invocation.ts';
import { main } from './built.ts';
import { everything, fillWorkDir, placesOf } from './forgotten-person.ts';
import { atScene } from './scene.ts';

const named = 'zenobia.quist@example.com';

class Died extends Error {}

/** Forgets and dies at the nth place; returns how many places were reached. */
async function dyingAt(workDir: string, n: number): Promise<number> {
  let places = 0;
  const reached = () => {
    places += 1;
    if (places === n) throw new Died('killed');
  };
  const job = {
    invocation: usualInvocation,
    workDir,
    asked: parsePersonQuery(named),
    clock: systemClock,
    reached,
  };
  const ended = forgetPersonInWorkDir({ ...job, confirm: () => Promise.resolve(true) });
  await ended.catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  return places;
}

it('is finished by the next, wherever it dies', async () => {
  await atScene(everything, async (scene) => {
    await fillWorkDir(scene);
    const work = join(scene.path, 'work');
    let n = 1;
    for (; ; n += 1) {
      const copy = join(scene.path, `copy-${n}`);
      cpSync(work, copy, { recursive: true });
      const places = await dyingAt(copy, n);
      if (places < n) break;
      await dyingAt(copy, 0);
      expect(placesOf(copy), `after place ${n}`).toEqual([]);
    }
    expect(n).toBeGreaterThan(25);
  });
  // It forgets more than fifty times, which takes minutes on a busy machine.
}, 1_800_000);

it('leaves a journal that can be opened after a kill -9, and is finished by the next', async () => {
  await atScene(everything, async (scene) => {
    await fillWorkDir(scene);
    const work = join(scene.path, 'work');
    const url = (name: string) => JSON.stringify(new URL(name, pathToFileURL(main)).href);
    for (const stage of ['journal', 'committed']) {
      const copy = join(scene.path, `copy-${stage}`);
      cpSync(work, copy, { recursive: true });
      const script = `
        const { forgetPersonInWorkDir: forget } = await import(${url('../app/forget/forget.js')});
        const { systemClock } = await import(${url('../workspace/index.js')});
        await forget({
          workDir: ${JSON.stringify(copy)}, asked: { kind: 'email', value: '${named}' }, clock: systemClock,
          invocation: ${JSON.stringify(usualInvocation)},
          confirm: async () => true,
          reached: (stage) => stage === '${stage}' && process.kill(process.pid, 'SIGKILL'),
        });`;
      const killed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
      await expect(killed).rejects.toMatchObject({ signal: 'SIGKILL' });
      await dyingAt(copy, 0);
      expect(placesOf(copy), stage).toEqual([]);
    }
  });
});
