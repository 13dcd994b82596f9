import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inTest = (file: string) => join(root, 'test', file);

/** What is imported or only named as a path beside: types are gone when a test runs. */
const imported = /^(?:import|export) (?!type\b)(?:[^;']*? from )?'([^']+)'|import\('([^']+)'\)/gm;

/** Everything that a file imports, the file itself included, as far as it is ours; and which built-in modules. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  // What src itself needs says nothing about a test.
  if (!file.startsWith(inTest(''))) return seen;
  for (const [, from = '', lazily = from] of readFileSync(file, 'utf8').matchAll(imported)) {
    if (lazily.startsWith('.')) reach(resolve(dirname(file), lazily), seen);
    else seen.add(lazily);
  }
  return seen;
}

const reached = new Map(
  readdirSync(inTest(''), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => [inTest(name), reach(inTest(name))] as const),
);

function filesThat(such: (reach: ReadonlySet<string>) => boolean): string[] {
  return [...reached].filter(([, reach]) => such(reach)).map(([file]) => relative(root, file));
}

const starts = (reach: ReadonlySet<string>) =>
  reach.has('node:child_process') || reach.has(inTest('end-to-end/command.ts'));
const serves = (reach: ReadonlySet<string>) =>
  reach.has('node:http') ||
  reach.has('node:net') ||
  [...reach].some((file) => file.startsWith(join(root, 'src/sandbox')) || file.endsWith('in-process.ts'));
const hasMore = (reach: ReadonlySet<string>) => reach.has(inTest('long.ts'));
const onlyLong = (reach: ReadonlySet<string>) => [...reach].some((file) => file.endsWith('.long.test.ts'));

/** `unit`: no process, no socket · `sandbox`: servers and commands in the test's process · `command`: real ones. */
export type Project = 'unit' | 'sandbox' | 'command';

function projectOf(reach: ReadonlySet<string>): Project {
  if (starts(reach)) return 'command';
  return serves(reach) ? 'sandbox' : 'unit';
}

/**
 * The test files of a project, as their imports tell: for `npm test` all but *.long.test.ts, for `npm run test:long` these
 * and the files that have more to try there.
 */
export function filesOf(project: Project, isLong: boolean): string[] {
  return filesThat(
    (reach) =>
      projectOf(reach) === project && (isLong ? hasMore(reach) || onlyLong(reach) : !onlyLong(reach)),
  );
}
