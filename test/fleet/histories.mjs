// npm run fleet:histories -- --seeds 50: plays histories of a fleet, each as its seed says, and prints how each went.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const usage = `npm run fleet:histories -- [--seeds N] [--from SEED] [--workspaces N] [--machines N] [--rounds N] [--rows N] [--stop SECONDS]

Sixteen workspaces, four machines, six rounds of an import and an export each and half a round of exports (200 jobs), and every
fourth stop of a machine for a minute, unless said otherwise.`;

const whole = { type: 'string' };
const { values } = parseArgs({
  options: {
    seeds: { ...whole, default: '1' },
    from: { ...whole, default: '1' },
    workspaces: { ...whole, default: '16' },
    machines: { ...whole, default: '4' },
    rounds: { ...whole, default: '6' },
    rows: { ...whole, default: '20' },
    stop: { ...whole, default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(`${usage}\n`);
else play();

function play() {
  const { seeds, from, stop, help: _, ...size } = values;
  const numbers = Array.from({ length: Number(seeds) }, (_, n) => Number(from) + n);
  const scaled = Object.fromEntries(Object.entries(size).map(([name, text]) => [name, Number(text)]));
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/long.config.ts',
      'test/fleet/histories.long.test.ts',
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        LONGSHORE_HISTORY_SEEDS: numbers.join(','),
        LONGSHORE_HISTORY_SIZE: JSON.stringify({ ...scaled, stopMs: Number(stop) * 1_000 }),
      },
    },
  );
  child.once('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
