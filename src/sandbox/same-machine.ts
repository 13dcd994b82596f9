import type { IncomingHttpHeaders } from 'node:http';

const ownNames = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request comes from elsewhere, undefined for a program of this machine. A web page reaches loopback ports too,
 * under a name of its own (Host) or across sites (Origin, Sec-Fetch-Site), and browsers let it send before they ask.
 */
export function fromElsewhere(headers: IncomingHttpHeaders): string | undefined {
  const { host = '', origin } = headers;
  if (!ownNames.test(host)) return 'Only for 127.0.0.1 and localhost.';
  const site = headers['sec-fetch-site'];
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  const sameOrigin = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  return sameSite && sameOrigin ? undefined : 'Not for web pages of other sites.';
}
