/** An error answer (specification: Errors); thrown by rules and routes. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The detailed reason, for the request log and the setting `explain`; the messages of the specification do not state
   * it.
   */
  readonly reason: string | undefined;

  constructor(
    status: number,
    message: string,
    more: { headers?: Readonly<Record<string, string>>; reason?: string } = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.headers = more.headers ?? {};
    this.reason = more.reason;
  }
}

export function createValidationError(reason: string): ApiError {
  return new ApiError(400, 'Validation error.', { reason });
}

export function createUnauthorizedError(): ApiError {
  return new ApiError(401, 'UN_AUTHORIZED');
}

export function createForbiddenError(): ApiError {
  return new ApiError(403, 'Forbidden');
}

export function createNotFoundError(message = 'Contact not found'): ApiError {
  return new ApiError(404, message);
}

export function createQueuedError(): ApiError {
  return new ApiError(
    449,
    'The request cannot be processed now because the contact is queued. Please try again in a few minutes.',
  );
}

export function createRateLimitError(limit: number, retryAfter: number): ApiError {
  return new ApiError(429, 'Too Many Requests', {
    headers: {
      'retry-after': String(retryAfter),
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
    },
  });
}

const faultTexts: Readonly<Record<number, string>> = {
  500: 'Unexpected error occurred',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

export function createServerError(status: number): ApiError {
  return new ApiError(status, faultTexts[status] ?? 'Unexpected error occurred');
}
