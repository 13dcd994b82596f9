import { AccessDeniedError } from '../model/fatal-error.ts';
import { type Operation, OperationMap } from './by-operation.ts';

/** The number of 403 answers after which no request of that kind is sent any more, unless one was accepted before. */
const tries = 5;

interface Waiter {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * The permission of the token for one kind of request (method and path template), as the answers of this session show
 * it. Until a request ends without a 403, pending and refused requests together are at most five. After a 403, that
 * limit stays until the workspace accepts a request.
 */
export class PermissionGate {
  readonly #kind: string;
  /** True once an attempt ended with anything other than a 403, even without an answer. */
  #heard = false;
  #passed = false;
  #denied = 0;
  #trying = 0;
  #error: AccessDeniedError | undefined;
  #waiting: Waiter[] = [];

  constructor(kind: string) {
    this.#kind = kind;
  }

  /**
   * Admits a request: now (undefined), or when the promise resolves. It rejects where the permission is missing, and
   * with the signal's reason after a stop.
   */
  enter(signal: AbortSignal): Promise<void> | undefined {
    if (this.#error?.final === true) return Promise.reject(this.#error);
    this.#trying += 1;
    if (this.#isFree() || this.#denied + this.#trying <= tries) return undefined;
    this.#trying -= 1;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      else this.#waiting.push({ resolve, reject });
    });
  }

  /** Records that an attempt ended with something other than a 403, and admits waiting requests. */
  hear(): void {
    if (this.#heard) return;
    this.#heard = true;
    this.#serve();
  }

  /**
   * Records that the workspace accepted a request: from now on a 403 is a refusal of one request and not of the token.
   */
  pass(): void {
    this.#passed = true;
    this.#serve();
  }

  /** Records that an admitted request has ended. */
  leave(): void {
    this.#trying -= 1;
    this.#serve();
  }

  /** Records a 403 and returns its error; returns undefined where a request of this kind was accepted before. */
  deny(message: string): AccessDeniedError | undefined {
    if (this.#passed) return undefined;
    this.#denied += 1;
    const final = this.#denied >= tries;
    this.#error = new AccessDeniedError(
      `403: the token lacks permission for ${this.#kind}${message === '' ? '' : ` (${message})`}.`,
      {
        final,
        next: 'Give the token this permission in the workspace settings: Integrations, Developer API.',
      },
    );
    if (final) this.rejectAll(this.#error);
    return this.#error;
  }

  rejectAll(reason: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
  }

  #isFree(): boolean {
    return this.#passed || (this.#heard && this.#denied === 0);
  }

  #serve(): void {
    while (this.#waiting.length > 0 && (this.#isFree() || this.#denied + this.#trying < tries)) {
      this.#trying += 1;
      this.#waiting.shift()?.resolve();
    }
  }
}

/** The permissions of the token by kind of request. */
export class PermissionGateMap {
  readonly #byKind = new OperationMap((kind) => new PermissionGate(kind));

  constructor(signal: AbortSignal) {
    signal.addEventListener('abort', () => {
      for (const [, permission] of this.#byKind.entries()) permission.rejectAll(signal.reason);
    });
  }

  of(endpoint: Operation): PermissionGate {
    return this.#byKind.of(endpoint);
  }
}
