/** An error answer (specification: Errors); thrown by rules and routes. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The reason, for the request log and for `explain`; the specification's texts do not have it. */
  readonly reason: string | undefined;

  constructor(
    status: number,
    message: string,
    more: { headers?: Readonly<Record<string, string>>; reason?: string } = {},
  ) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.headers = more.headers ?? {};
    this.reason = more.reason;
  }
}

export function createValidationRefusal(reason: string): Refusal {
  return new Refusal(400, 'Validation error.', { reason });
}

export function createUnauthorizedRefusal(): Refusal {
  return new Refusal(401, 'UN_AUTHORIZED');
}

export function createForbiddenRefusal(): Refusal {
  return new Refusal(403, 'Forbidden');
}

export function createNotFoundRefusal(message = 'Contact not found'): Refusal {
  return new Refusal(404, message);
}

export function createQueuedRefusal(): Refusal {
  return new Refusal(
    449,
    'The request cannot be processed now because the contact is queued. Please try again in a few minutes.',
  );
}

export function createRateLimitRefusal(limit: number, retryAfter: number): Refusal {
  return new Refusal(429, 'Too Many Requests', {
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

export function createServerErrorRefusal(status: number): Refusal {
  return new Refusal(status, faultTexts[status] ?? 'Unexpected error occurred');
}
