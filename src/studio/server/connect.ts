import { resolveBaseUrl } from '../../app/run/target.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  parseToken,
  systemClock,
  systemRandomness,
} from '../../workspace/index.ts';
import { HttpError } from './http-error.ts';

/** A workspace that answered with this token. */
export interface ConnectedWorkspace {
  /** The base URL, normalised. */
  readonly workspace: string;
  readonly token: string;
}

/** For how long (ms) the page waits for a workspace that does not answer. */
const patienceMs = 15_000;

/**
 * Sends one read, the list of users, to a workspace. Throws a FatalError if it does not answer or refuses the token, and a
 * HttpError (422) if it is no such workspace.
 */
export async function testWorkspaceConnection(
  baseUrl: string,
  typedToken: string,
): Promise<ConnectedWorkspace> {
  const missing = { message: 'The address of the workspace is empty.', next: 'Type it: https://…/v1' };
  const address = resolveBaseUrl([{ from: 'the address', text: baseUrl }], missing);
  const token = parseToken(typedToken);
  const workspace = openWorkspace({
    ...{ baseUrl: address, token, clock: systemClock, randomness: systemRandomness },
    ...{ signal: new AbortController().signal, unanswered: 'give up' as const },
    limits: { ...defaultWorkspaceLimits, attempts: 2, outageMs: patienceMs, answerMs: patienceMs },
  });
  try {
    const answer = await workspace.users.list({ limit: 1 });
    // A token that may not list the users reaches the workspace all the same.
    if (answer.kind === 'ok' || answer.kind === 'refused') return { workspace: address, token };
  } finally {
    await workspace.close(0);
  }
  throw new HttpError(422, `${address} does not answer as a workspace does.`, {
    next: 'Check the address: it usually ends in /v1.',
  });
}
