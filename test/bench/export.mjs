// An export against a sandbox in a process of its own, at the workspace's own limits: contacts/s, messages/s, the pages of the
// contact list that were reached of the five a second, and peak memory.
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { table } from './formats/table.mjs';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const server = fileURLToPath(new URL('filled-sandbox.mjs', import.meta.url));
const perSecond = 5;

/** Sizes are [contacts, messages of each]; `jitter` is how late (ms, at most) a page is counted and answered. */
export async function benchExport({
  sizes = [
    [5_000, 8],
    [200_000, 3],
  ],
  jitter = 0,
} = {}) {
  const possible = perSecond / (1 + jitter / 1_000);
  console.log(
    `Export as CSV and NDJSON, ${perSecond} pages of the contact list a second allowed, ${possible.toFixed(2)} left by a jitter of ${jitter} ms`,
  );
  const show = table([
    'contacts',
    'messages',
    'list',
    'whole',
    'pages/s',
    'of possible',
    '429',
    'contacts/s',
    'messages/s',
    'peak MiB',
  ]);
  for (const [contacts, each] of sizes) {
    const { seconds, listSeconds, pace, limited, messages, peakMiB } = await measured(contacts, each, jitter);
    show([
      contacts.toLocaleString('en-US'),
      messages.toLocaleString('en-US'),
      `${listSeconds.toFixed(1)} s`,
      `${seconds.toFixed(1)} s`,
      pace.toFixed(2),
      `${((100 * pace) / possible).toFixed(1)} %`,
      String(limited),
      Math.round(contacts / seconds).toLocaleString('en-US'),
      Math.round(messages / seconds).toLocaleString('en-US'),
      peakMiB.toFixed(0),
    ]);
  }
  console.log('  (aim: at least 95 % of what is possible, no 429, under 200 MiB)');
}

async function measured(contacts, each, jitter) {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-'));
  const sandbox = fork(server, [contacts, each, jitter].map(String));
  try {
    const { baseUrl } = await message(sandbox);
    const pipeline = join(folder, 'pipeline.yaml');
    writeFileSync(pipeline, JSON.stringify({ pipeline: 'bench', export: settings }));
    const { summary, peakMiB } = await run([
      pipeline,
      '--workspace',
      baseUrl,
      '--work-dir',
      join(folder, 'work'),
    ]);
    if (summary.counts?.contacts !== contacts || summary.counts.messages !== contacts * each)
      throw new Error(`expected ${contacts} contacts, ${each} messages each: ${JSON.stringify(summary)}`);
    sandbox.send('pages');
    const { pages } = await message(sandbox);
    const listSeconds = ((pages.asked.at(-1) ?? 0) - (pages.asked[0] ?? 0)) / 1_000;
    const pace = (pages.asked.length - 1) / listSeconds;
    return {
      ...summary,
      messages: summary.counts.messages,
      listSeconds,
      pace,
      limited: pages.limited,
      peakMiB,
    };
  } finally {
    sandbox.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const settings = {
  to: 'exports/{date}',
  contacts: { format: 'csv' },
  messages: { format: 'ndjson', incremental: true },
};

async function run(args) {
  const child = spawn(process.execPath, [command, 'export', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LONGSHORE_TOKEN: 'sandbox' },
  });
  let peakKiB = 0;
  const watch = setInterval(() => {
    peakKiB = Math.max(peakKiB, peakOf(child.pid));
  }, 50);
  let output = '';
  for await (const piece of child.stdout) output += piece;
  clearInterval(watch);
  return { summary: JSON.parse(output), peakMiB: peakKiB / 1_024 };
}

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
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)));
  });
}
