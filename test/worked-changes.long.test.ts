import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { patched } from './worked-changes.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = readFileSync(join(root, 'docs/CONTRIBUTING.md'), 'utf8');
const diffs = [...page.matchAll(/^```diff\n(.*?)^```/gms)].map(([, diff = '']) => diff);

/** The complaints of the compiler about the project with these texts in place of, or beside, its own files. */
function complaints(texts: ReadonlyMap<string, string>): readonly string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const changed = new Map([...texts].map(([path, text]) => [join(root, path), text]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, directoryExists } = host;
  host.fileExists = (path) => changed.has(path) || fileExists(path);
  host.directoryExists = (path) =>
    [...changed.keys()].some((each) => dirname(each) === path) || (directoryExists?.(path) ?? true);
  host.readFile = (path) => changed.get(path) ?? readFile(path);
  const names = [...new Set([...fileNames, ...changed.keys()])].filter((path) => /\.tsx?$/.test(path));
  const program = ts.createProgram(names, { ...options, noEmit: true, incremental: false }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

it('the worked changes of docs/CONTRIBUTING.md leave a project whose types are right', () => {
  expect(diffs.length).toBeGreaterThan(5);
  // One wrong file beside them, which has to be the only one that is found.
  const wrong = '--- /dev/null\n+++ b/src/model/wrong.ts\n+export const wrong: number = "text";\n';
  const texts = new Map([...diffs, wrong].flatMap((diff) => [...patched(diff)]));
  expect(complaints(texts)).toEqual([expect.stringContaining('wrong.ts')]);
});
