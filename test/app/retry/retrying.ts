import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { onTestFinished } from 'vitest';
import { runImport } from '../../../src/app/import/import.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import type { Summary } from '../../../src/app/import/report/summary.ts';
import { createRunStatus } from '../../../src/app/status/report/run-status.ts';
import {
  findRunById,
  hasOpenRowsInRetryChain,
  openJournalDatabase,
  type RetrySelection,
  type RowSelection,
  type RunRecord,
} from '../../../src/journal/index.ts';
import { toCommand } from '../../../src/model/command.ts';
import { loadImportPipeline } from '../../../src/pipeline/index.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { openWorkspace, systemClock, systemRandomness } from '../../../src/workspace/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { workDir } from '../../journal/work-dir.ts';

export interface Ended {
  readonly summary: Summary;
  readonly exitCode: number;
  /** The notes that the run reported. */
  readonly notes: readonly string[];
  /** Returns a file of the run as text; empty where there is none. */
  text(name: string): string;
  /** Returns a list of the run by its columns. */
  csv(name: string): readonly Readonly<Record<string, string>>[];
}

/** Imports a file into a local workspace, in this process. */
export interface Retrying {
  readonly sandbox: Sandbox;
  readonly workDir: string;
  /** Writes a file into the work dir; returns its path. */
  write(name: string, content: string | Buffer): string;
  import(): Promise<Ended>;
  retry(run: string, more?: Partial<RetrySelection>): Promise<Ended>;
  /** Whether the run or one of its retries has open rows. */
  isOpen(run: string): boolean;
  statusOf(run: string): ReturnType<typeof createRunStatus>;
  /** Returns first names and e-mails of the workspace, sorted. */
  people(): readonly string[];
}

export interface RetryingOptions {
  readonly mapping: string;
  readonly source?: Readonly<Record<string, unknown>>;
}

const pipelineYaml = (source: Readonly<Record<string, unknown>>) =>
  // JSON is YAML.
  JSON.stringify({
    pipeline: 'people',
    import: { source, mapping: 'mapping.yaml', policy: { maxErrors: 1_000_000 } },
  });

export async function retrying(
  { mapping, source = { format: 'csv', path: 'people.csv' } }: RetryingOptions,
  dir = workDir(),
): Promise<Retrying & { close(): Promise<void> }> {
  mkdirSync(dir, { recursive: true });
  const sandbox = await startSandbox({ rate: 'off' });
  const write: Retrying['write'] = (name, content) => {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    return path;
  };
  write('mapping.yaml', mapping);
  const pipelineFile = write('pipeline.yaml', pipelineYaml(source));
  const begin = async (selection: RowSelection): Promise<Ended> => {
    const stop = new AbortController();
    const notes: string[] = [];
    const workspace = openWorkspace({
      baseUrl: sandbox.baseUrl,
      token: 'sandbox',
      limits: {
        concurrency: 8,
        perPath: { count: 1_000, ms: 1_000 },
        attempts: 2,
        connectMs: 15_000,
        answerMs: 60_000,
        outageMs: 1_000,
      },
      clock: systemClock,
      randomness: systemRandomness,
      signal: stop.signal,
    });
    const end = await runImport({
      pipeline: await loadImportPipeline(pipelineFile),
      workspace,
      place: sandbox.baseUrl,
      target: sandbox.baseUrl,
      workDir: dir,
      fresh: true,
      selection,
      full: false,
      limit: Number.POSITIVE_INFINITY,
      command: toCommand,
      invocation: usualInvocation,
      clock: systemClock,
      listen: (event) => {
        if (event.kind === 'note') notes.push(event.text);
      },
      stop,
    }).finally(() => workspace.close(0));
    try {
      if (end.error !== undefined) throw end.error;
      const { file, run } = end;
      const runDir = join(dir, 'runs', run.id);
      const { summary } = await writeRunFiles({
        invocation: usualInvocation,
        file,
        run,
        runDir,
        scrub: (text) => text,
      });
      const text = (name: string) =>
        existsSync(join(runDir, name)) ? readFileSync(join(runDir, name), 'utf8') : '';
      const csv = (name: string) =>
        parse<Record<string, string>>(text(name), {
          columns: true,
          bom: true,
          // Lists have the delimiter of the input.
          delimiter: /[;\t,]_(?:row|run)/.exec(text(name))?.[0].slice(0, 1) ?? ',',
        });
      return { summary, exitCode: end.exitCode, notes, text, csv };
    } finally {
      end.file.close();
    }
  };
  const inJournal = <T>(
    id: string,
    work: (file: ReturnType<typeof openJournalDatabase>, run: RunRecord) => T,
  ): T => {
    const file = openJournalDatabase(dir);
    try {
      const run = findRunById(file, id);
      if (run === undefined) throw new Error(`there is no run ${id}`);
      return work(file, run);
    } finally {
      file.close();
    }
  };
  return {
    sandbox,
    workDir: dir,
    write,
    import: () => begin({ kind: 'all' }),
    retry: (run, more = {}) => begin({ kind: 'retry', run, resend: false, ...more }),
    isOpen: (id) => inJournal(id, hasOpenRowsInRetryChain),
    statusOf: (id) =>
      inJournal(id, (file, run) => createRunStatus(file, run, { invocation: usualInvocation })),
    people: () =>
      sandbox
        .contacts()
        .map(({ firstName, email }) => `${firstName} ${email}`)
        .sort(),
    close: () => sandbox.close(),
  };
}

/** Calls `retrying`, and closes it with the test. */
export async function retryingHere(options: RetryingOptions): Promise<Retrying> {
  const made = await retrying(options);
  onTestFinished(() => made.close());
  return made;
}
