import { resolveBaseUrl } from '../../app/run/target.ts';
import { AccessDeniedError } from '../../model/fatal-error.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  parseToken,
  systemClock,
  systemRandomness,
} from '../../workspace/index.ts';
import { HttpError } from './http-error.ts';

/** A workspace that has answered a request with this token. */
export interface ConnectedWorkspace {
  /** The base URL, normalised. */
  readonly workspace: string;
  readonly token: string;
}

/** The time limits (ms) for an answer, and for the attempts to reach a workspace that does not respond. */
const [answerMs, outageMs] = [15_000, 3_000];

/**
 * Sends one read, the list of users, to a workspace; a token that may not list them is accepted, too. Throws a
 * FatalError if the workspace does not answer or does not know the token, and an HttpError (422) if the answer is not
 * that of a workspace.
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
    limits: { ...defaultWorkspaceLimits, attempts: 2, outageMs, answerMs },
  });
  try {
    const answer = await workspace.users.list({ limit: 1 });
    if (answer.kind === 'ok') return { workspace: address, token };
  } catch (error) {
    // The token is valid, although it may not list the users; its other permissions show when they are needed.
    if (error instanceof AccessDeniedError) return { workspace: address, token };
    throw error;
  } finally {
    await workspace.close(0);
  }
  throw new HttpError(422, `${address} does not answer as a workspace does.`, {
    next: 'Check the address: it usually ends in /v1.',
  });
}
