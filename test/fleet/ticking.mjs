// Ticks, takes jobs and settles them without end, until it is killed; prints a line for each thing that it has done.
import { writeSync } from 'node:fs';
import { connectDatabase } from '../../dist/fleet/database/connect.js';
import { openJobQueue } from '../../dist/fleet/queue/queue.js';
import { saveHeartbeat } from '../../dist/fleet/queue/worker-record.js';
import { runSchedulerTick } from '../../dist/fleet/schedule/ticker.js';

const [url, worker, now] = process.argv.slice(2);
const say = (text) => writeSync(1, `${text}\n`);
const pool = await connectDatabase(url);
const queue = await openJobQueue(pool);
const clock = () => Promise.resolve(Number(now));
const end = { run: null, exitCode: 0, message: null, next: null };
for (;;) {
  await saveHeartbeat(pool, { name: worker, host: 'here', jobs: [] });
  say('beat');
  await runSchedulerTick(pool, queue, clock);
  say('ticked');
  for (let n = 0; n < 5; n += 1) {
    const job = await queue.take(worker);
    if (job === undefined) break;
    say('taken');
    if (await queue.finish(job, worker, end)) say(`settled ${job.workspace}`);
  }
}
