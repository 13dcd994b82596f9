import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execute } from './processes.mjs';

/** This machine's Node for `here`, else the newest of a major version, whose package on npm has binary and headers. */
export async function nodeOf(version, { npm, folder }) {
  if (version === 'here') return { version: process.version, path: process.execPath, env: {} };
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node';
  const name = `${prefix}-${process.platform}-${process.arch}`;
  const tools = join(folder, 'node');
  // The package only moves files about in its scripts, if any.
  await execute(
    process.execPath,
    [npm, 'install', '--prefix', tools, '--ignore-scripts', '--no-save', `${name}@${version}`],
    { cwd: folder },
  );
  const home = join(tools, 'node_modules', name);
  const path = join(home, 'bin/node');
  const { version: exact } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  return {
    version: `v${exact}`,
    path,
    env: {
      PATH: `${dirname(path)}${delimiter}${process.env.PATH}`,
      // SQLite is compiled against these, where no built one can be downloaded.
      ...(existsSync(join(home, 'include/node/node.h')) && { npm_config_nodedir: home }),
    },
  };
}
