import type { TransportRequest, TransportResponse } from '../../src/model/ports.ts';
import type { Workspace } from '../../src/workspace/index.ts';
import { answer, errorAnswer, openOn } from '../workspace/open.ts';
import type { VirtualClock } from '../workspace/virtual-clock.ts';

export interface Sent {
  readonly request: string;
  readonly body: unknown;
}

/** A workspace that answers by a table of `<METHOD> <path>`, 404 for what is not in it, and keeps what was sent. */
export function answering(answers: Readonly<Record<string, TransportResponse>>): {
  readonly workspace: Workspace;
  readonly clock: VirtualClock;
  readonly sent: Sent[];
} {
  const sent: Sent[] = [];
  const send = (request: TransportRequest): Promise<TransportResponse> => {
    const key = `${request.method} ${decodeURIComponent(request.path)}`;
    sent.push({ request: key, body: request.body === undefined ? undefined : JSON.parse(request.body) });
    return Promise.resolve(answers[key] ?? errorAnswer(404, 'Contact not found'));
  };
  return { ...openOn(send), sent };
}

export { answer, errorAnswer };
