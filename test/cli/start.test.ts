import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, type TestContext } from 'vitest';
import { main } from '../end-to-end/built.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const recorder = new URL('record-loads.mjs', import.meta.url).href;
const stuck = new URL('stuck-command.mjs', import.meta.url).href;

interface Loaded {
  /** The packages of which there is something in the files that were loaded. */
  readonly packages: ReadonlySet<string>;
  /** Our own modules and those of packages in these files. */
  readonly modules: ReadonlySet<string>;
  /** The files whose compiled code was used, and those whose was refused. */
  readonly compiled: readonly string[];
  readonly refused: readonly string[];
  readonly stdout: string;
}

/** Runs the command to its end, and says what it loaded and which compiled code V8 refused. */
async function loadedBy(
  { onTestFinished }: TestContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder = temporaryFolder(),
): Promise<Loaded> {
  onTestFinished(() => folder.remove());
  const list = join(folder.path, 'loaded.txt');
  const stdout = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      ['--import', recorder, main, ...args],
      { env: { ...process.env, ...env, LOADED_MODULES: list }, cwd: folder.path },
      (_error, out) => resolve(out),
    );
  });
  const modules = modulesIn(list);
  const packages = [...modules].flatMap((module) => {
    const [, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
    return name ?? [];
  });
  const lines = readFileSync(list, 'utf8').split('\n');
  const namesOf = (kind: string) =>
    lines.filter((line) => line.startsWith(`${kind}: `)).map((line) => basename(line.slice(kind.length + 2)));
  return {
    ...{ packages: new Set(packages), modules, stdout },
    ...{ compiled: namesOf('compiled'), refused: namesOf('refused') },
  };
}

/** The modules in the files that are listed as loaded. */
function modulesIn(list: string): ReadonlySet<string> {
  const bundled: Readonly<Record<string, readonly string[]>> = JSON.parse(
    readFileSync(join(dirname(main), 'modules.json'), 'utf8'),
  );
  const files = readFileSync(list, 'utf8')
    .split('\n')
    .filter((url) => url.startsWith('file:'))
    .map((url) => fileURLToPath(url));
  return new Set(files.flatMap((file) => [file, ...(bundled[basename(file)] ?? [])]));
}

it.concurrent('--help loads no package but the parser of the command line', async (context) => {
  const { packages, modules, stdout } = await loadedBy(context, ['--help']);
  expect(stdout).toContain('<command>');
  expect(packages).toContain('yargs');
  const others = [
    'zod',
    'yaml',
    'undici',
    'luxon',
    'better-sqlite3',
    'libphonenumber-js',
    'csv-parse',
    'pino',
    'pg',
    'pg-boss',
    'cron-parser',
  ];
  expect(others.filter((name) => packages.has(name))).toEqual([]);
  expect([...modules].filter((module) => /src\/(studio|fleet)/.test(module))).toEqual([]);
});

it.concurrent('an import loads what it needs until its first request, and nothing of the sandbox or of exports', async (context) => {
  const folder = temporaryFolder();
  const loading = temporaryFolder();
  let atFirst: ReadonlySet<string> | undefined;
  const server = createServer((_request, response) => {
    atFirst ??= modulesIn(join(loading.path, 'loaded.txt'));
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ code: 401, message: 'UN_AUTHORIZED' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  context.onTestFinished(() => {
    server.close();
    folder.remove();
  });
  const inFolder = (name: string, text: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, text);
    return path;
  };
  inFolder('rows.csv', 'Key,Name,Email,Country\n1,Ada,ada@example.com,FR\n');
  inFolder(
    'mapping.yaml',
    'mapping: mine\nkey: Key\ncontact:\n  firstName: { from: Name }\n  email: { from: Email }\n  countryCode: { from: Country }\n',
  );
  const pipeline = inFolder(
    'mine.yaml',
    'pipeline: mine\nimport:\n  source: { format: csv, path: rows.csv }\n  mapping: mapping.yaml\n',
  );
  const { packages, modules, compiled, refused } = await loadedBy(
    context,
    ['import', pipeline, '--work-dir', join(folder.path, 'work')],
    {
      LONGSHORE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      LONGSHORE_TOKEN: 'any',
    },
    loading,
  );
  expect(packages).toContain('undici');
  const others = [
    'fastify',
    'hyparquet',
    'hyparquet-writer',
    'playwright-core',
    'pg',
    'pg-boss',
    'cron-parser',
  ].filter((name) => packages.has(name));
  expect(others).toEqual([]);
  expect(atFirst).toContain('src/app/import/import.ts');
  expect(atFirst).not.toContain('src/app/import/report/report-html.ts');
  const parts = [
    'undici/lib/web/websocket',
    'undici/lib/mock',
    'src/sandbox',
    'src/studio',
    'src/fleet',
    'node_modules/helmet',
    'src/app/draft',
    'src/app/rehearse',
  ];
  expect([...modules].filter((module) => parts.some((part) => module.includes(part)))).toEqual([]);
  for (const name of ['main', 'base', 'command-line', 'import'])
    expect(compiled).toContainEqual(expect.stringMatching(`^${name}-`));
  expect(refused).toEqual([]);
  // A file that is bundled costs little; a file of its own is found, opened and compiled.
  expect([...modules].filter((module) => module.startsWith('/')).length).toBeLessThan(70);
});

it('a command that waits for nothing before it is done says so, and does not end with 0', async () => {
  const { status, stderr } = await new Promise<{ status: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, ['--import', stuck, main, 'status'], (error, _stdout, text) =>
      resolve({ status: error?.code, stderr: text }),
    );
  });
  expect(stderr).toContain('error: unexpected error.');
  expect(stderr).toContain('The command stopped before it was done');
  expect(status).toBe(1);
});

it('what a command loads later is required: a script of node:vm imports nothing without a warning', () => {
  const bundle = readdirSync(dirname(main)).filter((name) => name.endsWith('.js'));
  const imports = bundle.filter((name) =>
    readFileSync(join(dirname(main), name), 'utf8')
      .replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
      .match(/(?:await|return|=>) import\(/),
  );
  expect(imports).toEqual([]);
});
