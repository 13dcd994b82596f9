import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { extract } from 'tar';
import { z } from 'zod';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import type { Ended } from '../end-to-end/built.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What it was on the machine that made it (made-by.mjs). */
const then = { folder: '/tmp/old-project', baseUrl: 'http://127.0.0.1:4710/v1', host: 'old-host' };

/** A key of the YAML that has another name now, as it is in the stored pipelines and as it has to be. */
export interface RenamedKey {
  readonly pipeline: string;
  readonly was: string;
  readonly is: string;
  /** The new name, which the refusal of the old one has to say. */
  readonly name: string;
}

/** Every rename since then; a pipeline with the old key is refused, and the run continues with the new one. */
export const renamedKeys: readonly RenamedKey[] = [
  { pipeline: 'finished', was: 'switchboard', is: 'maxPeoplePerPhone', name: 'maxPeoplePerPhone' },
  ...['deferred', 'deferred-begun'].flatMap((pipeline) => [
    { pipeline, was: 'halfSigns', is: 'loneSurrogates', name: 'loneSurrogates' },
    {
      pipeline,
      was: 'phases: { hold: [lifecycle, assignee, conversation] }',
      is: 'deferred: [lifecycle, assignee, conversation]',
      name: 'deferred',
    },
  ]),
];

/** How the steps that a pipeline defers are asked for. */
export const deferredFlags = ['--deferred'] as const;

/** A project that the version before left behind, on this machine and with its workspace running. */
export interface OldProject {
  readonly path: string;
  readonly sandbox: Sandbox;
  /** Runs the command in the project's folder, to its end. */
  longshore(...args: readonly string[]): Promise<Ended>;
  /** The same with --json; fails where it does not end with this code. */
  json(code: number, ...args: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** Puts one text in the place of another in a file of the project. */
  edit(name: string, was: string, is: string): void;
  /** Requests that asked for a change since this was asked last, as `METHOD /path`, sorted. */
  writes(): string[];
}

/** Unpacks the project for as long as `play` takes. */
export async function atOldProject(
  play: (project: OldProject) => Promise<void>,
  renamed: readonly RenamedKey[] = renamedKeys,
  name: 'left-behind' | 'families' | 'every-command' = 'left-behind',
): Promise<void> {
  const folder = temporaryFolder();
  const packed = fileURLToPath(new URL(`${name}.tar.gz`, import.meta.url));
  await extract({ file: packed, cwd: folder.path });
  const sandbox = await startSandbox({ file: join(folder.path, 'workspace.db'), strict: true, rate: 'off' });
  const longshore: OldProject['longshore'] = (...args) =>
    run(args, { LONGSHORE_TOKEN: 'sandbox' }, undefined, folder.path);
  const edit: OldProject['edit'] = (name, was, is) => editFile(join(folder.path, name), was, is);
  try {
    settleIn(folder.path, sandbox.baseUrl);
    for (const { pipeline, was, is } of renamed) edit(`${pipeline}.yaml`, was, is);
    await play({
      path: folder.path,
      sandbox,
      longshore,
      edit,
      async json(code, ...args) {
        const ended = await longshore(...args, '--json');
        if (ended.code === code) return z.record(z.string(), z.unknown()).parse(JSON.parse(ended.stdout));
        throw new Error(`${args.join(' ')}: code ${ended.code}\n${ended.stdout}\n${ended.stderr}`);
      },
      writes() {
        const changes = sandbox.log.filter(
          ({ method, path }) => method !== 'GET' && path !== '/contact/list',
        );
        const written = changes.map(({ method, path }) => `${method} ${path}`).sort();
        sandbox.resetLog();
        return written;
      },
    });
  } finally {
    await sandbox.close();
    folder.remove();
  }
}

function editFile(path: string, was: string, is: string): void {
  const text = readFileSync(path, 'utf8');
  if (!text.includes(was)) throw new Error(`${path} has no "${was}"`);
  writeFileSync(path, text.replace(was, is));
}

/** Where the journal says where it was made, it says where it is now: it was made elsewhere only for this test. */
function settleIn(folder: string, baseUrl: string): void {
  const journal = new Database(join(folder, '.longshore', 'journal.db'), { fileMustExist: true });
  const replace = (table: string, column: string, was: string, is: string) =>
    journal.prepare(`UPDATE ${table} SET ${column} = replace(${column}, ?, ?)`).run(was, is);
  for (const column of ['file', 'input_name', 'folder']) replace('run', column, then.folder, folder);
  replace('run', 'target', then.baseUrl, baseUrl);
  replace('workspace', 'place', then.baseUrl, baseUrl);
  for (const table of ['session', 'holder']) replace(table, 'host', then.host, hostname());
  journal.close();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.plan'))) {
    const plan = new Database(join(folder, name), { fileMustExist: true });
    plan.prepare('UPDATE fact SET value = replace(value, ?, ?)').run(then.baseUrl, baseUrl);
    plan.close();
  }
  const exports = join(folder, '.longshore', 'exports');
  const named = (place: string) => join(exports, exportKey('nightly', place));
  if (existsSync(named(then.baseUrl))) renameSync(named(then.baseUrl), named(baseUrl));
}

/** What the version of then called the folder of what an export knew. */
function exportKey(pipeline: string, place: string): string {
  const key = JSON.stringify([pipeline, place]);
  return createHash('sha256').update(key).digest('hex').slice(0, 16);
}
