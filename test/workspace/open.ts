import type { Transport, TransportRequest, TransportResponse } from '../../src/model/ports.ts';
import {
  defaultWorkspaceLimits,
  type OpenWorkspaceOptions,
  openWorkspace,
  type Workspace,
} from '../../src/workspace/index.ts';
import { seeded } from './seeded.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A workspace on a virtual clock whose every request is answered by a function. */
export function openOn(
  send: (request: TransportRequest) => Promise<TransportResponse>,
  options: Partial<OpenWorkspaceOptions> = {},
): { readonly workspace: Workspace; readonly clock: VirtualClock; readonly stop: AbortController } {
  const clock = new VirtualClock();
  const stop = new AbortController();
  const transport: Transport = { send, close: () => Promise.resolve() };
  const workspace = openWorkspace({
    baseUrl: 'https://workspace.test/v1',
    token: 'a-token-for-tests',
    limits: defaultWorkspaceLimits,
    clock,
    randomness: seeded(7),
    signal: stop.signal,
    transport,
    ...options,
  });
  return { workspace, clock, stop };
}

/** An answer with a JSON body. */
export function answer(status: number, body: unknown, retryAfter?: number): TransportResponse {
  return { status, retryAfter, body: JSON.stringify(body) };
}

/** An error answer as the specification writes it. */
export function errorAnswer(status: number, message: string): TransportResponse {
  return answer(status, { code: status, message });
}

/** An empty list, which is also what every probe is glad of. */
export const emptyPage = answer(200, { items: [], pagination: { next: '', previous: '' } });
