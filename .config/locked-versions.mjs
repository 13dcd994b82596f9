import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Throws where the packages that a folder has installed are not exactly the locked ones that run; returns how many there
 * are. Packages of development beside them do not matter where `development` allows them.
 */
export function expectLockedVersions(folder, lockFile, { development = false } = {}) {
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  const named = (chosen) => chosen.map(([path, { version }]) => `${path}@${version}`);
  const needed = named(entries.filter(([, { dev, optional }]) => dev !== true && optional !== true));
  const allowed = new Set(named(entries.filter(([, { dev }]) => development || dev !== true)));
  const found = packagesBelow(folder, '');
  const missing = needed.filter((each) => !found.includes(each));
  const foreign = found.filter((each) => !allowed.has(each));
  if (missing.length + foreign.length === 0) return needed.length;
  const lists = [
    ...missing.map((each) => `missing: ${each}`),
    ...foreign.map((each) => `not locked: ${each}`),
  ];
  throw new Error(`${folder} does not have the locked packages.\n${lists.join('\n')}`);
}

function packagesBelow(folder, path) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  const names = readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name],
    );
  return names.flatMap((name) => {
    const below = `${path}node_modules/${name}`;
    const { version } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'));
    return [`${below}@${version}`, ...packagesBelow(join(modules, name), `${below}/`)];
  });
}
