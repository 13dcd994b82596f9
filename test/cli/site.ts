import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { type Ended, type Running, start } from '../end-to-end/command.ts';
import { run } from '../end-to-end/in-process.ts';
import { inOrder, type People, standing, writePeople } from '../end-to-end/people.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A folder with an input of people, a workspace beside it, and the real command; all gone after the test. */
export interface Site {
  readonly folder: string;
  readonly workDir: string;
  readonly people: People;
  readonly sandbox: Sandbox;
  /** The one that the workspace takes and the command is given. */
  readonly token: string;
  /** Starts the command in this work dir, in a process of its own. */
  begin(args: readonly string[], more?: Surroundings): Running;
  /** Runs it to its end. */
  longshore(args: readonly string[], more?: Pick<Surroundings, 'env'>): Promise<Ended>;
  /** `import` of the people into the workspace. */
  import(...flags: readonly string[]): Promise<Ended>;
  /** The workspace holds exactly what the people's rows ask for, and no row was sent twice. */
  expectExact(): void;
}

export interface Surroundings {
  readonly env?: Record<string, string>;
  readonly stdin?: string;
}

export interface SiteOptions extends SandboxOptions {
  readonly rows?: number;
  /** As in the YAML. */
  readonly limits?: string;
}

const token = 'a-secret-token-of-this-test';

/** A workspace that takes its time, so that an import of 40 rows lasts for seconds. */
export const slowly: SiteOptions = {
  limits: '{ concurrency: 2 }',
  faults: { latency: { min: 60, max: 60 } },
};

/** Opens a site for as long as `use` takes. */
export async function atSite(
  { rows = 40, limits = '{}', ...options }: SiteOptions,
  use: (site: Site) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const people = writePeople(folder.path, rows, limits);
  const sandbox = await startSandbox({ strict: true, seed: people.seed, tokens: [token], ...options });
  const workDir = join(folder.path, 'work');
  const begun: Running[] = [];
  const begin: Site['begin'] = (args, { env, stdin } = {}) => {
    const running = start([...args, '--work-dir', workDir], { LONGSHORE_TOKEN: token, ...env }, stdin);
    begun.push(running);
    return running;
  };
  const longshore: Site['longshore'] = (args, { env } = {}) =>
    run([...args, '--work-dir', workDir], { LONGSHORE_TOKEN: token, ...env });
  try {
    await use({
      folder: folder.path,
      workDir,
      people,
      sandbox,
      token,
      begin,
      longshore,
      import: (...flags) =>
        longshore(['import', people.pipeline, '--workspace', sandbox.baseUrl, '--json', ...flags]),
      expectExact: () => expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected)),
    });
  } finally {
    for (const running of begun) running.process.kill('SIGKILL');
    await sandbox.close();
    folder.remove();
  }
}

/** Resolves when the workspace has made that many changes. */
export function changed(sandbox: Sandbox, n: number): Promise<void> {
  return seen(sandbox, n, ({ applied }) => applied);
}

/** Resolves when the workspace has answered that many such requests. */
export async function seen(
  sandbox: Sandbox,
  n: number,
  such: (entry: Sandbox['log'][number]) => boolean = () => true,
): Promise<void> {
  const enough = () => expect(sandbox.log.filter(such).length).toBeGreaterThanOrEqual(n);
  await vi.waitFor(enough, { timeout: 120_000, interval: 20 });
}

/** The rows of a summary that are not zero. */
export function rowsOf(stdout: string): Record<string, number> {
  const { rows } = JSON.parse(stdout);
  return Object.fromEntries(Object.entries<number>(rows).filter(([, n]) => n > 0));
}
