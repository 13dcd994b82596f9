import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, describe, expect, it } from 'vitest';
import { makeOwnerOnlyFolder } from '../../src/storage/own-folder.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const { path: folder, remove } = temporaryFolder();
afterAll(remove);

describe('a folder of our own', () => {
  it('is made with those above it, for its owner only', () => {
    const path = join(folder, 'a', 'b');
    for (const _ of ['first', 'second']) makeOwnerOnlyFolder(path);
    expect([path, join(folder, 'a')].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('is refused, and not looked for without end, where the current folder was removed', async () => {
    const cwd = join(folder, 'project');
    mkdirSync(cwd);
    const script = `
      ${await inJavaScript('src/storage/own-folder.ts')}
      import { rmSync } from 'node:fs';
      rmSync(process.cwd(), { recursive: true });
      try { makeOwnerOnlyFolder('.longshore/runs'); } catch (error) { console.log(error.code); }`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
      timeout: 60_000,
    });
    expect({ status: child.status, said: String(child.stdout) }).toEqual({ status: 0, said: 'ENOENT\n' });
  });

  it('is made nowhere else in another way', () => {
    const own = join('storage', 'own-folder.ts');
    const others = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
      (name) =>
        /\.tsx?$/.test(name) &&
        name !== own &&
        readFileSync(join('src', name), 'utf8').includes('recursive: true, mode: 0o700'),
    );
    expect(others).toEqual([]);
  });
});

/** A module with what it imports as Node takes it, to be run by a process that may hang. */
async function inJavaScript(input: string): Promise<string> {
  const { output } = await (await rolldown({ input, platform: 'node' })).generate();
  return output[0].code;
}
