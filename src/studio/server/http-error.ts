import { formatErrorNextStep, type Invocation } from '../../app/run/command-line.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { toFatalSystemError } from '../../storage/system-error.ts';
import type { RequestProblem, RequiredToken } from '../wire/problem.ts';

/** An error that refuses a request with an HTTP status; the page shows its message and the next step. */
export class HttpError extends Error {
  readonly status: number;
  readonly next: string | undefined;
  readonly needsToken: RequiredToken | undefined;

  constructor(
    status: number,
    message: string,
    { next, needsToken }: { next?: string; needsToken?: RequiredToken } = {},
  ) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.next = next;
    this.needsToken = needsToken;
  }
}

/**
 * Returns the status and body of the response for an error; the text of an unexpected one goes to `warn`, not to the
 * page.
 */
export function toErrorResponse(
  thrown: unknown,
  invocation: Invocation,
  warn: (text: string) => void,
): { readonly status: number; readonly problem: RequestProblem } {
  const error = toFatalSystemError(thrown) ?? thrown;
  if (error instanceof HttpError) {
    const { status, message, next, needsToken } = error;
    return { status, problem: { message, ...(next && { next }), ...(needsToken && { needsToken }) } };
  }
  if (error instanceof FatalError) {
    const next = formatErrorNextStep(error, invocation);
    return { status: 422, problem: { message: error.message, ...(next && { next }) } };
  }
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status === 413) return { status, problem: { message: 'This is too large to be sent.' } };
  if (status >= 400 && status < 500) return { status, problem: { message: 'The request cannot be read.' } };
  warn(error instanceof Error ? (error.stack ?? error.message) : String(error));
  const next = 'The terminal in which the studio runs says more.';
  return { status: 500, problem: { message: 'Something unexpected went wrong in the studio.', next } };
}
