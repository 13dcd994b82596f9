import { systemClock } from '../../workspace/index.ts';
import type { FromJob, ToJob } from './messages.ts';
import { Orders } from './orders.ts';
import { performJob } from './perform.ts';

// What is wanted of a job its worker says: a signal that goes to all processes of a group is the worker's.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// A worker that is gone renews no lease, and to be killed is safe at any time.
process.once('disconnect', () => process.exit(1));

let said = Promise.resolve();
let orders: Orders | undefined;

function say(message: FromJob): void {
  said = new Promise((resolve) => process.send?.(JSON.stringify(message), () => resolve()));
}

process.on('message', async (text) => {
  const message: ToJob = JSON.parse(String(text));
  if (message.kind !== 'job') {
    orders?.take(message);
    return;
  }
  orders = new Orders(message.order.lease, systemClock);
  const end = await performJob(message.order, orders, say);
  say({ kind: 'ended', end });
  // They arrive in their order: with the last one all have.
  await said;
  process.exit(0);
});
