import type { Answer } from '../model/answer.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { Clock, Randomness, TransportRequest } from '../model/ports.ts';
import { backoffMs } from './backoff.ts';
import type { CallOptions, CallRequest, Endpoint } from './endpoints/endpoint.ts';
import { probeEndpoint } from './endpoints/users.ts';
import { Outage, type WorkspaceEvent } from './outage.ts';
import { RequestCounter, type RequestCounts } from './request-counts.ts';
import type { Slot, Throttle } from './throttle.ts';
import { type ReadBody, type Received, type Verdict, verdict } from './verdict.ts';
import type { Wire } from './wire.ts';
import { isListOfWorkspace, wrongAddress } from './wrong-address.ts';

export interface ClientOptions {
  /** For people: the address that is wrong where no workspace answers. */
  readonly baseUrl: string;
  readonly throttle: Throttle;
  readonly wire: Wire;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Attempts per request while the workspace answers others. */
  readonly attempts: number;
  readonly outageMs: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: WorkspaceEvent) => void;
  /** Taken out of every text that leaves the client. */
  readonly secret: string;
}

/** One request on its way, with what all of its attempts share. */
interface Delivery<T> {
  readonly request: TransportRequest;
  readonly bucket: string;
  readonly idempotent: boolean;
  readonly urgent: boolean;
  /** It asks whether an outage is over, and leaves in spite of it. */
  readonly probe: boolean;
  /** Every workspace has it. */
  readonly everywhere: boolean;
  readonly read: ReadBody<T>;
  readonly emptyPasses: boolean;
  readonly counts: RequestCounts;
  /** Left before: goes to the front of its bucket. */
  again: boolean;
}

/** What is left when nothing is to be tried again. */
type Final<T> = Exclude<Verdict<T>, { kind: 'limited' } | { kind: 'retry' }>;

/** Sends requests until there is an answer to give: paced, retried where that is safe, held back in an outage. */
export class Client {
  readonly counter = new RequestCounter();
  readonly #options: ClientOptions;
  readonly #outage: Outage;
  #tokenCheck: Promise<boolean> | undefined;
  /** Whether a workspace has answered: then the base URL is right. */
  #isThere = false;

  constructor(options: ClientOptions) {
    this.#options = options;
    const { outageMs, clock, randomness, signal, onEvent } = options;
    this.#outage = new Outage({ outageMs, clock, randomness, signal, onEvent, probe: () => this.#probe() });
  }

