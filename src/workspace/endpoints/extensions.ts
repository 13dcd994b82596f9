import { z } from 'zod';
import type { Answer } from '../../model/answer.ts';
import type { Identifier } from '../../model/identifier.ts';
import type { Method } from '../../model/ports.ts';
import { identifierSegment } from '../path.ts';
import type { Call, CallOptions, Endpoint } from './endpoint.ts';

/** A call on a contact that a workspace offers beyond the specification, as the user declares it. */
export interface Extension {
  readonly method: Method;
  /** Relative to the base URL: `/contact/{identifier}/tag`. */
  readonly path: string;
}

/**
 * The endpoint of an extension. Nobody says what it answers, so any JSON and an empty body will do; nor whether a second
 * sending has a second effect, so a lost answer is not answered by one. Made once: requests are counted by it.
 */
export function extensionEndpoint({ method, path }: Extension): Endpoint<unknown> {
  return {
    operation: 'extensions.call',
    method,
    template: path,
    idempotent: false,
    emptyPasses: true,
    response: z.unknown(),
  };
}

/** Calls beyond the specification. */
export interface ExtensionCalls {
  /** Sends the JSON body to the endpoint's path for that contact. */
  call(
    endpoint: Endpoint<unknown>,
    identifier: Identifier,
    body: unknown,
    options?: CallOptions,
  ): Promise<Answer<unknown>>;
}

export function extensionCalls(call: Call): ExtensionCalls {
  return {
    call(endpoint, identifier, body, options) {
      const segment = identifierSegment(identifier);
      const path = segment === null ? null : endpoint.template.replaceAll('{identifier}', segment);
      return call(endpoint, { path, body }, options);
    },
  };
}
