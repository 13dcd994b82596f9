import { closeSync, existsSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { atSite } from '../cli/site.ts';
import { run } from './command.ts';

const full = '/dev/full';

/** Runs the command with a standard output that is full. */
async function runIntoFull(args: readonly string[], env: Record<string, string> = {}) {
  const stdout = openSync(full, 'w');
  try {
    return await run(args, env, undefined, undefined, stdout);
  } finally {
    closeSync(stdout);
  }
}

describe.skipIf(!existsSync(full))('a result that could not be written is no success', () => {
  it.each([['--json'], []])('of an import (%s)', (...flags) =>
    atSite({ rows: 3 }, async ({ people, sandbox, workDir, token, expectExact, longshore }) => {
      const command = ['import', people.pipeline, '--workspace', sandbox.baseUrl, ...flags];
      const ended = await runIntoFull([...command, '--work-dir', workDir], { LONGSHORE_TOKEN: token });
      expect(ended.code).toBe(1);
      expect(ended.stderr).toMatch(/^error: standard output could not be written: ENOSPC/m);
      // What was done is done, and said to whoever asks again.
      expectExact();
      expect(JSON.parse((await longshore(['status', '--json'])).stdout)).toMatchObject({ exitCode: 0 });
    }),
  );

  it.each([
    { line: 'runs --work-dir none', code: 2 },
    { line: 'schema mapping', code: 1 },
    { line: '--help', code: 1 },
    { line: '--version', code: 1 },
  ])('of longshore $line', async ({ line, code }) => {
    expect(await runIntoFull(line.split(' '))).toMatchObject({ code });
  });
});
