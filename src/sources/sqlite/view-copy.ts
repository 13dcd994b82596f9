import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { readFreeDiskBytes, reservedDiskBytes } from '../../storage/room.ts';
import { spoolFile } from '../../storage/spool.ts';
import { sqliteLibraryPath } from '../../storage/sqlite.ts';
import { createInputError } from '../plain-file.ts';
import { type WaitReasonListener, withWaitNotice } from '../source-format.ts';
import { quoteSqliteName, type SqliteTableSchema, type TableOrView } from './table-rows.ts';

/**
 * SQL statements to run on `file`, with the database `copy` attached, which may grow to `mostPages` pages.
 */
interface CopyWork {
  readonly file: string;
  readonly copy: string;
  readonly statements: readonly string[];
  readonly mostPages: number;
}

const answerSchema = z.strictObject({ code: z.string(), message: z.string() }).nullable();

/** The SQLite error; null if all statements were executed. */
type CopyAnswer = z.output<typeof answerSchema>;

type CopyRequest = CopyWork & { readonly library: string };

/**
 * The only environment variables that the child process inherits: those for libraries and temporary files, and not the
 * variable with the token of a workspace.
 */
const inheritedVariables = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'TMPDIR',
  'SQLITE_TMPDIR',
  'SystemRoot',
];

/**
 * Executes statements in a child process, which is killed when this process ends or `signal` aborts. Throws
 * the reason of an aborted signal.
 */
export async function executeSqlInChildProcess(work: CopyWork, signal: AbortSignal): Promise<CopyAnswer> {
  signal.throwIfAborted();
  const env = Object.fromEntries(inheritedVariables.flatMap((name) => [[name, process.env[name]]]));
  const child = spawn(process.execPath, ['-e', program], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env,
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let answer: CopyAnswer | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message) => {
        answer = answerSchema.parse(message);
        kill();
      });
      child.on('error', reject);
      child.on('exit', () => resolve());
      const order: CopyRequest = { ...work, library: sqliteLibraryPath };
      child.send(order);
    });
  } finally {
    signal.removeEventListener('abort', kill);
  }
  signal.throwIfAborted();
  return answer === undefined ? { code: 'SQLITE_ABORT', message: 'its process has died' } : answer;
}

/**
 * Runs in the main thread of the child process: starts the worker thread, and kills the process when the parent ends.
 * A thread in a SQLite call could not react to that.
 */
function watch(threads: { readonly Worker: typeof Worker }, code: string): void {
  const say = (answer: CopyAnswer) => process.send?.(answer);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.once('message', (workerData) => {
    const worker = new threads.Worker(code, { eval: true, workerData });
    worker.on('message', say);
    worker.on('error', (error) => say({ code: 'SQLITE_ERROR', message: String(error) }));
  });
}

/** Runs in a worker thread of the child process: executes the statements, and sends the result with `say`. */
function execute(
  load: (library: string) => typeof BetterSqlite,
  { library, file, copy, statements, mostPages }: CopyRequest,
  say: (answer: CopyAnswer) => void,
): void {
  const Database = load(library);
  try {
    const opened = new Database(file, { fileMustExist: true, timeout: 5000 });
    // An untrusted file: its views must not call unsafe functions.
    opened.pragma('trusted_schema = OFF');
    opened.pragma('cell_size_check = ON');
    opened.prepare('ATTACH ? AS copy').run(copy);
    // A journal on disk would remain after a kill, and the SQLite binding ignores the mode OFF.
    opened.pragma('copy.journal_mode = MEMORY');
    opened.pragma('copy.synchronous = OFF');
    opened.pragma(`copy.max_page_count = ${mostPages}`);
    for (const statement of statements) opened.exec(statement);
    opened.close();
    say(null);
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    say({ code: error.code, message: error.message });
  }
}

const threads = `require('node:worker_threads')`;
const inThread = `(${execute})(require, ${threads}.workerData, (answer) => ${threads}.parentPort.postMessage(answer))`;
const program = `(${watch})(${threads}, ${JSON.stringify(inThread)})`;

/** The table in the copy of a view; it has the view's rows, in the view's order. */
export const copiedViewTable: TableOrView = { name: 'copied', kind: 'table' };

const pageBytes = 4096;

/** A request to copy a view of a file with a known fingerprint. */
export interface ViewCopyRequest {
  readonly file: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly view: Pick<SqliteTableSchema, 'name' | 'columns'>;
  readonly spoolDir: string;
  readonly waiting: WaitReasonListener | undefined;
}

/**
 * Copies the rows of a view into a file of the spool folder, once, and returns its path. Runs in a child process,
 * because a call of SQLite that does not end cannot be aborted. Throws a FatalError('input') if the view cannot be read
 * or fills the disk.
 */
export async function copyView(order: ViewCopyRequest, signal: AbortSignal): Promise<string> {
  const { fingerprint, view, spoolDir, name, file, waiting } = order;
  const of = createHash('sha256')
    .update(JSON.stringify([fingerprint, view.name]))
    .digest('hex');
  const key = `view-${of.slice(0, 16)}`;
  if (existsSync(join(spoolDir, key))) return join(spoolDir, key);
  const columns = view.columns.map(quoteSqliteName).join(', ');
  const statements = [
    `CREATE TABLE copy.${quoteSqliteName(copiedViewTable.name)} (${columns})`,
    `INSERT INTO copy.${quoteSqliteName(copiedViewTable.name)} SELECT ${columns} FROM main.${quoteSqliteName(view.name)}`,
  ];
  return await spoolFile(spoolDir, async (_, copy) => {
    const work = { file, copy, statements, mostPages: await pagesFree(spoolDir) };
    const text = `Reading the view ${view.name} of ${name} …`;
    const answer = await withWaitNotice(waiting, text, executeSqlInChildProcess(work, signal));
    if (answer === null) return key;
    throw answer.code === 'SQLITE_FULL'
      ? createInputError(
          name,
          `has a view ${view.name} with more rows than the disk of ${spoolDir} can take`,
          'If the view is finite, free some space there, or choose another --work-dir.',
        )
      : createInputError(
          name,
          `has a view ${view.name} that cannot be read: ${answer.message} (${answer.code})`,
          'Check it with the sqlite3 program, or export it again.',
        );
  });
}

async function pagesFree(folder: string): Promise<number> {
  return Math.min(
    2 ** 31,
    Math.max(1, Math.floor(((await readFreeDiskBytes(folder)) - reservedDiskBytes) / pageBytes)),
  );
}
