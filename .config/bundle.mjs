// Puts the command and the packages that it needs into a few files, dist/command, and keeps what V8 compiles of them: to
// find, open and compile 1,100 small ones takes most of the time until the first request. Then it builds the page of the
// studio. With --if-changed only where a source is newer than what is there.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildPage } from './build-page.mjs';

const folder = 'dist/command';
const main = join(folder, 'main.js');

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));

if (!process.argv.includes('--if-changed') || hasChanged()) {
  const bundle = await rolldown({
    // The studio looks at inputs, and a worker does its jobs, in processes of their own; the studio parses YAML in a thread.
    // `load` loads the others.
    input: {
      load: 'src/cli/load.ts',
      main: 'src/cli/main.ts',
      'input-process': 'src/studio/server/jobs/input-process.ts',
      'yaml-thread': 'src/studio/server/yaml/yaml-thread.ts',
      'job-process': 'src/fleet/job/job-process.ts',
    },
    platform: 'node',
    // SQLite is compiled for the machine, the countries are read file by file as they are needed, and what only a fleet
    // needs may not be installed.
    external: [/^node:/, /^better-sqlite3/, /^i18n-iso-countries/, /^(pg|pg-boss|cron-parser|aws4fetch)$/],
    // What yargs would do with it, to look for packages that a configuration extends, is not used.
    transform: { define: { 'import.meta.resolve': 'undefined' } },
    checks: { pluginTimings: false },
  });
  const { output } = await bundle.generate({
    dir: folder,
    format: 'cjs',
    // What runs in a script of node:vm cannot import without a warning.
    dynamicImportInCjs: false,
    entryFileNames: ({ name }) => (name === 'load' ? 'load.js' : '[name]-[hash].js'),
    chunkFileNames: '[name]-[hash].js',
    // What nearly everything needs is one file, not one for each set of those who need it.
    codeSplitting: {
      groups: [
        {
          name: 'import',
          test: /\/src\/app\/(import\/(?!report)|plan\/(guard|guarded-import|plan|plan-schema|planned-calls|planned-contacts|summary|time|user-names)\.ts$|retry\/(?!retry-command)|run\/(input|filled-list|plan-file|step|waits|workspace-facts|terminal\/(run-shown|precondition))\.ts$)/,
        },
        {
          name: 'base',
          priority: 1,
          test: /\/src\/(storage\/(own-folder|sqlite|system-error|sql|columns|json|pages|regular-file|path-meant|checksum)|model\/(contact|outcome|problem|listed|left-behind|escape-controls|spreadsheet-guard|nearest|command|shell-quoted|fatal-error)|app\/run\/(problem-count|exit-code|work-dir|near-path|variables|command-line|terminal\/(stop-signals|screen|output|live-lines)|left-behind\/(kinds|left-behind))|notify\/send-alert|report\/(layout|left-behind-lines))\.ts$/,
        },
      ],
    },
  });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  // The package says that its files are ES modules; V8 keeps compiled code of CommonJS alone on Node 20.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  for (const { fileName, code, isEntry, name } of output) {
    writeFileSync(join(folder, fileName), asAscii(code.replace(/^#!.*\n/, '')));
    if (!isEntry || name === 'load') continue;
    const entry = `#!/usr/bin/env node\nrequire('./load.js').loadFile('${fileName}');\n`;
    writeFileSync(join(folder, `${name}.js`), entry);
  }
  chmodSync(main, 0o755);
  // For the test that says what a command loads.
  const modules = output.map(({ fileName, moduleIds = [] }) => [
    fileName,
    moduleIds.map((id) => relative('.', id)),
  ]);
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(Object.fromEntries(modules)));
  spawnSync(process.execPath, ['.config/keep-compiled.mjs'], { stdio: 'inherit' });
  await buildPage();
}

/** Escapes what is not ASCII: V8 keeps the source of a module, and one such letter doubles the memory that it takes. */
function asAscii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function hasChanged() {
  if (!existsSync(main) || !existsSync('dist/studio/page/page.js')) return true;
  const { mtimeMs } = statSync(main);
  const sources = readdirSync('src', { recursive: true }).map((name) => join('src', name));
  return ['package-lock.json', '.config/bundle.mjs', '.config/build-page.mjs', ...sources].some(
    (path) => statSync(path).mtimeMs > mtimeMs,
  );
}
