import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, rounded } from '../report.mjs';
import { longshore, withFolder } from '../run/command.mjs';
import { perMessagePage } from '../server/answers.mjs';
import { withServer } from '../server/start-server.mjs';
import { bestConcurrency } from './best-concurrency.mjs';

/**
 * The whole command on the messages of contacts, against its requests for messages at the best concurrency. The list brings 495 contacts
 * a second at most, whatever its latency, which is none here; so that it is the messages that are waited for, each contact has pages.
 */
export async function measureMessages(size) {
  const { latencyMs, messages } = size;
  const { contacts, pages } = messages;
  const { best } = await bestConcurrency(size);
  const server = { latency: latencyMs, people: 'everybody', contacts, messagePages: pages, listAtOnce: true };
  return await withFolder(async (folder) => {
    return await withServer(server, async ({ origin, counts }) => {
      const pipeline = join(folder, 'pipeline.yaml');
      writeFileSync(pipeline, JSON.stringify({ pipeline: 'bench', export: settings }));
      const where = ['--workspace', `${origin}/v1`, '--work-dir', join(folder, 'work')];
      const { seconds, summary } = await longshore(['export', pipeline, ...where]);
      if (summary.counts.messages !== contacts * pages * perMessagePage)
        throw new Error(JSON.stringify(summary.counts));
      const { aboutContacts, peak } = await counts();
      const ideal = (aboutContacts * latencyMs) / 1_000 / best;
      return [
        figure({
          name: `messages of ${rounded(contacts)} contacts: wall ÷ (requests × ${latencyMs} ms ÷ best concurrency)`,
          rounds: [seconds / ideal],
          atMost: 1.15,
          note: `${rounded(aboutContacts)} requests in ${rounded(seconds, 1)} s of ${rounded(ideal, 1)} s, at most ${peak} in flight`,
        }),
      ];
    });
  });
}

const settings = {
  to: 'exports/{date}',
  messages: { format: 'ndjson' },
  limits: { concurrency: 'auto' },
};
