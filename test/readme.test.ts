import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getCommandName } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts';
import { layOut, pageOf, pages, root, type, typedIn } from './pages.ts';
import { temporaryFolder } from './temporary-folder.ts';

const readme = pageOf('README.md');
const typed = typedIn(readme);

describe('the README', () => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;

  beforeAll(async () => {
    layOut(folder.path, [readme], 80);
    sandbox = await startSandbox({ rate: 'off', seed: join(root, 'fixtures/sample/workspace.json') });
  });

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('is short', () => {
    expect(readme.text.split('\n').length).toBeLessThanOrEqual(250);
  });

  it('shows commands that work as they are typed, in their order', async () => {
    const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
    // What `npm start` does.
    await type(
      'npx longshore import pipelines/import-sample.yaml --workspace sandbox --work-dir .longshore/tour',
      folder.path,
      env,
    );
    expect(typed.length).toBeGreaterThanOrEqual(9);
    for (const line of typed) {
      const ended = await type(line, folder.path, env);
      // 3: the bad rows of the sample.
      const code = /import|retry|check/.test(line) ? expect.toBeOneOf([0, 3]) : 0;
      expect({ line, ...ended }, ended.stderr).toMatchObject({ line, code });
    }
  });

  it('names every command, and no other', () => {
    const table = /## Commands\n([\s\S]*?)\n## /.exec(readme.text)?.[1] ?? '';
    const named = [...table.matchAll(/^\| `([a-z]+)(?: [^`]*)?` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(commands.map(getCommandName).sort());
  });

  it('leads to every page', () => {
    const linked = [...readme.text.matchAll(/(?<!!)\[[^\]]*\]\((docs\/[^)#]+)/g)].map(([, file]) => file);
    expect([...new Set(linked)].sort()).toEqual(
      pages
        .map(({ file }) => file)
        .slice(1)
        .sort(),
    );
  });
});
