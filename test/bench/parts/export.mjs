import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figure, rounded } from '../report.mjs';
import { longshore, withFolder } from '../run/command.mjs';
import { message } from '../run/message.mjs';

const sandboxScript = fileURLToPath(new URL('../server/filled-sandbox.mjs', import.meta.url));
const perSecond = 5;

/** Exports from a sandbox with the workspace's own limits: how many of the five pages a second of the contact list they get. */
export async function measureExport({ export: { contacts, messagesEach } }) {
  const figures = [];
  for (const count of contacts) {
    const { pace, limited, seconds, messages, peakMiB } = await exported(count, messagesEach);
    figures.push(
      figure({
        name: `list export of ${rounded(count)} contacts: share of the limit`,
        rounds: [pace / perSecond],
        atLeast: 0.97,
        note: `${pace.toFixed(2)} pages/s, ${limited} answers 429, ${rounded(count)} contacts and ${rounded(messages)} messages in ${rounded(seconds, 1)} s and ${rounded(peakMiB)} MiB`,
      }),
    );
  }
  return figures;
}

async function exported(contacts, each) {
  const sandbox = fork(sandboxScript, [contacts, each].map(String));
  try {
    const { baseUrl } = await message(sandbox);
    return await withFolder(async (folder) => {
      const pipeline = join(folder, 'pipeline.yaml');
      writeFileSync(pipeline, JSON.stringify({ pipeline: 'bench', export: settings }));
      const where = ['--workspace', baseUrl, '--work-dir', join(folder, 'work')];
      const { summary, seconds, peakMiB } = await longshore(['export', pipeline, ...where]);
      if (summary.counts.contacts !== contacts || summary.counts.messages !== contacts * each)
        throw new Error(`not all was exported: ${JSON.stringify(summary.counts)}`);
      sandbox.send('pages');
      const { asked, limited } = (await message(sandbox)).pages;
      const pace = ((asked.length - 1) * 1_000) / (asked.at(-1) - asked[0]);
      return { pace, limited, seconds, messages: summary.counts.messages, peakMiB };
    });
  } finally {
    sandbox.kill();
  }
}

const settings = {
  to: 'exports/{date}',
  contacts: { format: 'csv' },
  messages: { format: 'ndjson', incremental: true },
};
