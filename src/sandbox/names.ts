import type { IncomingHttpHeaders } from 'node:http';
import { isIPv6 } from 'node:net';
import type { SandboxSettings } from './options.ts';

/** The hosts that URLs use in place of the wildcard addresses, which mean every address of the machine. */
const anyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** Returns the host names under which a sandbox answers: those of this machine, its address, and `allowedHosts`. */
export function listHostNames({ host, allowedHosts }: SandboxSettings): ReadonlySet<string> {
  const names = ['localhost', '127.0.0.1', '[::1]', toUrlHost(host), ...allowedHosts];
  return new Set(names.map((name) => name.toLowerCase()));
}

/** Returns the host of a URL by which this machine reaches an address: loopback for a wildcard address. */
export function toUrlHost(host: string): string {
  return anyAddress[host] ?? (isIPv6(host) ? `[${host}]` : host);
}

/** Returns true for a name that a Host header can have, without its port. */
export function isHostName(text: string): boolean {
  return /^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(text);
}

/** Returns true for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

/**
 * Returns the reason to refuse a request of a foreign web page; undefined for any other request. A page can reach this
 * server under another host name (Host) or across sites (Origin, Sec-Fetch-Site), and browsers send such requests
 * unasked.
 */
export function findCrossSiteReason(
  names: ReadonlySet<string>,
  headers: IncomingHttpHeaders,
): string | undefined {
  const { host = '', origin } = headers;
  const name = /^(.+?)(?::\d{1,5})?$/.exec(host)?.[1] ?? '';
  if (!names.has(name.toLowerCase())) return 'Only for 127.0.0.1, localhost and the names of --allow-host.';
  const site = headers['sec-fetch-site'];
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  const sameOrigin = origin === undefined || origin.toLowerCase() === `http://${host.toLowerCase()}`;
  return sameSite && sameOrigin ? undefined : 'Not for web pages of other sites.';
}
