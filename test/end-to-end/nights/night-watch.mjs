// A workspace, a webhook and a nightly pipeline, with the real command to carry it out at whatever time it is said to be.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { startSandbox } from '../../../dist/sandbox/index.js';

const command = fileURLToPath(new URL('../../../dist/command/main.js', import.meta.url));
const preloads = {
  clock: fileURLToPath(new URL('shifted-clock.mjs', import.meta.url)),
  kill: fileURLToPath(new URL('../export/kill-at.mjs', import.meta.url)),
};

/** Everything in one folder; `watch.now` is the time, as `2026-11-01T02:00:00Z`. */
export async function startWatch(folder, seed, settings) {
  const database = join(folder, 'workspace.db');
  const alerts = [];
  const time = { now: '', shift: 0 };
  const hook = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      alerts.push({
        at: watch.now,
        signed: request.headers['longshore-signature'] !== undefined,
        ...JSON.parse(body),
      });
      response.end();
    });
  });
  await new Promise((resolve) => hook.listen(0, '127.0.0.1', resolve));
  let hold;
  const options = {
    file: database,
    tokens: ['first-token'],
    clock: { now: () => Date.now() + time.shift },
    onPhase: (phase, request) => (phase === 'received' ? hold?.(request) : undefined),
  };
  let sandbox = await startSandbox({ ...options, seed });
  const { port } = sandbox;
  mkdirSync(join(folder, 'pipelines'));
  const pipeline = join(folder, 'pipelines', 'nightly-export.yaml');
  const notify = {
    url: `http://127.0.0.1:${hook.address().port}/hook`,
    on: ['failure', 'rejects', 'recovery'],
  };
  writeFileSync(
    pipeline,
    JSON.stringify({
      pipeline: 'nightly-export',
      export: { workspace: { baseUrl: sandbox.baseUrl }, to: '../exports/{date}', notify, ...settings },
    }),
  );
  const exports = join(folder, 'exports');
  const workDir = join(folder, 'work');

  const start = (words, { kill, token = watch.token } = {}) => {
    const imports = [
      `--import ${preloads.clock}`,
      ...(kill === undefined ? [] : [`--import ${preloads.kill}`]),
    ];
    const child = spawn(process.execPath, [command, ...words, '--work-dir', workDir], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        NO_COLOR: '1',
        COLUMNS: '110',
        LONGSHORE_TOKEN: token,
        LONGSHORE_NOTIFY_SECRET: 'of-the-night',
        NODE_OPTIONS: imports.join(' '),
        CLOCK_SHIFT: String(time.shift),
        ...(kill !== undefined && { KILL_AT: JSON.stringify({ nth: 1, ...kill }) }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece) => {
        text += piece;
      });
    }
    const ended = new Promise((resolve) =>
      child.once('close', (code, signal) => resolve({ code: code ?? signal, text })),
    );
    return { child, ended };
  };

  const watch = {
    get now() {
      return time.now;
    },
    set now(text) {
      time.now = text;
      time.shift = Date.parse(text) - Date.now();
    },
    token: 'first-token',
    alerts,
    exports,
    start,
    run: (words, how) => start(words, how).ended,
    export: (how, ...flags) => start(['export', pipeline, ...flags], how).ended,
    startExport: (how) => start(['export', pipeline], how),
    /** The workspace itself, which may be down. */
    get sandbox() {
      return sandbox;
    },
    async takeDown() {
      await sandbox.close();
    },
    async bringBack() {
      sandbox = await startSandbox({ ...options, port, tokens: [watch.token] });
    },
    /** Called with each request before it is worked on; what it returns is waited for. */
    holdAt(next) {
      hold = next;
    },
    /** Changes the workspace's own database, as nobody can through its interface. */
    sql(text) {
      const db = new Database(database);
      db.exec(text);
      db.close();
    },
    folders: () =>
      readdirSync(exports)
        .filter((name) => !name.startsWith('.'))
        .sort(),
    latest: () => readlinkSync(join(exports, 'latest')),
    manifest: (name) => JSON.parse(readFileSync(join(exports, name, 'manifest.json'), 'utf8')),
    ids: (name, file) =>
      readFileSync(join(exports, name, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).id),
    async end() {
      await sandbox.close();
      hook.close();
    },
  };
  return watch;
}
