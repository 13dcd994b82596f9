import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { run } from '../end-to-end/command.ts';
import { blocksOf, layOut, pageOf, root } from '../pages.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { freePort, startPostgres } from './postgres.ts';

/** The user that workers are run as. */
export const workerUser = 1_000;

const names = ['acme', 'birch', 'cedar'];

/** A fleet that is deployed: three local workspaces, a database, and the files that `fleet deploy` writes. */
export interface DeployedFleet {
  /** A folder of the test's own. */
  readonly temporary: string;
  /** The folders of the shared places. */
  readonly inputs: string;
  readonly outputs: string;
  readonly port: number;
  /** Writes the files for this kind of deployer, on a free port; the folder that has them. */
  deploy(kind: 'kubernetes' | 'systemd' | 'compose', ...flags: readonly string[]): Promise<string>;
  /** Fills in the variables of workers. */
  fillIn(file: string): void;
  /** Runs an import and an export of one workspace and checks that both were of the right places. */
  expectWork(worker: Watched): Promise<void>;
}

/** A worker: what it has printed, and when it is gone. */
export interface Watched {
  said(): string;
  readonly ended?: Promise<number | null>;
}

/** Which fleet file: that of the guide, or one whose paths are not those that one expects. */
export type FleetKind = 'guide' | 'odd';

export async function atDeployedFleet(
  kind: FleetKind,
  use: (fleet: DeployedFleet) => Promise<void>,
): Promise<void> {
  const temporary = temporaryFolder();
  const folder = join(temporary.path, kind === 'odd' ? 'fl$eet $(HOME) 1%i' : 'fleet');
  const page = pageOf('docs/fleet.md');
  mkdirSync(folder);
  layOut(folder, [page], 60);
  const seed = join(root, 'fixtures/sample/workspace.json');
  const postgres = await startPostgres();
  const pool = new pg.Pool({ connectionString: postgres.url });
  pool.on('error', () => undefined);
  const sandboxes = await Promise.all(
    names.map((name) => startSandbox({ seed, rate: 'off', tokens: [`${name}-token`] })),
  );
  const text = blocksOf(page, 'yaml').find((each) => each.startsWith('# fleet.yaml')) ?? '';
  const here = sandboxes.reduce((file, { port }, n) => file.replace(`:${4101 + n}/`, `:${port}/`), text);
  const laid = kind === 'guide' ? guideFleet(folder, here) : oddFleet(temporary.path, folder, here);
  const { inputs, outputs, fleetFile } = laid;
  for (const name of names)
    copyFileSync(join(folder, 'fixtures/sample/contacts.csv'), join(inputs, `${name}.csv`));
  for (const path of [outputs, inputs]) chownSync(path, workerUser, workerUser);
  // Another user has to get through to them.
  chmodSync(temporary.path, 0o755);
  const variables: Record<string, string> = {
    LONGSHORE_FLEET_DATABASE: postgres.url,
    LONGSHORE_FLEET_KEY: randomBytes(32).toString('base64'),
    ...(kind === 'guide' &&
      Object.fromEntries(names.map((name) => [`LONGSHORE_TOKEN_${name.toUpperCase()}`, `${name}-token`]))),
  };
  const longshore = async (...args: readonly string[]) => {
    const ended = await run(args, variables);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
  };
  const port = await freePort();
  try {
    await longshore('fleet', 'init');
    await longshore('fleet', 'apply', fleetFile, '--yes');
    await use({
      temporary: temporary.path,
      ...{ inputs, outputs, port },
      async deploy(deployer, ...flags) {
        const out = join(temporary.path, 'deployed', deployer);
        await longshore('fleet', 'deploy', fleetFile, '--for', deployer, '--out', out, ...flags);
        return out;
      },
      fillIn(file) {
        const empty = readFileSync(file, 'utf8');
        writeFileSync(
          file,
          empty.replaceAll(/^(\w+)=$/gm, (_, name: string) => {
            const value = variables[name];
            if (value === undefined) throw new Error(`${name} is asked for, and the fleet has no such thing`);
            return `${name}=${value}`;
          }),
        );
      },
      async expectWork({ said, ended }) {
        const before = sandboxes.map(holdings);
        await longshore('fleet', 'run', 'acme', 'import');
        await longshore('fleet', 'run', 'birch', 'nightly');
        const gone = ended?.then((code) => {
          throw new Error(`the worker has ended with ${code}: ${said()}`);
        });
        await Promise.race([expectDone(pool, said), ...(gone === undefined ? [] : [gone])]);
        const [acme = 0, ...others] = sandboxes.map(holdings);
        expect(acme, said()).toBeGreaterThan(before[0] ?? 0);
        expect(others).toEqual(before.slice(1));
        const manifest = JSON.parse(readFileSync(join(outputs, 'birch/latest/manifest.json'), 'utf8'));
        expect(manifest.counts.contacts).toBeGreaterThan(0);
      },
    });
  } finally {
    await pool.end();
    await Promise.all(sandboxes.map((sandbox) => sandbox.close()));
    await postgres.remove();
    temporary.remove();
  }
}

function holdings(sandbox: Sandbox): number {
  return sandbox.contacts().length;
}

async function expectDone(pool: pg.Pool, said: () => string): Promise<void> {
  const done = async () => {
    const { rows } = await pool.query(
      'SELECT workspace, pipeline FROM longshore.assignment WHERE last_success_at IS NOT NULL ORDER BY 1, 2',
    );
    expect(rows, said()).toEqual([
      { workspace: 'acme', pipeline: 'import' },
      { workspace: 'birch', pipeline: 'nightly' },
    ]);
  };
  await vi.waitFor(done, { timeout: 120_000, interval: 200 });
}

interface LaidOut {
  readonly fleetFile: string;
  readonly inputs: string;
  readonly outputs: string;
}

function guideFleet(folder: string, text: string): LaidOut {
  const inputs = join(folder, 'inputs');
  const outputs = join(folder, 'exports');
  for (const path of [inputs, outputs]) mkdirSync(path);
  writeFileSync(join(folder, 'fleet.yaml'), text);
  return { fleetFile: join(folder, 'fleet.yaml'), inputs, outputs };
}

/** A fleet file beside its pipelines' folder, with a file of a token for each workspace, and places elsewhere. */
function oddFleet(top: string, folder: string, text: string): LaidOut {
  const inputs = join(top, 'shared $inputs: 100%');
  const outputs = join(top, 'exports, "all"');
  for (const path of [inputs, outputs, join(folder, 'fleets')]) mkdirSync(path);
  for (const name of names) {
    const file = join(top, 'tok', name, 'token');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${name}-token\n`, { mode: 0o440 });
    chownSync(file, 0, workerUser);
  }
  const fleetFile = join(folder, 'fleets/fleet.yaml');
  writeFileSync(
    fleetFile,
    text
      .replaceAll(/, tokenEnv: \w+/g, '')
      .replaceAll('file: pipelines/', 'file: ../pipelines/')
      .replace(/^places:.*$/m, `places: ${JSON.stringify({ inputs, outputs })}`)
      .concat(`defaults: { tokenFile: ${JSON.stringify(join(top, 'tok/{workspace}/token'))} }\n`),
  );
  return { fleetFile, inputs, outputs };
}
