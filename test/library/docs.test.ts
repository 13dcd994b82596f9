import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/index.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/library.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

describe('docs/library.md', () => {
  const folder = temporaryFolder();

  // A project of somebody else's that has the package: its examples find it by its name.
  beforeAll(() => {
    for (const name of ['fixtures', 'mappings', 'pipelines']) {
      cpSync(join(root, name), join(folder.path, name), { recursive: true });
    }
    mkdirSync(join(folder.path, 'node_modules'));
    symlinkSync(root, join(folder.path, 'node_modules/longshore'));
    symlinkSync(join(root, 'node_modules/@types'), join(folder.path, 'node_modules/@types'));
    writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }');
    examples.forEach((text, n) => {
      writeFileSync(join(folder.path, `example-${n}.ts`), text);
    });
  });

  afterAll(() => folder.remove());

  it('has examples of an import, an export and a check', () => {
    for (const call of ['importPipeline(', 'exportPipeline(', 'checkPipeline(']) {
      expect(examples.join('\n')).toContain(call);
    }
  });

  it('shows examples that a strict compiler takes', () => {
    const files = examples.map((_, n) => join(folder.path, `example-${n}.ts`));
    const program = ts.createProgram(files, {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      typeRoots: [join(root, 'node_modules/@types')],
      types: ['node'],
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      file: file?.fileName,
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
    }));
    expect(problems).toEqual([]);
  });

  it.each(examples.map((text, n) => [/(\w+)\('pipelines/.exec(text)?.[1], n] as const))(
    'shows %s at work, through the name of the package',
    (_, n) => {
      const { outputText } = ts.transpileModule(examples[n] ?? '', {
        compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
      });
      writeFileSync(join(folder.path, `example-${n}.mjs`), outputText);
      const { status, stdout, stderr } = spawnSync(process.execPath, [`example-${n}.mjs`], {
        cwd: folder.path,
        encoding: 'utf8',
        env: { ...process.env, NO_COLOR: '1' },
      });
      // The library itself prints nothing: what is there is what the example says.
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toMatch(/^\{\n {2}read: 1977,|^Export ready: .*exports|^ok pipeline/);
    },
  );

  it('names every call, every kind of event and every property of an error', () => {
    const calls = Object.keys(library).filter((name) => /^[a-z]/.test(name));
    const error = Object.keys(new library.LongshoreError(new FatalError('usage', 'x')));
    const events = readFileSync(join(root, 'src/app/run/events.ts'), 'utf8');
    const kinds = [...events.matchAll(/readonly kind: '(\w+)'/g)].map(([, kind = '']) => kind);
    expect(kinds.length).toBeGreaterThan(10);
    const properties = [...error, 'message', 'cause'].filter((name) => name !== 'name');
    const missing = [
      ...calls.filter((name) => !page.includes(`\`${name}(`)),
      ...[...properties, ...kinds].filter((name) => !page.includes(`\`${name}\``)),
    ];
    expect(missing).toEqual([]);
  });
});
