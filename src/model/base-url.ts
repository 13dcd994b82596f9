import { tryParseUrl } from './parse-url.ts';

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/**
 * Returns true if a text can be the base address of a workspace: https, or http to this machine, without a user name.
 */
export function isBaseUrl(text: string): boolean {
  const url = tryParseUrl(text);
  if (url === undefined) return false;
  const { protocol, hostname, username } = url;
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname)));
}

/** The error message for a text that `isBaseUrl` refuses. */
export const invalidBaseUrlMessage =
  'this is not an https address without user name, such as https://api.example.com/v1 (http is allowed only for this machine)';

/** Matches the name of an environment variable. */
export const variableNamePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The error message for a text that is not the name of an environment variable. */
export const invalidVariableNameMessage =
  'the name of an environment variable is expected here, not the token itself';
