import { FatalError } from '../model/fatal-error.ts';
import type { Endpoint } from './endpoints/endpoint.ts';
import type { AttemptResult } from './verdict.ts';

/**
 * Returns true for a list endpoint without path parameters: every workspace has it, so a 404 means a wrong base URL.
 */
export function isUniversalListEndpoint({ operation, template }: Endpoint<unknown>): boolean {
  return operation.endsWith('.list') && !template.includes('{');
}

/**
 * Returns the FatalError('usage') for an answer to a universal list endpoint that shows a wrong base URL; undefined
 * where the answer may be a workspace's.
 */
export function toWrongBaseUrlError(
  received: AttemptResult,
  { method, path }: { readonly method: string; readonly path: string },
  baseUrl: string,
): FatalError | undefined {
  if (received instanceof Error || !isElsewhere(received, /\/v\d+$/.test(baseUrl))) return undefined;
  const { status } = received;
  const answer = status >= 200 && status < 300 ? `${status} without JSON` : status;
  const question = baseUrl.endsWith('/v1') ? 'is the base URL right?' : 'does the base URL end in /v1?';
  return new FatalError('usage', `${answer} from ${method} ${baseUrl}${path}: ${question}`, {
    next: 'Set the base URL of the workspace (https://host/v1): --workspace URL, workspace.baseUrl in the pipeline, or LONGSHORE_BASE_URL.',
  });
}

function isElsewhere({ status, body }: { status: number; body: string }, isVersioned: boolean): boolean {
  if (status === 404) return true;
  if (isVersioned) return false;
  return (status >= 200 && status < 300 && !isJson(body)) || (status >= 300 && status < 400);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
