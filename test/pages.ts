import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './end-to-end/in-process.ts';

/** The folder of the project. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** A page that people read: the README, or one below docs. */
export interface Page {
  /** Its path from the folder of the project. */
  readonly file: string;
  readonly text: string;
}

const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .sort();

export const pages: readonly Page[] = ['README.md', ...guides].map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

/** The page of that path. */
export function pageOf(file: string): Page {
  const found = pages.find((page) => page.file === file);
  if (found === undefined) throw new Error(`There is no page ${file}.`);
  return found;
}

/** The blocks of a language in a page, as they are shown. */
export function blocksOf({ text }: Page, language: string): readonly string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, of]) => of === language)
    .map(([, , shown = '']) => shown);
}

/** The commands of a page as they are typed in a checkout, without the comments behind them. */
export function typedIn(page: Page): readonly string[] {
  return blocksOf(page, 'sh')
    .flatMap((text) => text.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line.startsWith('npx longshore '));
}

/**
 * A folder with what the examples read, and the files that a page shows with their names. Of the sample only the first
 * rows: enough to show every command at work.
 */
export function layOut(folder: string, shown: readonly Page[], sampleRows: number): void {
  for (const name of ['fixtures', 'mappings', 'pipelines']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const sample = join(folder, 'fixtures/sample/contacts.csv');
  // Byte by byte: a few of its lines are not UTF-8 on purpose.
  writeFileSync(sample, firstRows(readFileSync(sample, 'latin1'), sampleRows), 'latin1');
  for (const text of shown.flatMap((page) => blocksOf(page, 'yaml'))) {
    const file = /^# ((?:mappings|pipelines)\/\S+)/.exec(text)?.[1];
    if (file !== undefined) writeFileSync(join(folder, file), text);
  }
}

/** The header of a CSV and its first rows, which may have line ends in quotes. */
function firstRows(text: string, n: number): string {
  const taken: string[] = [];
  let records = 0;
  let quotes = 0;
  for (const line of text.split(/(?<=\n)/)) {
    if (records > n) break;
    taken.push(line);
    quotes += line.split('"').length - 1;
    if (quotes % 2 === 0) records += 1;
  }
  return taken.join('');
}

/** Types a command in a folder, as somebody does who has looked up the run and approved all its merges. */
export async function type(line: string, folder: string, env: Readonly<Record<string, string>>) {
  const words = named(line, folder).split(/\s+/).slice(2);
  return await run(words, env, undefined, folder);
}

function named(line: string, folder: string): string {
  if (!/\bRUN\b/.test(line)) return line;
  const workDir = join(folder, /--work-dir (\S+)/.exec(line)?.[1] ?? '.longshore');
  // A run whose mapping reads lists cannot be retried from its rejects.csv.
  if (!line.includes('--approve')) {
    return line.replaceAll('RUN', newestWith('rejects.csv', workDir, 'import-sample').run);
  }
  const { run: approved, file } = newestWith('merge-proposals.csv', workDir);
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^,/gm, 'yes,'));
  return line.replace('RUN', approved);
}

/** The newest finished run of a work dir that left such a file. */
export function newestWith(name: string, workDir: string, pipeline = ''): { run: string; file: string } {
  const runs = join(workDir, 'runs');
  const found = readdirSync(runs)
    .sort()
    .reverse()
    .map((run) => ({ run, file: join(runs, run, name) }))
    .filter(({ run }) => run.endsWith(pipeline))
    .find(({ file }) => existsSync(file) && summaryOf(dirname(file)).outcome === 'finished');
  if (found === undefined) throw new Error(`no run in ${workDir} left ${name}`);
  return found;
}

/** The summary of a run's folder. */
export function summaryOf(folder: string): { outcome: string; rows: { merged: number } } {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
}