  /**
   * Calls an endpoint. Throws a FatalError where the token is refused or the workspace stays out of reach, and rejects
   * with the signal's reason when the run was stopped; then nothing that must not be sent twice has left for this call.
   */
  async call<T>(endpoint: Endpoint<T>, request: CallRequest, options?: CallOptions): Promise<Answer<T>> {
    if (request.path === null) return unsendable;
    const delivery = this.#delivery(endpoint, request.path, request, options);
    const final = await this.#deliver({ ...delivery, everywhere: isListOfWorkspace(endpoint) });
    switch (final.kind) {
      case 'settled':
        return this.#scrubbed(final.answer);
      case 'unauthorized':
        throw this.#unauthorized(401, final.message);
      case 'forbidden':
        if (!(await this.#tokenPasses())) throw this.#unauthorized(403, final.message);
        return this.#scrubbed({ kind: 'refused', status: 403, message: final.message });
    }
  }

  #delivery<T>(
    endpoint: Endpoint<T>,
    path: string,
    { query, body }: { readonly query?: string; readonly body?: unknown },
    options: CallOptions | undefined,
    probe = false,
  ): Delivery<T> {
    const { method } = endpoint;
    return {
      request: {
        method,
        path,
        query: query ?? '',
        body: body === undefined ? undefined : JSON.stringify(body),
      },
      bucket: `${method} ${path}`,
      idempotent: options?.idempotent ?? endpoint.idempotent,
      urgent: options?.urgent ?? false,
      probe,
      everywhere: false,
      read: reader(endpoint),
      emptyPasses: endpoint.emptyPasses ?? false,
      counts: this.counter.of(endpoint),
      again: false,
    };
  }

  async #deliver<T>(delivery: Delivery<T>): Promise<Final<T>> {
    const { attempts, randomness, clock, signal } = this.#options;
    let answersBefore = this.#outage.answers;
    let counted = 0;
    let silent = 0;
    for (;;) {
      const result = await this.#attempt(delivery);
      delivery.again = true;
      if (result.kind === 'limited') continue;
      if (result.kind !== 'retry') return result;
      // An attempt counts against this request only where the workspace has answered anybody since the one before.
      if (this.#outage.answers !== answersBefore) counted += 1;
      else silent += 1;
      answersBefore = this.#outage.answers;
      if (counted >= attempts) {
        return {
          kind: 'settled',
          through: result.through,
          answer: { kind: 'unknown', message: result.message },
        };
      }
      delivery.counts.retried += 1;
      const wait = Math.max(backoffMs(counted || silent, randomness), (result.waitSeconds ?? 0) * 1000);
      await clock.sleep(wait, signal);
      // With nobody else to learn it from, ask: is it this request, or everything?
      if (silent >= attempts && this.#outage.open) await this.#outage.ask();
    }
  }

  async #attempt<T>(delivery: Delivery<T>): Promise<Verdict<T>> {
    const { throttle, clock, wire } = this.#options;
    const { request, bucket, again, probe, urgent, idempotent, read, emptyPasses, counts } = delivery;
    for (;;) {
      if (!probe && !this.#outage.open) await this.#outage.pass();
      const taken = throttle.take(bucket, again || probe);
      // A free slot is there at once: an await for nothing would cost every request a turn.
      const slot = taken instanceof Promise ? await taken : taken;
      let sentAt = 0;
      const leave = () => {
        if (!probe && !this.#outage.open) return false;
        sentAt = clock.now();
        throttle.sent(slot);
        counts.sent += 1;
        return true;
      };
      const received = await wire.send(request, urgent, leave);
      if (received === undefined) {
        throttle.giveBack(slot);
        continue;
      }
      const result = verdict(received, idempotent, read, emptyPasses);
      this.#note(result, received, slot, sentAt, counts);
      const astray =
        delivery.everywhere && !this.#isThere
          ? wrongAddress(received, request, this.#options.baseUrl)
          : undefined;
      if (astray !== undefined) throw astray;
      return result;
    }
  }

  #note<T>(result: Verdict<T>, received: Received, slot: Slot, sentAt: number, counts: RequestCounts): void {
    const { throttle } = this.#options;
    if (result.kind === 'limited') {
      counts.limited += 1;
      throttle.limited(slot, result.waitSeconds === undefined ? undefined : result.waitSeconds * 1000);
    } else if (result.kind === 'settled') {
      if (result.answer.kind === 'ok') {
        counts.ok += 1;
        this.#isThere = true;
      } else if (result.answer.kind === 'queued') counts.queued += 1;
    }
    throttle.answered(slot);
    if (result.through) this.#outage.answered();
    else
      this.#outage.failed(sentAt, received instanceof Error ? received.message : `status ${received.status}`);
  }

  async #probe(): Promise<boolean> {
    const result = await this.#attempt(
      this.#delivery(probeEndpoint, probeEndpoint.template, { query: 'limit=1' }, undefined, true),
    );
    return result.through;
  }

  /** Whether the token passes where every token must; asked once for all who wonder at the same time. */
  async #tokenPasses(): Promise<boolean> {
    this.#tokenCheck ??= this.#deliver(
      this.#delivery(probeEndpoint, probeEndpoint.template, { query: 'limit=1' }, undefined),
    )
      .then((final) => final.kind === 'settled' && final.answer.kind === 'ok')
      .finally(() => {
        this.#tokenCheck = undefined;
      });
    return this.#tokenCheck;
  }

  #unauthorized(status: number, message: string): FatalError {
    return new FatalError(
      'unauthorized',
      `The workspace refused the token (${status} ${this.#scrub(message)}).`,
      {
        next: 'Check the token in the workspace settings, under integrations, developer API.',
      },
    );
  }

  #scrubbed<T>(answer: Answer<T>): Answer<T> {
    if (answer.kind === 'ok') return answer;
    return { ...answer, message: this.#scrub(answer.message) };
  }

  #scrub(text: string): string {
    return text.replaceAll(this.#options.secret, '***');
  }
}

const unsendable: Answer<never> = {
  kind: 'refused',
  status: 400,
  message: 'The identifier holds half of a surrogate pair and cannot be sent. Nothing was sent.',
};

/** Checks a body against the endpoint's schema, and says in a sentence what does not fit. */
function reader<T>(endpoint: Endpoint<T>): ReadBody<T> {
  return (body) => {
    const result = endpoint.response.safeParse(body);
    if (result.success) return { value: result.data };
    const issue = result.error.issues[0];
    const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.');
    return { misfit: `${where}: ${issue?.message ?? 'unknown'}` };
  };
}
