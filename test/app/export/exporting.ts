import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { runCompaction, runExport } from '../../../src/app/export/export.ts';
import { type Manifest, readManifest } from '../../../src/app/export/folder/manifest.ts';
import type { ExportRequest } from '../../../src/app/export/request.ts';
import type { ExportEvent } from '../../../src/app/run/events.ts';
import { toCommand } from '../../../src/model/command.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { loadExportPipeline } from '../../../src/pipeline/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../../src/workspace/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** How an export ended, with what it said. */
export interface Ended {
  readonly exitCode: number;
  readonly message: string | undefined;
  readonly run: string;
  /** The name of the folder that appeared. */
  readonly folder: string | undefined;
  readonly manifest: Manifest | undefined;
  readonly notes: readonly string[];
}

type Choice = Partial<
  Pick<ExportRequest, 'fresh' | 'resumed' | 'full' | 'accept' | 'stop' | 'clock' | 'target' | 'workspace'>
> & {
  readonly compact?: boolean;
  /** Another workspace in place of the scene's. */
  readonly baseUrl?: string;
  /** Called with everything the export says. */
  readonly listen?: (event: ExportEvent) => void;
};

/** A workspace, a pipeline over it, and a folder for its exports. */
export interface Exporting {
  readonly sandbox: Sandbox;
  readonly path: string;
  readonly workDir: string;
  /** Writes the pipeline again, with these settings under `export:` beside `to`. */
  setPipeline(settings: Readonly<Record<string, unknown>>): void;
  /** Changes a message that is there, as the workspace itself does when it is delivered. */
  editMessage(id: number, change: Readonly<Record<string, unknown>>): void;
  export(choice?: Choice): Promise<Ended>;
  /** The lines of an NDJSON file of a folder, parsed. */
  lines(folder: string | undefined, name: string): readonly Readonly<Record<string, unknown>>[];
  /** What stands beside the exports. */
  folders(): readonly string[];
  /** Paths of the requests since the last call, as `METHOD /path`. */
  requests(): string[];
}

/** Sets everything up for as long as `play` takes; the exports run in this process, against a workspace over HTTP. */
export async function atExport(
  { settings, ...options }: SandboxOptions & { readonly settings: Readonly<Record<string, unknown>> },
  play: (exporting: Exporting) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const database = join(folder.path, 'sandbox.db');
  const sandbox = await startSandbox({ rate: 'off', file: database, ...options });
  const file = join(folder.path, 'pipeline.yaml');
  const workDir = join(folder.path, 'work');
  const to = join(folder.path, 'exports');
  const setPipeline: Exporting['setPipeline'] = (next) => {
    const written = { pipeline: 'nightly', export: { to: 'exports/{date}', ...next } };
    writeFileSync(file, JSON.stringify(written));
  };
  setPipeline(settings);
  try {
    await play({
      sandbox,
      path: folder.path,
      workDir,
      setPipeline,
      editMessage: (id, change) => editMessage(database, id, change),
      export: (choice = {}) => exportOnce(file, workDir, sandbox, choice),
      lines: (name, of) =>
        readFileSync(join(to, name ?? 'no export', of), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line)),
      folders: () => (existsSync(to) ? readdirSync(to).sort() : []),
      requests() {
        const paths = sandbox.log.map(({ method, path }) => `${method} ${path}`);
        sandbox.resetLog();
        return paths;
      },
    });
  } finally {
    await sandbox.close();
    folder.remove();
  }
}

function editMessage(database: string, id: number, change: Readonly<Record<string, unknown>>): void {
  const db = new Database(database);
  db.prepare('UPDATE messages SET body = json_patch(body, ?) WHERE id = ?').run(JSON.stringify(change), id);
  db.close();
}

async function exportOnce(
  file: string,
  workDir: string,
  sandbox: Sandbox,
  { compact = false, listen, baseUrl = sandbox.baseUrl, ...choice }: Choice,
): Promise<Ended> {
  const pipeline = await loadExportPipeline(file);
  const stop = choice.stop ?? new AbortController();
  const clock: Clock = choice.clock ?? systemClock;
  const { concurrency, perPath, attempts, outage } = pipeline.export.limits;
  const notes: string[] = [];
  const workspace = openWorkspace({
    baseUrl,
    token: 'sandbox',
    limits: {
      ...defaultWorkspaceLimits,
      concurrency,
      perPath: { count: perPath * 1_000, ms: 1_000 },
      attempts,
      outageMs: outage,
    },
    clock: systemClock,
    randomness: systemRandomness,
    signal: stop.signal,
    onEvent: (event) => {
      if (event.kind === 'warning') notes.push(event.text);
    },
  });
  const end = await (compact ? runCompaction : runExport)({
    pipeline,
    workspace,
    place: `sandbox:${sandbox.id}`,
    target: baseUrl,
    workDir,
    version: '0.0.0',
    fresh: false,
    resumed: false,
    full: false,
    accept: false,
    ...choice,
    command: toCommand,
    clock,
    stop,
    listen(event) {
      if (event.kind === 'note') notes.push(event.text);
      listen?.(event);
    },
  });
  end.file.close();
  const folder = end.complete?.folder;
  return {
    exitCode: end.exitCode,
    message: end.error?.message,
    run: end.run.id,
    folder: folder && basename(folder),
    manifest: folder === undefined ? undefined : readManifest(folder),
    notes,
  };
}

/** A clock that is days ahead of the machine's. */
export function daysAhead(days: number): Clock {
  return {
    now: () => systemClock.now() + days * 86_400_000,
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
}
