import { FatalError } from '../model/fatal-error.ts';
import { tryParseUrl } from '../model/parse-url.ts';

/** A parsed base URL: its origin, and the path that precedes every endpoint's. */
export interface BaseUrlParts {
  readonly origin: string;
  /** Begins with a slash and does not end with one; empty where the base URL has no path. */
  readonly prefix: string;
}

/**
 * Parses a base URL: https, or http to loopback only; no user, query or fragment. Throws a FatalError 'usage' that
 * never quotes the text, because a token may be in it by mistake.
 */
export function parseBaseUrl(text: string): BaseUrlParts {
  const trimmed = text.trim();
  const url = tryParseUrl(trimmed);
  if (url === undefined) {
    throw usage('The base URL of the workspace is not a URL. It looks like https://host/v1.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw usage('The base URL of the workspace must begin with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw usage('The base URL of the workspace has a user or a password. Leave both out.');
  }
  if (trimmed.includes('?') || trimmed.includes('#')) {
    throw usage(
      'The base URL of the workspace has a "?" or a "#". It must end with its path, such as https://host/v1.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw usage(
      'The base URL of the workspace is http, and its host is not this machine. Use https, or http to 127.0.0.1, [::1] or localhost.',
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}

/** Trims a token and checks that a header can carry it; throws a FatalError 'usage' that never quotes it. */
export function parseToken(text: string): string {
  const token = text.trim();
  if (token === '') throw usage('The token of the workspace is empty.');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw usage(
      'The token of the workspace has a space, a line break or a character that is not ASCII. Copy it again.',
    );
  }
  return token;
}

/** Returns true for a host of this machine, as the URL parser writes it: IPv4 addresses always in dotted decimal. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function usage(message: string): FatalError {
  return new FatalError('usage', message);
}
