import { writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toFatalError } from '../../src/app/run/as-fatal.ts';
import { getErrorExitCode } from '../../src/app/run/exit-code.ts';
import { formatError } from '../../src/app/run/terminal/screen.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { toFatalSystemError } from '../../src/storage/system-error.ts';
import { usualInvocation } from '../invocation.ts';
import { folder } from '../sources/reading.ts';

const described = (error: unknown) => formatError(error, usualInvocation);

/** As Node throws it. */
function thrown(code: string, message = `${code}: something, open '/x'`): Error {
  return Object.assign(new Error(message), { code, path: '/x' });
}

const codes = [
  'ENAMETOOLONG',
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EACCES',
  'EROFS',
  'EIO',
  'SQLITE_FULL',
  'SQLITE_IOERR_WRITE',
];

test.each(codes)('%s is a sentence with a next step, and no stack', (code) => {
  const text = described(thrown(code));
  expect(text).toMatch(new RegExp(`^error: /x: .+ \\(${code}\\)\\.\n {2}.+\n {2}Then: npx longshore$`));
  expect(getErrorExitCode(thrown(code))).toBe(1);
  expect(toFatalError(thrown(code)).message).not.toContain('unexpected error');
});

test('a library that is built for another Node says so', () => {
  const message =
    "The module 'better_sqlite3.node' was compiled against a different Node.js version using NODE_MODULE_VERSION 108.";
  for (const error of [
    thrown('ERR_DLOPEN_FAILED', message),
    new Error('Could not locate the bindings file.'),
  ])
    expect(described(error)).toContain('npm rebuild better-sqlite3');
});

test('a path that is too long, as the system says it, is not printed whole', async () => {
  const path = join(folder(), 'x'.repeat(5_000));
  for (const attempt of [() => mkdir(path), async () => writeFileSync(path, '')]) {
    const error = await attempt().catch((reason: unknown) => reason);
    const text = described(error);
    expect(text).toContain('the path is longer than this system allows (ENAMETOOLONG)');
    expect(text.length).toBeLessThan(600);
  }
});

test('any other error is left as it is', () => {
  expect(toFatalSystemError(new TypeError('x is not a function'))).toBeUndefined();
  expect(toFatalSystemError(new FatalError('usage', 'x'))).toBeUndefined();
  expect(described(new TypeError('x is not a function'))).toContain('unexpected error');
});
