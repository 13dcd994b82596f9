import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../../dist/command/main.js', import.meta.url));
const usageScript = new URL('usage.mjs', import.meta.url).href;

/** Hands a new folder to `use`, and removes it. */
export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    return await use(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Runs longshore: its summary, its exit code, when it was started, how long it took, and what it used. */
export async function longshore(args, options = {}) {
  const { output, ...ended } = await node([command, ...args, '--json'], options);
  return { ...ended, summary: JSON.parse(output) };
}

/** Runs a script with the arguments that are given as one JSON; what it printed is its result. */
export async function script(url, job) {
  const { output, ...ended } = await node([fileURLToPath(url), JSON.stringify(job)]);
  return { ...ended, result: JSON.parse(output) };
}

/** Runs Node to its end, with further variables in `env`; an exit code that is not among `codes` is an error. */
export async function node(args, { codes = [0], env = {} } = {}) {
  return await withFolder(async (folder) => {
    const usage = join(folder, 'usage.json');
    const startedAt = Date.now();
    const begun = performance.now();
    const child = spawn(process.execPath, ['--import', usageScript, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, LONGSHORE_TOKEN: 'sandbox', BENCH_USAGE: usage, ...env },
    });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].on('data', (piece) => {
        said[stream] += piece;
      });
    const code = await new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    const seconds = (performance.now() - begun) / 1_000;
    if (!codes.includes(code)) throw new Error(`${args.join(' ')} ended with ${code}: ${said.stderr}`);
    const { cpuMs, peakMiB } = JSON.parse(readFileSync(usage, 'utf8'));
    return { output: said.stdout, code, startedAt, seconds, cpuMs, peakMiB };
  });
}
