import { createSimulatedTransport } from '../../../src/app/rehearse/local-copy.ts';
import { SimulatedClock } from '../../../src/app/rehearse/simulated-clock.ts';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import {
  createPoolTransport,
  defaultWorkspaceLimits,
  openWorkspace,
  parseBaseUrl,
  systemClock,
  systemRandomness,
  type Workspace,
} from '../../../src/workspace/index.ts';

/** A client with the usual limits of a sandbox that takes 200 ms for each answer, by a clock that jumps over waits. */
export interface SlowWorkspace {
  readonly workspace: Workspace;
  readonly clock: SimulatedClock;
  /** How many requests were under way at once at the most. */
  readonly peak: () => number;
}

export function slowWorkspace(sandbox: Sandbox, signal: AbortSignal): SlowWorkspace {
  const clock = new SimulatedClock({ real: systemClock, speed: undefined });
  const { baseUrl } = sandbox;
  const local = createPoolTransport({
    ...{ address: parseBaseUrl(baseUrl), token: 'sandbox', connections: 512 },
    ...{ connectMs: 15_000, clock: systemClock },
  });
  const transport = createSimulatedTransport(local, clock, () => 200);
  let [underWay, peak] = [0, 0];
  const workspace = openWorkspace({
    ...{ baseUrl, token: 'sandbox', clock, signal, randomness: systemRandomness },
    limits: { ...defaultWorkspaceLimits, perPath: { count: 1_000, ms: 1_000 } },
    transport: {
      async send(request, over) {
        underWay += 1;
        peak = Math.max(peak, underWay);
        return await transport.send(request, over).finally(() => {
          underWay -= 1;
        });
      },
      close: () => transport.close(),
    },
  });
  return { workspace, clock, peak: () => peak };
}
