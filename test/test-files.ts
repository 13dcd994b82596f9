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

const hasMore = (reach: ReadonlySet<string>) => reach.has(inTest('long.ts'));
const onlyLong = (reach: ReadonlySet<string>) => [...reach].some((file) => file.endsWith('.long.test.ts'));

/** The packages inside of Longshore; all other tests are those of the core, which knows neither. */
const packages = ['fleet', 'studio'] as const;

/** What `npm test -- --project NAME` can name. */
export const projects = ['core', ...packages] as const;

/** The project of a test, by the folder that it is in. */
function projectOf(file: string): (typeof projects)[number] {
  return packages.find((name) => file.startsWith(inTest(`${name}/`))) ?? 'core';
}

/**
 * The test files of a project, as their imports tell: for `npm test` all but *.long.test.ts, for `npm run test:long` these and
 * the files that have more to try there. Throws where a test of the core imports anything of a package.
 */
export function testFiles(project: (typeof projects)[number], isLong: boolean): string[] {
  const own = [...reached].filter(([file]) => projectOf(file) === project);
  if (project === 'core') for (const [file, reach] of own) assertCore(file, reach);
  return own
    .filter(([, reach]) => (isLong ? hasMore(reach) || onlyLong(reach) : !onlyLong(reach)))
    .map(([file]) => relative(root, file));
}

function assertCore(file: string, reach: ReadonlySet<string>): void {
  const folders = packages.flatMap((name) => [inTest(`${name}/`), join(root, 'src', `${name}/`)]);
  const found = [...reach].find((each) => folders.some((folder) => each.startsWith(folder)));
  if (found === undefined) return;
  throw new Error(
    `${relative(root, file)} imports ${relative(root, found)}: move it to the tests of the package.`,
  );
}
