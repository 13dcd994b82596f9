import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Applies a diff to the files of this project, and returns their texts by path. Each hunk (parted by `@@`) must be in its
 * file once, line by line; one that only adds goes to the end. Throws where a hunk is not there.
 */
export function patched(diff: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const part of diff.split(/^--- /m).slice(1)) {
    const [from = '', to = '', ...lines] = part.trimEnd().split('\n');
    const path = to.replace('+++ b/', '');
    let text = from === '/dev/null' ? '' : (texts.get(path) ?? readFileSync(join(root, path), 'utf8'));
    for (const hunk of lines.join('\n').split(/^@@.*\n/m)) text = withHunk(text, hunk, path);
    texts.set(path, text);
  }
  return texts;
}

function withHunk(text: string, hunk: string, path: string): string {
  const lines = hunk.split('\n').filter((line) => line !== '');
  const linesOf = (signs: string) =>
    lines.filter(([sign = '']) => signs.includes(sign)).map((line) => `${line.slice(1)}\n`);
  const [before, after] = [linesOf(' -').join(''), linesOf(' +').join('')];
  if (before === '') return text + after;
  const found = `\n${text}`.split(`\n${before}`).length - 1;
  if (found !== 1) throw new Error(`${path} has this ${found} times, not once:\n${before}`);
  return `\n${text}`.replace(`\n${before}`, () => `\n${after}`).slice(1);
}
