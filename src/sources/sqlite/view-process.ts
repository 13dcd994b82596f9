import { spawn } from 'node:child_process';
import type { Worker } from 'node:worker_threads';
import type BetterSqlite from 'better-sqlite3';
import { z } from 'zod';
import { sqliteLibrary } from '../../storage/sqlite.ts';

/** Statements over a SQLite file with another one attached as `copy`, which may have so many pages at the most. */
export interface CopyWork {
  readonly file: string;
  readonly copy: string;
  readonly statements: readonly string[];
  readonly mostPages: number;
}

const answerSchema = z.strictObject({ code: z.string(), message: z.string() }).nullable();

/** Null where all statements were executed, else what SQLite said. */
export type CopyAnswer = z.output<typeof answerSchema>;

type Ordered = CopyWork & { readonly library: string };

/** Needed to find libraries and the folder for temporary files; the token is nobody's business there. */
const passedOn = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'SQLITE_TMPDIR', 'SystemRoot'];

/**
 * Executes statements in a process of its own, which is killed when `signal` aborts (its reason is thrown then) and dies
 * with this process.
 */
export async function inOwnProcess(work: CopyWork, signal: AbortSignal): Promise<CopyAnswer> {
  signal.throwIfAborted();
  const env = Object.fromEntries(passedOn.flatMap((name) => [[name, process.env[name]]]));
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
      const order: Ordered = { ...work, library: sqliteLibrary };
      child.send(order);
    });
  } finally {
    signal.removeEventListener('abort', kill);
  }
  signal.throwIfAborted();
  return answer === undefined ? { code: 'SQLITE_ABORT', message: 'its process has died' } : answer;
}

/** In the process: the main thread dies with the parent, which a thread inside SQLite would not notice. */
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

/** In the process's thread. */
function execute(
  load: (library: string) => typeof BetterSqlite,
  { library, file, copy, statements, mostPages }: Ordered,
  say: (answer: CopyAnswer) => void,
): void {
  const Database = load(library);
  try {
    const opened = new Database(file, { fileMustExist: true, timeout: 5000 });
    // A file from elsewhere: its views may not call what could do harm.
    opened.pragma('trusted_schema = OFF');
    opened.pragma('cell_size_check = ON');
    opened.prepare('ATTACH ? AS copy').run(copy);
    // The binding ignores OFF, and a journal on disk would outlive a process that is killed.
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
