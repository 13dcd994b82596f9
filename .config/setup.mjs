// Installs and builds what is not installed and built already, so that `npm start` and `npm test` work on a fresh clone:
// the command, and with --modules the single modules, too, which the tests, the benchmarks and the library import.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Longshore needs Node 20.19 or newer; this is ${process.version}. Install a newer Node and run this again.`,
  );
  process.exit(2);
}

const stampFile = 'node_modules/.cache/longshore-setup.json';
const wanted = { install: installPrint(), source: sourcePrint() };
const found = existsSync(stampFile) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {};

if (found.install !== wanted.install) {
  // npm would empty the folder that the link leads to, which another clone may be using.
  if (lstatSync('node_modules', { throwIfNoEntry: false })?.isSymbolicLink()) {
    console.error(
      'node_modules is a link to the packages of another folder, and they are not those of this version. ' +
        'Remove the link (rm node_modules) and run this again: the packages are then installed here.',
    );
    process.exit(2);
  }
  console.error('Installing (about two minutes the first time: better-sqlite3 is compiled here) …');
  run('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error']);
}
const isInstalled = found.install === wanted.install;
const lacks = (part, file) => !isInstalled || !existsSync(file) || found[part] !== wanted.source;
const lacksCommand = lacks('command', 'dist/command/main.js');
const lacksModules = process.argv.includes('--modules') && lacks('modules', 'dist/index.js');
if (lacksCommand || lacksModules) console.error('Building …');
if (lacksModules) run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json']);
if (lacksCommand) {
  run(process.execPath, ['.config/bundle.mjs']);
  if (process.platform !== 'win32') {
    rmSync('node_modules/.bin/longshore', { force: true });
    symlinkSync('../../dist/command/main.js', 'node_modules/.bin/longshore');
  }
}
mkdirSync(dirname(stampFile), { recursive: true });
writeFileSync(
  stampFile,
  JSON.stringify({
    install: wanted.install,
    command: wanted.source,
    modules: lacksModules ? wanted.source : isInstalled ? found.modules : undefined,
  }),
);

function installPrint() {
  const hash = createHash('sha256')
    .update(process.versions.modules)
    .update(process.platform)
    .update(process.arch);
  for (const file of ['package.json', 'package-lock.json']) hash.update(readFileSync(file));
  return hash.digest('hex');
}

function sourcePrint() {
  const hash = createHash('sha256').update(readFileSync('tsconfig.json'));
  for (const file of filesBelow('src'))
    hash
      .update(file)
      .update(`${statSync(file).size}`)
      .update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    )
    .sort();
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) {
    console.error(
      `\`${command} ${args.join(' ')}\` failed${error ? `: ${error.message}` : ` with exit code ${status}`}.`,
    );
    if (command === 'npm')
      console.error(
        'If it was better-sqlite3 that did not compile: it needs python3, make and a C++ compiler.',
      );
    process.exit(1);
  }
}
