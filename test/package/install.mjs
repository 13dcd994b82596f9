// Packs Longshore, installs the package into an empty prefix, plays `npm start`'s import with the installed command and
// opens the installed studio:
// `npm run test:package` on this Node and the newest 20, 22 and 24, `npm run test:package -- here 22` on those alone,
// `npm run test:package -- longshore-0.1.0.tgz 24` with a package that is made already.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectLockedVersions } from '../../.config/locked-versions.mjs';
import { nodeOf } from './node-versions.mjs';
import { expectTypes, playImport, playLibrary } from './play.mjs';
import { playStudio } from './play-studio.mjs';
import { execute } from './processes.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const asked = process.argv.slice(2).filter((word) => !word.endsWith('.tgz'));
const made = process.argv.slice(2).find((word) => word.endsWith('.tgz'));
const versions = asked.length === 0 ? ['here', '20', '22', '24'] : asked;
const npm = process.env.npm_execpath;
if (npm === undefined) {
  console.error('Start it as `npm run test:package`: it needs to know which npm it is.');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'longshore-package-'));
try {
  const tarball = made === undefined ? await pack() : resolve(made);
  for (const version of versions) await installAndPlay(version, tarball);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function pack() {
  const { stdout } = await execute(process.execPath, [npm, 'pack', '--json', '--pack-destination', folder], {
    cwd: root,
  });
  // What the scripts of the package print comes first.
  const [{ filename, entryCount, size }] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1));
  console.log(`Packed: ${filename}, ${entryCount} files, ${(size / 1e6).toFixed(1)} MB.`);
  return join(folder, filename);
}

async function installAndPlay(version, tarball) {
  const began = Date.now();
  const place = join(folder, version);
  mkdirSync(place, { recursive: true });
  const node = await nodeOf(version, { npm, folder: place });
  const prefix = join(place, 'prefix');
  const install = ['install', '--global', '--prefix', prefix, '--allow-scripts=better-sqlite3', tarball];
  await execute(node.path, [npm, ...install], { cwd: place, env: node.env });
  const installed = join(prefix, 'lib/node_modules/longshore');
  const packages = expectLockedVersions(installed, join(root, 'package-lock.json'));
  const seconds = Math.round((Date.now() - began) / 1_000);
  const said = await playImport({ node, prefix, installed, folder: join(place, 'home') });
  const opened = await playStudio({ node, prefix, installed, folder: join(place, 'studio') });
  await playLibrary({ node, installed, folder: join(dirname(installed), '..') });
  console.log(`Node ${node.version}: ${packages} packages as locked, installed in ${seconds} s.`);
  console.log(`  ${[...said, opened].join('\n  ')}`);
  if (version === versions[0]) await expectTypes({ root, folder: join(dirname(installed), '..') });
}
