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

const hasMore = (reach: ReadonlySet<string>) => reach.has(inTest('long.ts'));
const onlyLong = (reach: ReadonlySet<string>) => [...reach].some((file) => file.endsWith('.long.test.ts'));

/**
 * The test files, as their imports tell: for `npm test` all but *.long.test.ts, for `npm run test:long` these and the files
 * that have more to try there.
 */
export function testFiles(isLong: boolean): string[] {
  return filesThat((reach) => (isLong ? hasMore(reach) || onlyLong(reach) : !onlyLong(reach)));
}
