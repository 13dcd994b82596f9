import { restAfter } from '../../app/status/look-at-run.ts';
import { systemClock } from '../../workspace/index.ts';

/** ms between two looks, where they are quick. */
const pace = 1_000;

/** What is seen, whenever it is not what was seen before; ends with what is the last of it, or when nobody hears it. */
export async function* whenOther<T>(
  look: () => T | Promise<T>,
  gone: AbortSignal,
  isLast: (seen: T) => boolean = () => false,
): AsyncGenerator<T> {
  for (let last = ''; !gone.aborted; ) {
    const at = systemClock.now();
    const seen = await look();
    const text = JSON.stringify(seen);
    if (text !== last) yield seen;
    if (isLast(seen)) return;
    last = text;
    await systemClock.sleep(restAfter(systemClock.now() - at, pace), gone);
  }
}
