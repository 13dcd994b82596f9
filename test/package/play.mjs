import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from './processes.mjs';

/** What the shipped sample comes to, as its generator says. */
const sample = { read: 1977, rejected: 70, created: 1692 };

/** Plays `npm start`'s import from an empty folder, and again; returns what the command said last. */
export async function playImport({ node, prefix, installed, folder }) {
  mkdirSync(folder, { recursive: true });
  const command = join(prefix, 'bin/longshore');
  const typed = ['import', join(installed, 'pipelines/import-sample.yaml'), '--workspace', 'sandbox'];
  // A link to the command starts the Node of its first line: the one in front of PATH.
  const type = (...more) =>
    execute(command, [...typed, ...more], { cwd: folder, env: node.env, codes: [0, 3] });
  const first = JSON.parse((await type('--json')).stdout);
  assert.equal(first.outcome, 'finished');
  for (const [name, n] of Object.entries(sample)) assert.equal(first.rows[name], n, name);
  const summary = join(folder, '.longshore/runs', first.run, 'summary.json');
  assert.deepEqual(JSON.parse(readFileSync(summary, 'utf8')), first);
  const again = await type();
  assert.match(again.stdout, /rejected/);
  assert.ok(existsSync(join(folder, '.longshore/journal.db')));
  return again.stdout.split('\n').slice(0, 6);
}

/** Imports through the installed library, beside which a program of somebody else's lies. */
export async function playLibrary({ node, installed, folder }) {
  const program = join(folder, 'program.mjs');
  writeFileSync(
    program,
    `import { importPipeline } from 'longshore';
const { rows } = await importPipeline(process.argv[2], { workspace: 'sandbox', workDir: process.argv[3], limit: 50 });
console.log(JSON.stringify(rows));
`,
  );
  const pipeline = join(installed, 'pipelines/import-mailchimp.yaml');
  const { stdout, stderr } = await execute(node.path, [program, pipeline, join(folder, 'work')], {
    cwd: folder,
    env: node.env,
  });
  assert.equal(stderr, '');
  assert.ok(JSON.parse(stdout).created > 0);
}

/** Compiles a strict program against the installed types, checking the types themselves, too. */
export async function expectTypes({ root, folder }) {
  const program = join(folder, 'program.mts');
  writeFileSync(
    program,
    `import { exportPipeline, type ExportSummary, importPipeline, type Summary } from 'longshore';
export const imported: Promise<Summary> = importPipeline('a.yaml', { signal: AbortSignal.timeout(1) });
export const exported: Promise<ExportSummary> = exportPipeline('b.yaml', { onEvent: ({ kind }) => void kind });
`,
  );
  const options = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext'];
  await execute(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, program], {
    cwd: folder,
  });
}
