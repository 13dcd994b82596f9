import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm pack` puts into the package beside what is bundled: to list that takes npm a minute. */
function packed(): readonly string[] {
  const folder = temporaryFolder();
  try {
    for (const name of readdirSync(root)) {
      if (!name.startsWith('.') && !['node_modules', 'exports', 'package.json'].includes(name)) {
        cpSync(join(root, name), join(folder.path, name), { recursive: true });
      }
    }
    const { bundleDependencies: _, ...manifest } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    writeFileSync(join(folder.path, 'package.json'), JSON.stringify(manifest));
    const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
    const [{ files }] = JSON.parse(execFileSync('npm', args, { cwd: folder.path, encoding: 'utf8' }));
    return files.map(({ path }: { path: string }) => path);
  } finally {
    folder.remove();
  }
}

/** The files and folders that a pipeline names, from the top of the project. */
function namedBy(pipeline: string): readonly string[] {
  const folder = join(root, 'pipelines');
  const text = readFileSync(join(folder, pipeline), 'utf8');
  const paths: string[] = [];
  JSON.stringify(parse(text), (key, value) => {
    if (typeof value === 'string' && value.startsWith('../') && key !== 'to') paths.push(value);
    return value;
  });
  return paths.map((path) => relative(root, resolve(folder, path))).filter((path) => !/^exports/.test(path));
}

describe('the package', () => {
  const files = packed();
  const has = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`));

  it('has the command, the library with its types, and the pages that it is told by', () => {
    for (const path of [
      'dist/command/main.js',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/studio/page/index.html',
      'dist/studio/page/page.js',
      'dist/studio/page/page.css',
      'README.md',
      'package.json',
    ]) {
      expect(files).toContain(path);
    }
    for (const page of readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })) {
      expect(has(`docs/${page}`), page).toBe(true);
    }
  });

  it.each(readdirSync(join(root, 'pipelines')).filter((name) => name.endsWith('.yaml')))(
    'has what %s names',
    (pipeline) => {
      expect(has(`pipelines/${pipeline}`)).toBe(true);
      expect(namedBy(pipeline).filter((path) => !has(path))).toEqual([]);
    },
  );

  it('has nothing that only development needs', () => {
    const tops = new Set(files.map((path) => path.split('/', 1)[0]));
    expect([...tops].sort()).toEqual([
      'README.md',
      'dist',
      'docs',
      'fixtures',
      'mappings',
      'package.json',
      'pipelines',
    ]);
    expect(
      files.filter((path) => /\.(?:map|compiled)$|\.test\.|tsbuildinfo|^fixtures\/formats\//.test(path)),
    ).toEqual([]);
  });

  it('bundles every dependency, so that an install takes the locked versions', () => {
    const { bundleDependencies, dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(bundleDependencies).toEqual(Object.keys(dependencies));
    const exact = Object.values<string>(dependencies).filter(
      (version) => !/^(?:npm:[a-z0-9-]+@)?\d+\.\d+\.\d+$/.test(version),
    );
    expect(exact).toEqual([]);
  });
});

describe('the Dockerfile', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, instruction = '', rest = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
      return { instruction, rest };
    });
  const lastStage = lines.slice(lines.findLastIndex(({ instruction }) => instruction === 'FROM'));
  const of = (instruction: string, among = lines) =>
    among.filter((line) => line.instruction === instruction).map(({ rest }) => rest);
  const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');

  it('consists of known instructions, starting from pinned images, and runs on a slim one', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'VOLUME', 'USER', 'ENTRYPOINT', 'CMD'];
    expect(lines.filter(({ instruction }) => !known.includes(instruction))).toEqual([]);
    for (const image of of('FROM')) expect(image).toMatch(/^node:22-bookworm(-slim)?( AS \w+)?$/);
    expect(of('FROM', lastStage)).toEqual(['node:22-bookworm-slim']);
  });

  it('copies only what is there, what the image may see, and what its stages have made', () => {
    const copies = of('COPY').map((rest) => rest.split(/ +/));
    const sources = copies
      .filter(([flag = '']) => !flag.startsWith('--from='))
      .flatMap((words) => words.slice(0, -1));
    for (const source of sources) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(ignored).toContain(`!${source.replace(/^\.\//, '')}`);
    }
    const made = copies.filter(([flag = '']) => flag.startsWith('--from='));
    expect(made.map(([flag, path = '']) => [flag, dirname(path)])).toEqual(
      made.map(() => ['--from=build', '/build']),
    );
  });

  it('puts the whole package into the image', () => {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const needed = [
      'package.json',
      'node_modules',
      'README.md',
      ...files.filter((file: string) => !file.startsWith('!')),
    ];
    const copied = of('COPY', lastStage).map((rest) => basename(rest.split(/ +/).at(-2) ?? ''));
    expect(copied.sort()).toEqual(needed.sort());
  });

  it('does not run as root, keeps the work dir on a volume, has signals handed on, and holds no secret', () => {
    const at = (instruction: string) => lastStage.findIndex((line) => line.instruction === instruction);
    expect(of('USER', lastStage)).toEqual(['node']);
    expect(at('USER')).toBeLessThan(at('ENTRYPOINT'));
    expect(lastStage.slice(at('USER')).some(({ instruction }) => instruction === 'RUN')).toBe(false);
    expect(of('VOLUME', lastStage)).toEqual(['/work']);
    for (const form of ['ENTRYPOINT', 'CMD']) {
      const [words = ''] = of(form, lastStage);
      expect(JSON.parse(words)).toEqual(expect.arrayContaining([expect.any(String)]));
    }
    expect(JSON.parse(of('ENTRYPOINT', lastStage)[0] ?? '')[0]).toBe('tini');
    expect(lines.filter(({ rest }) => /TOKEN|SECRET|PASSWORD/i.test(rest))).toEqual([]);
  });

  it('sees nothing that is not named', () => {
    expect(ignored.find((line) => line !== '' && !line.startsWith('#'))).toBe('*');
    for (const name of ['.longshore', 'exports', '.git', 'node_modules', 'dist']) {
      expect(ignored).not.toContain(`!${name}`);
    }
  });
});
