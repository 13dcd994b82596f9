import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareWorkDir } from '../../src/app/run/work-dir.ts';
import {
  checkPipeline,
  exportPipeline,
  importPipeline,
  LongshoreError,
  type RunEvent,
  type Summary,
} from '../../src/index.ts';
import { openJournalDatabase, takeAllLocks } from '../../src/journal/index.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/index.ts';
import { changed } from '../cli/site.ts';
import { run } from '../end-to-end/in-process.ts';
import { inOrder, standing, writePeople } from '../end-to-end/people.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const token = 'a-token-of-a-program';

/** People to import, a workspace beside them, and what a program says of both. */
async function atProgram(
  options: SandboxOptions,
  use: (site: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const folder = temporaryFolder();
  const site = await open(folder.path, options);
  try {
    await use(site);
  } finally {
    await site.sandbox.close();
    folder.remove();
  }
}

async function open(folder: string, options: SandboxOptions) {
  const people = writePeople(folder, 40, '{ concurrency: 2 }');
  const sandbox = await startSandbox({ seed: people.seed, tokens: [token], ...options });
  const workDir = join(folder, 'work');
  const call = { workspace: { baseUrl: sandbox.baseUrl, token }, workDir };
  return { folder, people, sandbox, workDir, call };
}

/** What a call rejects with. */
async function rejection(call: Promise<unknown>): Promise<LongshoreError<Summary>> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof LongshoreError) return error;
  throw new Error('the call did not reject with a LongshoreError', { cause: error });
}

const slowly = { faults: { latency: { min: 60, max: 60 } } };

