import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { runImport } from '../../../src/app/import/import.ts';
import type { ImportRequest } from '../../../src/app/import/request.ts';
import { type Plan, type PlanRequest, planImport } from '../../../src/app/plan/plan.ts';
import type { RunEvent } from '../../../src/app/run/events.ts';
import type { RunEnd } from '../../../src/app/run/run-pipeline.ts';
import { toCommand } from '../../../src/model/command.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/index.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
  type Workspace,
} from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

/** A mapping and an input in a folder, and a workspace over real HTTP; all gone after the test. */
export interface RealImport {
  readonly folder: string;
  readonly pipelineFile: string;
  readonly sandbox: Sandbox;
  /** What the latest import told whoever listens. */
  readonly events: readonly RunEvent[];
  /** Writes the input again. */
  write(lines: readonly string[]): void;
  /** A client of the workspace, with as many requests at once as the pipeline allows. */
  open(signal: AbortSignal): Workspace;
  /** Imports in this process; `look` may look into the journal before it is closed. */
  import(more?: Partial<ImportRequest>, look?: (end: RunEnd) => void | Promise<void>): Promise<RunEnd>;
  /** Plans the same import in this process; its files are removed after the test. */
  plan(more?: Partial<PlanRequest>): Promise<Plan>;
  /** The requests that changed the workspace or its settings, as `METHOD path`. */
  settings(): readonly string[];
}

/** `settings` stand below `import:`, `more` in the source; the first line of the input is its header. */
export async function realImport(
  mapping: string,
  lines: readonly string[],
  settings: readonly string[] = [],
  more = '',
  options: SandboxOptions = {},
): Promise<RealImport> {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({ rate: 'off', logBodies: true, ...options });
  onTestFinished(async () => {
    await sandbox.close();
    folder.remove();
  });
  const pipelineFile = join(folder.path, 'pipeline.yaml');
  const write = (all: readonly string[]) =>
    writeFileSync(join(folder.path, 'rows.csv'), `${all.join('\n')}\n`);
  const source = `  source: { format: csv, path: rows.csv${more} }`;
  const yaml = ['pipeline: real', 'import:', source, '  mapping: mapping.yaml', ...settings, ''];
  writeFileSync(pipelineFile, yaml.join('\n'));
  writeFileSync(join(folder.path, 'mapping.yaml'), mapping);
  write(lines);
  const { concurrency } = (await loadImportPipeline(pipelineFile)).import.limits;
  let events: RunEvent[] = [];
  const open = (signal: AbortSignal) =>
    openWorkspace({
      baseUrl: sandbox.baseUrl,
      token: 'sandbox',
      limits: { ...defaultWorkspaceLimits, concurrency, perPath: { count: 100, ms: 1_000 } },
      clock: systemClock,
      randomness: systemRandomness,
      signal,
    });
  // The workspace hears of the stop, as it does of a command's.
  const requested = async (stop = new AbortController()) => {
    events = [];
    return {
      pipeline: await loadImportPipeline(pipelineFile),
      workspace: open(stop.signal),
      place: `sandbox:${sandbox.id}`,
      target: sandbox.baseUrl,
      workDir: join(folder.path, 'work'),
      fresh: false,
      selection: { kind: 'all' },
      full: false,
      limit: Number.POSITIVE_INFINITY,
      command: toCommand,
      invocation: usualInvocation,
      clock: systemClock,
      listen: (event: RunEvent) => void events.push(event),
      stop,
    } as const;
  };
  return {
    folder: folder.path,
    pipelineFile,
    sandbox,
    get events() {
      return events;
    },
    write,
    open,
    async import(more = {}, look = () => undefined) {
      const request = await requested(more.stop);
      const end = await runImport({ ...request, ...more });
      await look(end);
      end.file.close();
      return end;
    },
    async plan(more = {}) {
      const request = await requested();
      const writesBefore = sandbox.log.filter(isWrite).length;
      const plan = await planImport({ ...request, ...more });
      onTestFinished(() => plan.remove());
      // A plan sends no write, ever.
      expect(sandbox.log.filter(isWrite).length).toBe(writesBefore);
      return plan;
    },
    settings: () =>
      sandbox.log
        .filter(({ method, path }) => method !== 'GET' && path.startsWith('/space/'))
        .map(({ method, path, body }) => `${method} ${path} ${nameIn(body)}`),
  };
}

function nameIn(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  if ('name' in body) return String(body.name);
  return 'currentName' in body ? String(body.currentName) : '';
}

/** Whether a request could have changed something. */
export function isWrite({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method !== 'GET' && !path.startsWith('/contact/list');
}
