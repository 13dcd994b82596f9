import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type Running, start } from '../end-to-end/command.ts';
import { blocksOf, layOut, pageOf, root, typedIn } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';

const page = pageOf('docs/fleet.md');
const names = ['acme', 'birch', 'cedar'];
const folder = temporaryFolder();
const serving: Running[] = [];
let postgres: Postgres;
let sandboxes: Sandbox[] = [];
let env: Record<string, string>;

beforeAll(async () => {
  layOut(folder.path, [page], 60);
  postgres = await startPostgres();
  // On whichever ports are free here; those of the page may be taken.
  const seed = join(root, 'fixtures/sample/workspace.json');
  sandboxes = await Promise.all(
    names.map((name) => startSandbox({ seed, rate: 'off', tokens: [`${name}-token`] })),
  );
  const file = blocksOf(page, 'yaml').find((text) => text.startsWith('# fleet.yaml')) ?? '';
  const here = sandboxes.reduce((text, { port }, n) => text.replace(`:${4101 + n}/`, `:${port}/`), file);
  writeFileSync(join(folder.path, 'fleet.yaml'), here);
  for (const place of ['inputs', 'exports']) mkdirSync(join(folder.path, place));
  for (const name of names)
    copyFileSync(join(folder.path, 'fixtures/sample/contacts.csv'), join(folder.path, `inputs/${name}.csv`));
  env = {
    LONGSHORE_FLEET_DATABASE: postgres.url,
    LONGSHORE_FLEET_KEY: randomBytes(32).toString('base64'),
    ...Object.fromEntries(names.map((name) => [`LONGSHORE_TOKEN_${name.toUpperCase()}`, `${name}-token`])),
  };
});

afterAll(async () => {
  for (const { process: worker } of serving) worker.kill('SIGKILL');
  await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
  await postgres.remove();
  folder.remove();
});

it('docs/fleet.md: every command works as it is typed, and the jobs are done', async () => {
  for (const line of typedIn(page)) {
    if (line.startsWith('npx longshore sandbox')) continue;
    const words = line.split(/\s+/).slice(2);
    if (words[0] === 'worker') {
      serving.push(
        start(
          words.map((word) => (/^94\d\d$/.test(word) ? '0' : word)),
          env,
          undefined,
          folder.path,
        ),
      );
      continue;
    }
    const ended = await start(words, env, undefined, folder.path).ended;
    // A job that has ended by now may have left something for a person.
    const codes = line.includes('fleet status') ? [0, 3] : [0];
    expect(codes, `${line}\n${ended.stderr}`).toContain(ended.code);
  }
  expect(serving).toHaveLength(2);
  const pool = new pg.Pool({ connectionString: postgres.url });
  const done = async () => {
    const { rows } = await pool.query(
      'SELECT workspace, pipeline FROM longshore.assignment WHERE last_success_at IS NOT NULL ORDER BY 1, 2',
    );
    expect(rows).toEqual([
      { workspace: 'acme', pipeline: 'import' },
      { workspace: 'acme', pipeline: 'nightly' },
      { workspace: 'birch', pipeline: 'import' },
      { workspace: 'cedar', pipeline: 'nightly' },
    ]);
  };
  await vi.waitFor(done, { timeout: 200_000, interval: 500 });
  await pool.end();
  const [acme] = sandboxes;
  expect(acme?.contacts().length).toBeGreaterThan(20);
  for (const name of ['acme', 'cedar']) {
    const manifest = join(folder.path, 'exports', name, 'latest', 'manifest.json');
    expect(existsSync(manifest)).toBe(true);
    expect(JSON.parse(readFileSync(manifest, 'utf8')).counts.contacts).toBeGreaterThan(0);
  }
  for (const each of serving) {
    each.process.kill('SIGTERM');
    expect((await each.ended).code).toBe(0);
  }
});
