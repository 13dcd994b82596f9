import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { type Ended, main } from '../end-to-end/built.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

interface Scene {
  readonly path: string;
  readonly pipeline: string;
  setPipeline(more: Readonly<Record<string, unknown>>): void;
  longshore(...args: readonly string[]): Promise<Ended>;
  withToken(token: string, ...args: readonly string[]): Promise<Ended>;
}

const settings = {
  to: 'exports/{date}',
  contacts: { format: 'ndjson', incremental: true },
  messages: { format: 'ndjson', incremental: true },
};

/** A pipeline over a workspace of one contact, and the real command in the folder of both. */
async function atFolder(play: (scene: Scene) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ seed: { contacts: [{ id: 1, firstName: 'Ada' }] } });
  const pipeline = join(folder.path, 'nightly.yaml');
  const setPipeline: Scene['setPipeline'] = (more) =>
    writeFileSync(pipeline, JSON.stringify({ pipeline: 'nightly', export: { ...settings, ...more } }));
  const withToken: Scene['withToken'] = (token, ...args) =>
    run(
      args,
      { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: token, LC_ALL: 'C' },
      undefined,
      folder.path,
    );
  setPipeline({});
  try {
    await play({
      path: folder.path,
      pipeline,
      setPipeline,
      withToken,
      longshore: (...args) => withToken('sandbox', ...args),
    });
  } finally {
    await sandbox.close();
    folder.remove();
  }
}

test('where no run began, the next command is the one that was typed', async () => {
  await atFolder(async ({ withToken }) => {
    const { code, stderr } = await withToken('another', 'export', 'nightly.yaml', '--full');
    expect(code).toBe(5);
    expect(stderr).toContain(
      `Integrations, Developer API.\n  Then: node ${main} export nightly.yaml --full\n`,
    );
  });
});

test('an export that is kept back is not gone on with: the way out is --accept', async () => {
  await atFolder(async ({ longshore, setPipeline, pipeline }) => {
    setPipeline({ expect: { contacts: { min: 5 } } });
    const kept = await longshore('export', 'nightly.yaml');
    expect(kept.code).toBe(4);
    expect(kept.stderr).toContain(`node ${main} export ${pipeline} --accept`);
    expect(kept.stdout).not.toContain('Continue with');
    const status = await longshore('status');
    expect(status.stdout).toContain('If that is what the workspace contains:');
    expect(status.stdout).toMatch(/node \S+main\.js export \S+nightly\.yaml --accept --workspace \S+\n/);
    const second = await longshore('export', 'nightly.yaml');
    expect(second.stderr).toContain('is not continued: it did not meet `expect`.');
  });
});

test('increments that cannot be put together are nothing to resume', async () => {
  await atFolder(async ({ longshore, path }) => {
    await longshore('export', 'nightly.yaml');
    appendFileSync(join(path, 'exports', 'latest', 'messages.ndjson'), '\n');
    const broken = await longshore('export', 'nightly.yaml', '--compact');
    expect(broken.code).toBe(2);
    expect(broken.stderr).toMatch(/messages\.ndjson does not match its manifest/);
    expect(broken.stderr).toMatch(/or run a full export: node \S+main\.js export \S+nightly\.yaml --full\n/);
    expect(broken.stdout).not.toContain('Continue with');
    const second = await longshore('export', 'nightly.yaml');
    expect(second.code).toBe(0);
    // There is no file of contacts in an increment: the number is the workspace's.
    expect(second.stdout).toMatch(/\n {2}contacts in the workspace +1\n {2}changes +0\n/);
    const { run: id } = JSON.parse((await longshore('export', 'nightly.yaml', '--json')).stdout);
    const resumed = await longshore('resume', id);
    expect(resumed.stderr).toContain(`To export again: node ${main} export `);
  });
});
