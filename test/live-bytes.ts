import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

/** The bytes that this process holds on to: its heap and buffers, without garbage. */
export function liveBytes(): number {
  // The second collection ends what the first one does beside the program.
  for (let time = 0; time < 2; time += 1) if (typeof collectGarbage === 'function') collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
