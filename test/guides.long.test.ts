import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts';
import { start } from './end-to-end/command.ts';
import { layOut, newestWith, pageOf, pages, root, summaryOf, type, typedIn } from './pages.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** In the order in which somebody reads them: what one page leaves behind, the next one may use. */
const played = [
  'docs/first-import.md',
  'docs/plans.md',
  'docs/rehearsals.md',
  'docs/undo.md',
  'docs/legacy-dumps.md',
  'docs/duplicates-and-merges.md',
  'docs/nightly-exports.md',
  'docs/moving-a-workspace.md',
  'docs/when-something-went-wrong.md',
  'docs/sandbox.md',
  'docs/peoples-data.md',
].map(pageOf);

describe('the guides show commands that work as they are typed', () => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;
  let env: Readonly<Record<string, string>>;

  beforeAll(async () => {
    layOut(folder.path, played, 400);
    sandbox = await startSandbox({ rate: 'off', seed: join(root, 'fixtures/sample/workspace.json') });
    env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
    // What `npm start` does.
    const tour = 'npx longshore import pipelines/import-sample.yaml --workspace sandbox';
    await type(`${tour} --work-dir .longshore/tour`, folder.path, env);
  });

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('of every page that shows any', () => {
    // The fleet's has a test of its own: test/fleet/guide.long.test.ts.
    const elsewhere = ['README.md', 'docs/fleet.md'];
    const showing = pages.filter((page) => !elsewhere.includes(page.file) && typedIn(page).length > 0);
    expect(showing.map(({ file }) => file).sort()).toEqual(played.map(({ file }) => file).sort());
  });

  it.each(played)('$file', async (page) => {
    for (const line of typedIn(page).filter((each) => !each.startsWith('npx longshore sandbox'))) {
      const ended = await type(line, folder.path, env);
      // 3: the bad rows of the samples, and the work dir of the tour below this one.
      const code = /import|retry|check|verify|plan|undo|forget/.test(line) ? expect.toBeOneOf([0, 3]) : 0;
      expect({ line, ...ended }, ended.stderr).toMatchObject({ line, code });
    }
  });

  it('and the approved merges were applied', () => {
    const { file } = newestWith('summary.json', join(folder.path, '.longshore/tour'));
    expect(summaryOf(dirname(file)).rows.merged).toBeGreaterThan(0);
  });

  it('a sandbox that starts', async () => {
    const [line = ''] = typedIn(pageOf('docs/sandbox.md'));
    const args = line
      .replace(/--port \d+/, '--port 0')
      .split(/\s+/)
      .slice(2);
    const server = start(args, {}, undefined, folder.path);
    server.process.stdout?.once('data', () => server.process.kill('SIGTERM'));
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('http://127.0.0.1:');
  });
});
