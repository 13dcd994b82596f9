import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Manifest, readManifest } from '../../../src/app/export/folder/manifest.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Ended, type Running, start } from '../command.ts';

const preload = fileURLToPath(new URL('kill-at.mjs', import.meta.url));

/** A request at which the process is killed: before it is answered, or when the answer has left and nobody has read it. */
interface AtRequest {
  readonly request: string;
  readonly nth?: number;
  readonly when: 'asked' | 'answered';
}

/** A call of the process itself, right before or after which it is killed. */
interface AtCall {
  readonly call:
    | 'mkdirSync'
    | 'renameSync'
    | 'symlinkSync'
    | 'rmSync'
    | 'open'
    | 'handle.writeFile'
    | 'handle.sync'
    | 'sql';
  /** A regular expression over what the call is about: its paths, or its SQL. */
  readonly subject: string;
  readonly nth?: number;
  readonly when: 'before' | 'after';
}

/** The moment of a kill. */
export type Instant = AtRequest | AtCall;

const summarySchema = z.object({
  run: z.string(),
  outcome: z.string(),
  exitCode: z.int(),
  folder: z.string().nullable(),
});

/** How an export ended that was not killed. */
export interface Finished extends z.output<typeof summarySchema> {
  readonly manifest: Manifest | undefined;
  readonly stderr: string;
}

/** One pipeline with its own work dir and its own folder of exports. */
export interface Nightly {
  readonly exports: string;
  readonly workDir: string;
  /** Exports to the end. */
  export(...flags: readonly string[]): Promise<Finished>;
  /** Exports until the instant, and is killed there. */
  killedAt(instant: Instant, ...flags: readonly string[]): Promise<void>;
  /** What stands in the folder of exports, and how the runs' folders look. */
  standing(): { readonly exports: readonly string[]; readonly staged: readonly string[] };
}

/** A workspace, and pipelines over it that the real command carries out. */
export interface Killing {
  readonly sandbox: Sandbox;
  nightly(name: string, settings: Readonly<Record<string, unknown>>): Nightly;
}

/** Sets the scene for as long as `play` takes. */
export async function atKilling(
  options: SandboxOptions,
  play: (killing: Killing) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const block = new Block();
  const sandbox = await startSandbox({
    rate: 'off',
    file: join(folder.path, 'sandbox.db'),
    onPhase: (phase, { method, template }) => block.at(phase, `${method} ${template}`),
    ...options,
  });
  const begun: Running[] = [];
  const begin = (name: string, flags: readonly string[], env: Record<string, string> = {}) => {
    const at = join(folder.path, name);
    const more = ['--json', '--workspace', sandbox.baseUrl, '--work-dir', join(at, 'work')];
    const running = start(['export', join(at, 'pipeline.yaml'), ...flags, ...more], {
      LONGSHORE_TOKEN: 'sandbox',
      ...env,
    });
    begun.push(running);
    return running;
  };
  const nightly: Killing['nightly'] = (name, settings) => {
    const at = temporaryInside(folder.path, name);
    const exports = join(at, 'exports');
    const workDir = join(at, 'work');
    const written = { pipeline: 'nightly', export: { to: 'exports/{date}', ...settings } };
    writeFileSync(join(at, 'pipeline.yaml'), JSON.stringify(written));
    return {
      exports,
      workDir,
      export: async (...flags) => finished(await begin(name, flags).ended),
      async killedAt(instant, ...flags) {
        const isRequest = 'request' in instant;
        const victim = begin(name, flags, isRequest ? {} : killedByItself(instant));
        if (isRequest) block.lay(instant, victim);
        const { code, signal, stdout, stderr } = await victim.ended;
        block.clear();
        if (signal === 'SIGKILL') return;
        throw new Error(`not killed at ${JSON.stringify(instant)}: code ${code}\n${stdout}\n${stderr}`);
      },
      standing: () => ({ exports: namesIn(exports), staged: stagedIn(join(workDir, 'runs')) }),
    };
  };
  try {
    await play({ sandbox, nightly });
  } finally {
    for (const running of begun) running.process.kill('SIGKILL');
    await sandbox.close();
    folder.remove();
  }
}

/** Where the process under test ends at a request: stopped first where the answer is to leave and nobody to read it. */
class Block {
  #instant: AtRequest | undefined;
  #victim: Running | undefined;
  #seen = 0;

  lay(instant: AtRequest, victim: Running): void {
    this.#instant = instant;
    this.#victim = victim;
    this.#seen = 0;
  }

  clear(): void {
    this.#instant = undefined;
  }

  at(phase: 'received' | 'applied' | 'answered', operation: string): void {
    const instant = this.#instant;
    if (instant === undefined || operation !== instant.request) return;
    if (phase === 'received') this.#seen += 1;
    if (this.#seen !== (instant.nth ?? 1)) return;
    if (instant.when === 'asked') this.#victim?.process.kill('SIGKILL');
    else this.#victim?.process.kill(phase === 'received' ? 'SIGSTOP' : 'SIGKILL');
  }
}

function killedByItself({ call, subject, nth = 1, when }: AtCall): Record<string, string> {
  return { NODE_OPTIONS: `--import ${preload}`, KILL_AT: JSON.stringify({ call, subject, nth, when }) };
}

function finished({ code, signal, stdout, stderr }: Ended): Finished {
  if (code === null || stdout === '') throw new Error(`code ${code}, signal ${signal}\n${stdout}\n${stderr}`);
  const summary = summarySchema.parse(JSON.parse(stdout));
  return {
    ...summary,
    stderr,
    manifest: summary.folder === null ? undefined : readManifest(summary.folder),
  };
}

function temporaryInside(folder: string, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

function namesIn(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

function stagedIn(runs: string): readonly string[] {
  return namesIn(runs).flatMap((run) =>
    namesIn(join(runs, run))
      .filter((name) => name.startsWith('staging.db'))
      .map((name) => join(run, name)),
  );
}

/** The files of an export but for the manifest: their lines, sorted. */
export function linesOf(folder: string | null): Readonly<Record<string, readonly string[]>> {
  const names = namesIn(folder ?? '').filter((name) => name !== 'manifest.json');
  return Object.fromEntries(
    names.map((name) => [
      name,
      readFileSync(join(folder ?? '', name), 'utf8')
        .split('\n')
        .sort(),
    ]),
  );
}
