// Builds the page of the studio into dist/studio/page: one script, what it loads later, one style sheet, one document.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const source = 'src/studio/page';
const folder = 'dist/studio/page';

export async function buildPage() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const bundle = await rolldown({
    input: { page: join(source, 'main.tsx') },
    platform: 'browser',
    tsconfig: 'tsconfig.json',
    checks: { pluginTimings: false },
  });
  await bundle.write({
    dir: folder,
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // A hash may begin with a dash and have an underscore: what the server serves has only these letters.
    hashCharacters: 'hex',
  });
  const styles = readdirSync(source, { recursive: true })
    .filter((name) => name.endsWith('.css'))
    .sort((a, b) => a.split(/[\\/]/).length - b.split(/[\\/]/).length || (a < b ? -1 : 1))
    .map((name) => readFileSync(join(source, name), 'utf8'));
  writeFileSync(join(folder, 'page.css'), styles.join('\n'));
  for (const name of ['index.html', 'icon.svg']) copyFileSync(join(source, name), join(folder, name));
}
