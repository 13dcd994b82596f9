// npm run corpus -- --seeds 200: imports exports whose truth is known, and prints what became of their people.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `npm run corpus -- [--seeds N] [--from SEED] [--verbose]

200 seeds from a random one, unless said otherwise. --verbose prints every difference and keeps the folders of the imports.
Ends with 1 where a difference is silent, or fewer people are right than promised.`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else play(Number(values.from), Number(values.seeds), values.verbose);

function play(from, seeds, verbose) {
  const folder = mkdtempSync(join(tmpdir(), 'corpus-'));
  const out = join(folder, 'table.txt');
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/corpus/run.config.ts'],
    {
      stdio: 'inherit',
      env: { ...process.env, LONGSHORE_CORPUS: JSON.stringify({ from, seeds, verbose, out }) },
    },
  );
  child.once('close', (code) => {
    process.stdout.write(existsSync(out) ? `\n${readFileSync(out, 'utf8')}` : '');
    process.stdout.write(`Again: npm run corpus -- --from ${from} --seeds ${seeds}\n`);
    rmSync(folder, { recursive: true });
    process.exitCode = code ?? 1;
  });
}
