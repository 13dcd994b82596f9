// Loaded before the command under test (--import): kills its process right before or after the call that KILL_AT describes,
// { call, subject, nth, when }. The call is one of node:fs, node:fs/promises, a file handle (`handle.sync`) or SQLite (`sql`).
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

const { call, subject, nth, when } = JSON.parse(process.env.KILL_AT);
const wanted = new RegExp(subject);
let seen = 0;

function die() {
  process.kill(process.pid, 'SIGKILL');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The same function, except that its n-th call about the subject is the last thing that the process does. */
function watched(name, original, about) {
  return function (...args) {
    const isIt = name === call && wanted.test(about(this, args)) && ++seen === nth;
    if (isIt && when === 'before') die();
    const result = original.apply(this, args);
    if (!isIt) return result;
    return result instanceof Promise ? result.then(die) : die();
  };
}

const texts = (_, args) => args.filter((arg) => typeof arg === 'string').join(' → ');
for (const name of ['mkdirSync', 'renameSync', 'symlinkSync', 'rmSync'])
  fs[name] = watched(name, fs[name], texts);

const paths = new WeakMap();
const probe = await promises.open(import.meta.filename);
const handles = Object.getPrototypeOf(probe);
await probe.close();
for (const name of ['writeFile', 'sync']) {
  handles[name] = watched(`handle.${name}`, handles[name], (handle) => paths.get(handle) ?? '');
}
const open = promises.open;
promises.open = watched(
  'open',
  async (path, ...rest) => {
    const handle = await open(path, ...rest);
    paths.set(handle, String(path));
    return handle;
  },
  (_, [path]) => String(path),
);
syncBuiltinESMExports();

const prepare = Database.prototype.prepare;
Database.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  for (const name of ['run', 'get']) statement[name] = watched('sql', statement[name], () => sql.trim());
  return statement;
};
for (const name of ['exec', 'pragma'])
  Database.prototype[name] = watched('sql', Database.prototype[name], texts);
