import { describe, expect, it } from 'vitest';
import { FatalError } from '../../src/model/fatal-error.ts';
import { openOn } from './open.ts';

function refusal(baseUrl: string, token = 'a-token'): FatalError {
  try {
    openOn(() => Promise.reject(new Error('nothing is sent')), { baseUrl, token });
  } catch (error) {
    if (error instanceof FatalError) return error;
    throw error;
  }
  throw new Error(`accepted ${baseUrl}`);
}

describe('the base URL', () => {
  it.each([
    ['https://host.test/v1', 'https://host.test/v1'],
    ['https://host.test/v1/', 'https://host.test/v1'],
    ['  https://HOST.test:443/api/v1//  ', 'https://host.test/api/v1'],
    ['https://host.test', 'https://host.test'],
    ['http://127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
    ['http://127.9.9.9/v1', 'http://127.9.9.9/v1'],
    ['http://localhost:8080/v1', 'http://localhost:8080/v1'],
    ['http://[::1]:8080/v1', 'http://[::1]:8080/v1'],
  ])('%s is understood as %s', (baseUrl, understood) => {
    const { workspace } = openOn(() => Promise.reject(new Error('nothing is sent')), { baseUrl });
    expect(workspace.baseUrl).toBe(understood);
  });

  it.each([
    ['http://host.test/v1', /https/],
    ['http://localhost.evil.test/v1', /not this machine/],
    ['http://127.0.0.1.evil.test/v1', /not this machine/],
    ['http://10.0.0.1/v1', /not this machine/],
    ['http://0.0.0.0/v1', /not this machine/],
    ['ftp://127.0.0.1/v1', /https/],
    ['file:///etc/passwd', /https/],
    ['host.test/v1', /not a URL/],
    ['', /not a URL/],
    ['https://me:sekret@host.test/v1', /user or a password/],
    ['https://sekret@host.test/v1', /user or a password/],
    ['https://host.test/v1?token=sekret', /"\?"/],
    ['https://host.test/v1?', /"\?"/],
    ['https://host.test/v1#sekret', /"#"/],
  ])('%s is refused', (baseUrl, reason) => {
    const error = refusal(baseUrl);
    expect(error.reason).toBe('usage');
    expect(error.message).toMatch(reason);
    expect(error.message).not.toContain('sekret');
  });
});

describe('the token', () => {
  it.each([
    ['empty', '', /empty/],
    ['blank', ' \n', /empty/],
    ['of two lines', 'sek\nret', /line break/],
    ['with a carriage return', 'sek\rret', /line break/],
    ['of two words', 'sek ret', /space/],
    ['with a letter beyond ASCII', 'sekrét', /ASCII/],
    ['with a control character', 'sek\u0000ret', /ASCII/],
  ])('is refused when it is %s', (_name, token, reason) => {
    const error = refusal('https://host.test/v1', token);
    expect(error.reason).toBe('usage');
    expect(error.message).toMatch(reason);
    expect(error.message).not.toContain('sek');
  });
});
