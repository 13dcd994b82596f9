import { systemClock } from '../../workspace/index.ts';
import type { JobMessage, WorkerMessage } from './messages.ts';
import { JobControl } from './orders.ts';
import { runJobInThisProcess } from './perform.ts';

// Signals to the process group are for the worker, which stops its jobs by messages.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// Without the worker the lease is not renewed; a job may be killed at any time.
process.once('disconnect', () => process.exit(1));

let sent = Promise.resolve();
let orders: JobControl | undefined;

function send(message: JobMessage): void {
  sent = new Promise((resolve) => process.send?.(JSON.stringify(message), () => resolve()));
}

process.on('message', async (text) => {
  const message: WorkerMessage = JSON.parse(String(text));
  if (message.kind !== 'job') {
    orders?.take(message);
    return;
  }
  orders = new JobControl(message.order.lease, systemClock);
  const end = await runJobInThisProcess(message.order, orders, send);
  send({ kind: 'ended', end });
  // Messages are sent in order: once the last one is sent, all are.
  await sent;
  process.exit(0);
});
