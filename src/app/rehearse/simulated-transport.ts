import type { Transport, TransportRequest } from '../../model/ports.ts';
import type { JumpingClock } from './jumping-clock.ts';

/** Sends to a local workspace, whose answers take as long as those of another one by the clock. */
export function simulatedTransport(
  local: Transport,
  clock: JumpingClock,
  answerMs: (request: string) => number,
): Transport {
  return {
    async send(request, wanted) {
      const response = await clock.still(() => local.send(request, wanted));
      await clock.sleep(answerMs(requestName(request)));
      return response;
    },
    close: () => local.close(),
  };
}

/** Method and path template, as requests are counted. */
function requestName({ method, path }: TransportRequest): string {
  return `${method} ${path.replace(/\/(?:id|email|phone):[^/]+/, '/{identifier}')}`;
}
