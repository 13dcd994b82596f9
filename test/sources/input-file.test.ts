import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spoolPipe } from '../../src/sources/input-file.ts';
import { file, folder, never, open, readingOf, refusal } from './reading.ts';

test('a missing file names the files beside it', async () => {
  const path = file('a\n1\n', 'contacts.csv');
  const error = await refusal(open(`${path}x`).inspect(never));
  expect(error.next).toContain('contacts.csv');
  expect(error.place?.file).toBe(`${path}x`);
});

test.skipIf(process.getuid?.() === 0)(
  'a file that may not be read is refused with the right command',
  async () => {
    const path = file('a\n1\n');
    chmodSync(path, 0);
    const error = await refusal(open(path).inspect(never));
    expect(error.message).toContain('may not be read');
  },
);

test.skipIf(process.platform === 'win32')(
  'a pipe is copied first, closed to others, and can then be read again',
  async () => {
    const spoolDir = join(folder(), 'spool');
    const pipe = join(folder(), 'pipe');
    execFileSync('sh', ['-c', `mkfifo "${pipe}"`]);
    const writer = spawn('sh', ['-c', `printf 'a,b\\n1,2\\n3,4\\n' > "${pipe}"`]);
    const source = open(pipe, {}, 'csv', spoolDir);
    expect((await readingOf(source)).cells).toHaveLength(2);
    expect((await readingOf(source)).cells).toHaveLength(2);
    expect(writer.exitCode).toBe(0);
    const [copy, ...more] = readdirSync(spoolDir);
    expect(more).toEqual([]);
    expect(statSync(join(spoolDir, copy ?? '')).mode & 0o777).toBe(0o600);
    expect(statSync(spoolDir).mode & 0o777).toBe(0o700);
  },
);

test.skipIf(process.platform === 'win32')(
  'a pipe that outgrows the disk is refused before it is full, and nothing of it is left',
  async () => {
    const spoolDir = join(folder(), 'spool');
    const path = join(folder(), 'pipe');
    execFileSync('sh', ['-c', `mkfifo "${path}"`]);
    const writer = spawn('sh', ['-c', `yes 'a,b' > "${path}"`]);
    const gone = new Promise((resolve) => writer.once('close', resolve));
    const looks: number[] = [];
    const free = async () => {
      looks.push(0);
      return looks.length > 1 ? 1e6 : 1e9;
    };
    const input = { path, name: path, spoolDir, waiting: undefined };
    const error = await refusal(spoolPipe(input, statSync(path), never, free));
    expect(error.message).toContain(`there is no disk space to store it on the disk of ${spoolDir}`);
    expect(error.next).toContain('--work-dir');
    expect(readdirSync(spoolDir)).toEqual([]);
    // Nobody reads any more: the endless writer ends, too.
    await gone;
  },
);

test('a file that is still being written while it is inspected is refused', async () => {
  const path = file(`a,b\n${'1,2\n'.repeat(200_000)}`);
  const source = open(path);
  let done = false;
  const inspection = refusal(source.inspect(never)).finally(() => {
    done = true;
  });
  // Written to all the while, so that no moment of the inspection has to be met.
  while (!done) {
    writeFileSync(path, '1,2\n', { flag: 'a' });
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect((await inspection).message).toContain('changed');
});
