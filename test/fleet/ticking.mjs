// Ticks and takes jobs without end, until it is killed; writes each job that it has settled to a file of its own.
import { appendFileSync } from 'node:fs';
import { connectDatabase } from '../../dist/fleet/database/connect.js';
import { openQueue } from '../../dist/fleet/queue/queue.js';
import { beat } from '../../dist/fleet/queue/worker-record.js';
import { tick } from '../../dist/fleet/schedule/ticker.js';

const [url, worker, now, file] = process.argv.slice(2);
const pool = await connectDatabase(url);
const queue = await openQueue(pool);
const clock = () => Promise.resolve(Number(now));
for (;;) {
  await beat(pool, { name: worker, host: 'here', jobs: [] });
  await tick(pool, queue, clock);
  for (let n = 0; n < 20; n += 1) {
    const job = await queue.take(worker);
    if (job === undefined) break;
    const end = { run: null, exitCode: 0, message: null, next: null };
    if (await queue.finish(job, worker, end)) appendFileSync(file, `${job.workspace} ${job.pipeline}\n`);
  }
}
