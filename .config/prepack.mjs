// Before `npm pack`: a dist built from scratch, and the locked packages as they are bundled. (npm takes no notice of a
// shrinkwrap in a tarball that is installed as a file; what is bundled is what is installed, also without a network.)
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectLockedVersions } from './locked-versions.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

try {
  expectLockedVersions('.', 'package-lock.json', { development: true });
} catch (error) {
  console.error(`${error.message}\nInstall them with: npm ci`);
  process.exit(1);
}
// With this cache npm would bundle whole folders, SQLite as it was compiled here among them, and not what each package
// says is its own.
rmSync('node_modules/.package-lock.json', { force: true });

// An incremental build would keep files whose source is gone, and would not write again what somebody deleted.
rmSync('dist', { recursive: true, force: true });
for (const script of [
  ['node_modules/typescript/bin/tsc', '-p', 'src/tsconfig.json'],
  ['.config/bundle.mjs'],
]) {
  const { status } = spawnSync(process.execPath, script, { stdio: ['ignore', 2, 2] });
  if (status === 0) continue;
  console.error('The package was not made: the build failed.');
  process.exit(status ?? 1);
}
