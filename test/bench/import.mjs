// Rows/s of an import into a fast stub server against a bare undici loop sending the same requests, and peak memory.
import { fork, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const concurrency = 64;

export async function benchImport({ compareRows = 30_000, memoryRows = [20_000, 400_000], rounds = 3 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-'));
  const server = fork(join(here, 'stub-server.mjs'));
  const { port } = await message(server);
  const origin = `http://127.0.0.1:${port}`;
  try {
    console.log(`Import of new people into a stub server, ${concurrency} at once, 3 requests a row`);
    const ratios = [];
    for (let round = 1; round <= rounds; round += 1) {
      const bare = await runBare(origin, compareRows);
      const ours = await runImport(folder, origin, compareRows, `round-${round}`);
      ratios.push(ours.rate / bare);
      console.log(
        `  round ${round}: bare loop ${per(bare)} requests, import ${per(ours.rate)} requests (${per(ours.rate / 3)} rows), ratio ${(ours.rate / bare).toFixed(2)}`,
      );
    }
    ratios.sort((a, b) => a - b);
    console.log(`  median ratio ${ratios[Math.floor(ratios.length / 2)].toFixed(2)}   (aim: 0.50)`);
    console.log('Peak memory');
    for (const rows of memoryRows) {
      const ours = await runImport(folder, origin, rows, `memory-${rows}`);
      console.log(
        `  ${rows.toLocaleString('en-US')} rows: ${ours.peakMiB.toFixed(0)} MiB, ${per(ours.rate / 3)} rows   (aim: under 200 MiB, no slope)`,
      );
    }
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runBare(origin, rows) {
  const loop = fork(join(here, 'bare-loop.mjs'), [origin, String(rows), String(concurrency)]);
  const { requests, seconds } = await message(loop);
  await new Promise((resolve) => loop.once('exit', resolve));
  return requests / seconds;
}

async function runImport(folder, origin, rows, name) {
  const input = join(folder, `${rows}.csv`);
  await writeInput(input, rows);
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  const pipeline = join(folder, `${name}.yaml`);
  writeFileSync(pipeline, pipelineFor(name, input));
  const args = [
    command,
    'import',
    pipeline,
    '--workspace',
    `${origin}/v1`,
    '--json',
    '--work-dir',
    join(folder, name),
  ];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LONGSHORE_TOKEN: 'bench' },
  });
  let peakKiB = 0;
  const watch = setInterval(() => {
    peakKiB = Math.max(peakKiB, peakOf(child.pid));
  }, 50);
  let output = '';
  for await (const piece of child.stdout) output += piece;
  clearInterval(watch);
  const summary = JSON.parse(output);
  if (summary.rows.created !== rows)
    throw new Error(`expected ${rows} created: ${JSON.stringify(summary.rows)}`);
  const sent = Object.values(summary.requests).reduce((sum, counts) => sum + counts.sent, 0);
  return { rate: sent / summary.seconds, peakMiB: peakKiB / 1024 };
}

async function writeInput(path, rows) {
  const out = createWriteStream(path);
  out.write('Record ID,First Name,Last Name,Email,Phone,Country\n');
  for (let n = 0; n < rows; n += 1) {
    const phone = `+1201${String(2_000_000 + (n % 7_900_000)).padStart(7, '0')}`;
    if (!out.write(`${n},First${n},Last${n},person${n}@example.com,${phone},US\n`)) {
      await new Promise((resolve) => out.once('drain', resolve));
    }
  }
  out.end();
  await finished(out);
}

const mapping = `mapping: bench
key: Record ID
identify: [email, phone]
contact:
  firstName: { from: First Name }
  lastName: { from: Last Name }
  email: { from: Email }
  phone: { from: Phone, country: US }
  countryCode: { from: Country }
`;

const pipelineFor = (name, input) => `pipeline: bench-${name}
import:
  source: { format: csv, path: ${input} }
  mapping: mapping.yaml
  limits: { concurrency: ${concurrency} }
`;

function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0; // it has just ended
  }
}

function message(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
  });
}

function per(rate) {
  return `${Math.round(rate).toLocaleString('en-US')}/s`;
}
