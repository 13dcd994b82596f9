import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { run } from '../end-to-end/command.ts';
import { inOrder, type People, standing, writePeople } from '../end-to-end/people.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Postgres, startPostgres } from './postgres.ts';
import { Machine } from './worker-process.ts';

/** The pipelines: `import` is that of `load` where a fleet file of its own calls it so. */
export type Pipeline = 'load' | 'import' | 'nightly';

/** One workspace of a fleet with an import and an export, a database, and machines to work for it. */
export interface FleetSite {
  readonly folder: string;
  readonly fleetFile: string;
  readonly env: Record<string, string>;
  readonly sandbox: Sandbox;
  readonly people: People;
  readonly postgres: Postgres;
  readonly pool: pg.Pool;
  /** A machine, which does not work yet. */
  machine(name: string, ...flags: readonly string[]): Machine;
  /** A machine with another fleet file, other variables (undefined: not set) or another work dir. */
  machineWith(name: string, other: OtherMachine): Machine;
  /** What the workers of all machines have printed. */
  said(): string;
  /** Runs a command to its end, which has to be a good one; what it printed. */
  longshore(...args: readonly string[]): Promise<string>;
  /** Resolves when a pipeline has ended well once more than when this resolved last. */
  succeeded(pipeline: Pipeline): Promise<void>;
  /** How a pipeline ended last. */
  lastRun(pipeline: Pipeline): Promise<{ exitCode: number | null; message: string | null } | null>;
  /** The workspace holds exactly what the people's rows ask for. */
  expectExact(): void;
  /** The ids of the messages of each complete export, in the order of their names. */
  exportedMessages(): readonly (readonly number[])[];
}

export interface OtherMachine {
  readonly file?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly workDir?: string;
  readonly flags?: readonly string[];
}

export interface FleetSiteOptions extends SandboxOptions {
  readonly rows?: number;
  /** How many rows are at work at once: few where something has to happen in the middle. */
  readonly concurrency?: number | 'auto';
  /** As in fleet.yaml, beside short ones. */
  readonly limits?: object;
  readonly fleet?: object;
  /** Starts its database. */
  readonly server?: () => Promise<Postgres>;
}

const patience = { timeout: 120_000, interval: 50 };

export async function atFleet(
  {
    rows = 40,
    concurrency = 64,
    limits = {},
    fleet = {},
    server = startPostgres,
    ...options
  }: FleetSiteOptions,
  use: (site: FleetSite) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const file = (name: string) => join(folder.path, name);
  const people = writePeople(folder.path, rows, `{ settle: 2s, concurrency: ${concurrency} }`);
  const sandbox = await startSandbox({ seed: people.seed, ...options });
  const postgres = await server();
  const env = {
    LONGSHORE_FLEET_DATABASE: postgres.url,
    LONGSHORE_FLEET_KEY: randomBytes(32).toString('base64'),
    LONGSHORE_TOKEN: 'sandbox',
  };
  mkdirSync(file('out'));
  const json = (name: string, content: object) => writeFileSync(file(name), JSON.stringify(content));
  json('nightly.yaml', {
    pipeline: 'nightly',
    export: {
      to: '{workspace}/{date}',
      contacts: { format: 'csv' },
      messages: { format: 'ndjson', incremental: true },
    },
  });
  json('fleet.yaml', {
    fleet: 'tests',
    workspaces: { acme: { baseUrl: sandbox.baseUrl, tokenEnv: 'LONGSHORE_TOKEN' } },
    pipelines: { load: { file: 'pipeline.yaml' }, nightly: { file: 'nightly.yaml' } },
    places: { outputs: 'out' },
    limits: { perMachine: 2, lease: '8s', settle: '1s', retryDelay: '1s', ...limits },
    ...fleet,
  });
  const pool = new pg.Pool({ connectionString: postgres.url });
  pool.on('error', () => undefined);
  const machines: Machine[] = [];
  /** When each pipeline ended well, by the last time that somebody waited for it. */
  const successes = new Map<string, number>();
  const said = () => machines.map((machine) => machine.said).join('\n');
  const assigned = async <T>(what: string, pipeline: string) => {
    const { rows: found } = await pool.query<{ value: T }>(
      `SELECT ${what} AS value FROM longshore.assignment WHERE pipeline = $1`,
      [pipeline],
    );
    return found[0]?.value ?? null;
  };
  const site: FleetSite = {
    folder: folder.path,
    fleetFile: file('fleet.yaml'),
    ...{ env, sandbox, people, postgres, pool },
    machine(name, ...flags) {
      const machine = new Machine(file(name), [file('fleet.yaml'), ...flags], env);
      machines.push(machine);
      return machine;
    },
    machineWith(name, { file: own = file('fleet.yaml'), env: other = {}, workDir = file(name), flags = [] }) {
      const machine = new Machine(workDir, [own, ...flags], { ...env, ...other });
      machines.push(machine);
      return machine;
    },
    said,
    async longshore(...args) {
      const ended = await run(args, env);
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      return ended.stdout;
    },
    async succeeded(pipeline) {
      const since = successes.get(pipeline) ?? 0;
      const at = await vi.waitFor(async () => {
        const found = (await assigned<Date>('last_success_at', pipeline))?.getTime() ?? 0;
        expect(found, said()).toBeGreaterThan(since);
        return found;
      }, patience);
      successes.set(pipeline, at);
    },
    lastRun: (pipeline) => assigned('last_run', pipeline),
    expectExact: () => expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected)),
    exportedMessages() {
      const place = file('out/acme');
      return readdirSync(place)
        .filter((name) => name !== 'latest' && existsSync(join(place, name, 'manifest.json')))
        .sort()
        .map((name) => messageIds(join(place, name, 'messages.ndjson')));
    },
  };
  try {
    await site.longshore('fleet', 'init');
    await site.longshore('fleet', 'apply', file('fleet.yaml'), '--yes');
    await use(site);
  } finally {
    await Promise.all(machines.map((machine) => machine.kill()));
    await pool.end();
    await sandbox.close();
    await postgres.remove();
    folder.remove();
  }
}

/** Copies the files beside the fleet file into a new folder, as another machine has them; the fleet file there. */
export function ownFiles(
  { folder, fleetFile }: Pick<FleetSite, 'folder' | 'fleetFile'>,
  name: string,
): string {
  const home = join(folder, name);
  mkdirSync(home);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) copyFileSync(join(folder, entry.name), join(home, entry.name));
  return join(home, basename(fleetFile));
}

/** The ids of the messages in a file, in its order. */
export function messageIds(path: string): readonly number[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): number => JSON.parse(line).id);
}
