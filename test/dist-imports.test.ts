import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const scripts = ['test', '.config']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  .filter((file) => file.endsWith('.mjs') && /from '[^']*\/dist\//.test(readFileSync(file, 'utf8')));

// No compiler sees what a script takes from the built code, and nothing runs the benchmarks with every change.
it.each(scripts)('%s finds what it imports of the built code', (file) => {
  const text = readFileSync(file, 'utf8');
  const missing = [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*'([^']*\/dist\/[^']*)'/g)].flatMap(
    ([, names = '', path = '']) => {
      const built = readFileSync(resolve(dirname(file), path), 'utf8');
      return names
        .split(',')
        .map((name) => name.trim().split(' as ')[0] ?? '')
        .filter((name) => name !== '' && !isExported(built, name))
        .map((name) => `${name} of ${path}`);
    },
  );
  expect(missing).toEqual([]);
});

function isExported(built: string, name: string): boolean {
  return new RegExp(
    `export (?:async )?(?:function\\*?|const|class|let) ${name}\\b|export \\{[^}]*\\b${name}\\b`,
  ).test(built);
}