describe.concurrent('importPipeline', () => {
  it('imports into the workspace that it is given, tells of every row, and gives the summary of the command', () =>
    atProgram({}, async ({ people, sandbox, call, workDir }) => {
      const events: RunEvent[] = [];
      const summary = await importPipeline(people.pipeline, {
        ...call,
        onEvent: (event) => events.push(event),
      });
      expect(summary).toMatchObject({ outcome: 'finished', exitCode: 0, kind: 'import' });
      expect(summary.files.summary).toBe(join(workDir, 'runs', summary.run, 'summary.json'));
      expect(events.filter(({ kind }) => kind === 'row').length).toBe(summary.rows.read);
      expect(events.find(({ kind }) => kind === 'started')).toMatchObject({ run: summary.run });
      expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
    }));

  it('that another one is under way says what to type about the work dir of the call', () =>
    atProgram(slowly, async ({ people, sandbox, call, workDir }) => {
      const stop = new AbortController();
      const first = rejection(importPipeline(people.pipeline, { ...call, signal: stop.signal }));
      await changed(sandbox, 1);
      const second = await rejection(importPipeline(people.pipeline, call));
      stop.abort(new Error('enough'));
      await first;
      const status = `npx longshore status --work-dir ${workDir}`;
      expect(second).toMatchObject({
        reason: 'locked',
        next: `Wait until it ends, or stop it. Its progress: ${status}`,
      });
    }));

  it('whose work dir is being cleaned up says to call again, and no command line', () =>
    atProgram({}, async ({ people, call, workDir }) => {
      prepareWorkDir(workDir, () => undefined);
      const file = openJournalDatabase(workDir);
      const locks = takeAllLocks(file, workDir);
      const error = await rejection(importPipeline(people.pipeline, call));
      locks.release();
      file.close();
      expect(error).toMatchObject({ reason: 'locked', next: 'Wait until that ends, then: the same call' });
    }));

  it('stops at the signal of the caller, and the command continues what it began', () =>
    atProgram(slowly, async ({ people, sandbox, call, workDir }) => {
      const stop = new AbortController();
      const going = rejection(importPipeline(people.pipeline, { ...call, signal: stop.signal }));
      await changed(sandbox, 5);
      stop.abort(new Error('the user closed the window'));
      const error = await going;
      expect(error).toMatchObject({ reason: 'interrupted', exitCode: 130, next: expect.any(String) });
      expect(error.cause).toMatchObject({ message: 'the user closed the window' });
      expect(error.summary).toMatchObject({ outcome: 'interrupted', run: expect.any(String) });
      const resumed = await run(['resume', '--json', '--work-dir', workDir], { LONGSHORE_TOKEN: token });
      expect(resumed).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(resumed.stdout).run).toBe(error.summary?.run);
      expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
    }));

  it('an aborted signal stops it before the first request', () =>
    atProgram({}, async ({ people, sandbox, call }) => {
      const error = await rejection(
        importPipeline(people.pipeline, { ...call, signal: AbortSignal.abort() }),
      );
      expect(error).toMatchObject({ reason: 'interrupted', summary: undefined });
      expect(sandbox.log).toEqual([]);
    }));

  it('what onEvent throws stops the run, which the next call continues', () =>
    atProgram({}, async ({ people, sandbox, call }) => {
      const defect = new Error('a defect of the program');
      const onEvent = (event: RunEvent) => {
        if (event.kind === 'row') throw defect;
      };
      const error = await rejection(importPipeline(people.pipeline, { ...call, onEvent }));
      expect(error).toMatchObject({ reason: 'unexpected', exitCode: 1, cause: defect });
      expect(error.message).toContain('a defect of the program');
      const summary = await importPipeline(people.pipeline, call);
      expect(summary).toMatchObject({ outcome: 'finished', run: error.summary?.run });
      expect(inOrder(standing(sandbox))).toEqual(inOrder(people.expected));
    }));

  it('rejects with what happened, where, and the exit code', () =>
    atProgram({}, async ({ folder, people, call }) => {
      const broken = join(folder, 'broken.yaml');
      writeFileSync(broken, 'pipeline: broken\nimport:\n  sorce: {}\n');
      const yaml = await rejection(importPipeline(broken, call));
      expect(yaml).toMatchObject({ name: 'LongshoreError', exitCode: 2, summary: undefined });
      expect(yaml.message).toContain('sorce');
      const { baseUrl } = call.workspace;
      const refused = importPipeline(people.pipeline, { ...call, workspace: { baseUrl, token: 'old' } });
      expect(await rejection(refused)).toMatchObject({ reason: 'unauthorized', exitCode: 5 });
      const url = importPipeline(people.pipeline, { ...call, workspace: { baseUrl: 'ftp://x', token } });
      expect(await rejection(url)).toMatchObject({ reason: 'usage', exitCode: 2 });
      const limit = importPipeline(people.pipeline, { ...call, limit: 0.5 });
      expect(await rejection(limit)).toMatchObject({ reason: 'usage', place: { key: 'limit' } });
    }));

  it('a second one on the same workspace and work dir is locked out', () =>
    atProgram(slowly, async ({ people, sandbox, call }) => {
      const first = importPipeline(people.pipeline, call);
      await changed(sandbox, 1);
      expect(await rejection(importPipeline(people.pipeline, call))).toMatchObject({
        reason: 'locked',
        exitCode: 6,
      });
      expect((await first).outcome).toBe('finished');
    }));
});

describe.concurrent('exportPipeline and checkPipeline', () => {
  it('exports from the workspace that it is given, and says where the export is', () =>
    atProgram({}, async ({ folder, call }) => {
      const file = join(folder, 'export.yaml');
      writeFileSync(file, 'pipeline: out\nexport:\n  to: out\n  contacts: { format: ndjson }\n');
      const summary = await exportPipeline(file, call);
      expect(summary).toMatchObject({ outcome: 'finished', folder: join(folder, 'out') });
      const both = rejection(exportPipeline(file, { ...call, compact: true, full: true }));
      expect(await both).toMatchObject({ reason: 'usage', place: { key: 'compact' } });
    }));

  it('checks offline without a request, and asks the given workspace online', () =>
    atProgram({}, async ({ people, sandbox, call }) => {
      expect(await checkPipeline(people.pipeline, call)).toMatchObject({ ok: true });
      expect(sandbox.log).toEqual([]);
      expect(await checkPipeline(people.pipeline, { ...call, online: true })).toMatchObject({ ok: true });
      expect(sandbox.log.length).toBeGreaterThan(0);
    }));
});
